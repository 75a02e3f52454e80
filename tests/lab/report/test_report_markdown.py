"""The report as Markdown."""

from stand_ins import Declaration, claim, figure

from markone.lab.report.content import collect
from markone.lab.report.pages import as_markdown


def declared(**more):
    return Declaration(
        repeats=60,
        figures=[
            figure(measures=["converged", "separable"]),
            figure("stability", measures=["kappa"], theory=["kappa"]),
        ],
        claims=[
            claim("For P <= N all sets are separable.", where={"alpha_max": 1.0}, every_run={"equals": 1.0}),
            claim("Nothing is ever separable.", below=0.1),
            claim("Certainly.", where={"alpha": 0.5}, above=0.999),
        ],
        **more,
    )


def test_a_bar_does_not_break_a_markdown_table():
    declaration = declared()
    text = as_markdown(collect(declaration, [], {"machine": "a|b"}))
    assert "a\\|b" in text


def test_nothing_in_it_is_html_and_the_fence_holds():
    declaration = declared(title="<script>alert(1)</script>", read_first="p < 0.01; </b>\n```\n<img>")
    text = as_markdown(collect(declaration, [], {}))
    before, fence, _ = text.partition("````toml")
    assert fence
    assert "<script" not in before
    assert "&lt;script>alert(1)&lt;/script>" in before
    assert "p < 0.01; &lt;/b>" in before
