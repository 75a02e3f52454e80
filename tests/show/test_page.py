"""The base template of pages: values are escaped, and there are no network requests."""

import re
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from markone.show.page import TEMPLATES, PageFigure, PageTable, inline_svg, prose_markup, render_page

HOSTILE = "<script>alert(1)</script> & \"quotes\" 'single' </style> {{ 7 * 7 }}"
SVG = (
    "<?xml version='1.0'?>\n<svg width='10'><metadata><a>x</a></metadata>"
    "<defs><path id=\"m\" fill='#000000'/></defs>"
    '<use xlink:href="#m"/><g clip-path="url(#m)"/></svg>'
)
TEMPLATE = """
{% extends "page.html" %}
{% import "parts.html" as parts %}
{% block title %}{{ title }}{% endblock %}
{% block subtitle %}{{ text }}{% endblock %}
{% block style %}.own { color: red; }{% endblock %}
{% block lead %}{{ parts.box("Read this first", [text]) }}{% endblock %}
{% block main %}
{% call parts.section("Scores") %}{{ parts.table(scores) }}{% endcall %}
{% call parts.section("Empty") %}{{ parts.table(empty) }}{{ parts.items([]) }}{% endcall %}
{{ parts.figure(drawn) }}{{ parts.figure(drawn_again) }}
{{ parts.captioned("table", scores, text) }}
{% call parts.folded(text) %}{{ parts.table(plain, "plain") }}{% endcall %}
{% endblock %}
"""


class Page(HTMLParser):
    """Check that tags are closed; collect ids, addresses, tags and texts."""

    void = ("meta",)

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.addresses, self.texts = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        if tag not in self.void:
            self.open.append(tag)
        self.handle_startendtag(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.ids += [value for name, value in attributes if name == "id"]
        self.addresses += [value for name, value in attributes if name in ("href", "src", "xlink:href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture
def template(tmp_path):
    path = tmp_path / "own.html"
    path.write_text(TEMPLATE, encoding="utf-8")
    return path


def content(text=HOSTILE):
    table = PageTable([text, "b"], [[text, "1"]])
    return {
        "title": text,
        "text": text,
        "scores": table,
        "empty": PageTable(["a"], []),
        "plain": PageTable(["", ""], [["key", text]]),
        "drawn": PageFigure("one", text, inline_svg(SVG, "one", text, 3.4), table),
        "drawn_again": PageFigure("two", text, inline_svg(SVG, "two", text, 7.0)),
    }


def test_hostile_text_is_escaped_everywhere(template):
    page = Page(render_page(template, **content()))
    assert "script" not in page.tags
    # Title, heading, subtitle, box, caption of two figures, summary ...: never run, never cut.
    assert sum(text == HOSTILE for text in page.texts) >= 10


def test_the_page_makes_no_requests_and_forbids_them(template):
    text = render_page(template, **content())
    page = Page(text)
    assert page.addresses
    assert all(address[0] == "#" and address[1:] in page.ids for address in page.addresses)
    assert not re.search(r"<script|<link|<img|@import|url\((?!#)|https?://", text)
    assert "default-src 'none'" in text


def test_the_structure_is_complete(template):
    text = render_page(template, **content("plain words"))
    page = Page(text)
    assert [page.tags.count(tag) for tag in ("html", "head", "body", "main", "h1", "title", "style")] == [
        1
    ] * 7
    assert len(page.ids) == len(set(page.ids))
    assert {"figure-one", "figure-two", "table-table"} <= set(page.ids)
    assert "Scores" in page.texts
    assert "Empty" not in page.texts
    assert "The numbers of figure one" in page.texts
    assert "The numbers of figure two" not in page.texts
    assert page.tags.count("thead") == 3


@pytest.mark.parametrize("part", ["prefers-color-scheme: dark", "@media print", 'name="viewport"', ".own {"])
def test_styles_for_screen_dark_mode_print_and_phone(template, part):
    assert part in render_page(template, **content())


def test_an_undefined_name_is_an_error(template):
    with pytest.raises(UndefinedError, match="scores"):
        render_page(template, **{k: v for k, v in content().items() if k != "scores"})


def test_prose_supports_code_only():
    assert prose_markup("use `n < 9` & <b>") == Markup("use <code>n &lt; 9</code> &amp; &lt;b&gt;")


def test_a_drawing_has_unique_ids_and_the_text_colour():
    drawn = inline_svg(SVG, 'a"b', "<caption>", 7.0)
    assert isinstance(drawn, Markup)
    assert 'id="a-b-m"' in drawn
    assert 'xlink:href="#a-b-m"' in drawn
    assert "url(#a-b-m)" in drawn
    assert "metadata" not in drawn
    assert "currentColor" in drawn
    assert 'aria-label="&lt;caption&gt;"' in drawn
    assert "min-width:30rem" in drawn
    assert "min-width:0rem" in inline_svg(SVG, "a", "", 3.4)


def test_grays_follow_the_colours_of_the_page():
    """Boxes, their texts and their edges; texts upon coloured cells stay."""
    marks = '<path style="fill: #ffffff; stroke: #262626"/><path style="fill: #ededed; stroke: #0072b2"/>'
    texts = '<text style="fill: #ffffff">a</text><text style="fill: #1b1b1b">b</text>'
    drawn = inline_svg(f"<svg>{marks}{texts}</svg>", "a", "", 3.4)
    assert '"fill: var(--paper, #ffffff); stroke: currentColor"' in drawn
    assert 'color-mix(in srgb, currentColor 8%, var(--paper, #ffffff)); stroke: #0072b2"' in drawn
    assert texts in drawn


def test_all_templates_are_on_disk():
    assert {path.name for path in TEMPLATES.iterdir()} == {"page.html", "parts.html", "style.css"}
