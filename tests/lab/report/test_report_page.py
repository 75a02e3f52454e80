"""The page: whole, escaped, and the same numbers as the Markdown."""

import re
from html.parser import HTMLParser

import pytest
from stand_ins import Declaration, claim, figure, made_up

from markone.lab.report.content import collect
from markone.lab.report.pages import as_html, as_markdown
from markone.lab.statistics import estimate

PROVENANCE = {
    "markone": "1.0",
    "versions": {"numpy": "2.4"},
    "commit": "abc",
    "seed": 1,
    "seconds": 12.345678,
}


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


class Page(HTMLParser):
    """Checks that what is opened is closed; collects ids, references and addresses."""

    void = ("meta", "br", "link", "img", "hr", "path", "use", "stop")

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.addresses, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        if tag not in self.void:
            self.open.append(tag)
        self.handle_startendtag(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href"):
                self.addresses.append(value)

    def handle_endtag(self, tag):
        if tag not in self.void:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_the_page_is_whole_and_asks_for_nothing_else():
    declaration = declared()
    text = as_html(collect(declaration, made_up(declaration), PROVENANCE))
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert all(address[0] == "#" and address[1:] in page.ids for address in page.addresses)
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(page.ids)
    assert not re.search(r"<script|<link|<img|@import|url\((?!#)", text)
    assert text.count("<svg") == 2
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert 'name="viewport"' in text


def test_html_and_markdown_say_the_same_numbers():
    declaration = declared()
    points = made_up(declaration)
    content = collect(declaration, points, PROVENANCE)
    html, markdown = "".join(Page(as_html(content)).texts), as_markdown(content)
    for point in points:
        for measure, values in point.values.items():
            cell = str(estimate(values, measure != "kappa"))
            assert cell in html
            assert cell in markdown
    said = (
        [c.sentence for c in content.claims]
        + content.caveats
        + [cell for row in content.agreement.rows for cell in row]
    )
    for sentence in [*said, "numpy 2.4", "abc", "12.3457", declaration.title]:
        assert sentence in html
        assert sentence in markdown


@pytest.mark.parametrize("title", ["a < b & $c", '"quoted" </title>'])
def test_words_are_escaped(title):
    declaration = declared(title=title, read_first="<script>alert(1)</script> ${name}")
    text = as_html(collect(declaration, made_up(declaration), {"host": "<b>"}))
    assert "<script" not in text
    assert "<b>" not in text
    assert title in "".join(Page(text).texts)


def test_backticks_are_code_on_the_page():
    declaration = declared(read_first="At most `n_max < 9` sweeps.")
    assert "At most <code>n_max &lt; 9</code> sweeps." in as_html(collect(declaration, [], {}))
