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
