"""The report as Markdown."""

from report_pages import declared

from markone.lab.report.content import collect_content
from markone.lab.report.pages import report_markdown


def test_a_bar_does_not_break_a_markdown_table():
    declaration = declared()
    text = report_markdown(collect_content(declaration, [], {"machine": "a|b"}))
    assert "a\\|b" in text


def test_nothing_in_it_is_html_and_the_fence_holds():
    declaration = declared(title="<script>alert(1)</script>", read_first="p < 0.01; </b>\n```\n<img>")
    text = report_markdown(collect_content(declaration, [], {}))
    before, fence, _ = text.partition("````toml")
    assert fence
    assert "<script" not in before
    assert "&lt;script>alert(1)&lt;/script>" in before
    assert "p < 0.01; &lt;/b>" in before
