"""The page: complete, escaped, and with the numbers of the Markdown."""

import re

import numpy as np
import pytest
from generated_points import made_up
from report_pages import Page, declared

from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import inline_drawing
from markone.lab.report.content import collect_content
from markone.lab.report.pages import report_html, report_markdown
from markone.lab.statistics import estimate_mean

PROVENANCE = {
    "markone": "1.0",
    "versions": {"numpy": "2.4"},
    "commit": "abc",
    "seed": 1,
    "seconds": 12.345678,
}


def test_the_page_is_whole_and_asks_for_nothing_else():
    declaration = declared()
    text = report_html(collect_content(declaration, made_up(declaration), PROVENANCE))
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
    content = collect_content(declaration, points, PROVENANCE)
    html, markdown = "".join(Page(report_html(content)).texts), report_markdown(content)
    for point in points:
        for measure, values in point.values.items():
            cell = str(estimate_mean(values, measure != "kappa"))
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
    text = report_html(collect_content(declaration, made_up(declaration), {"host": "<b>"}))
    assert "<script" not in text
    assert "<b>" not in text
    assert title in "".join(Page(text).texts)


def test_backticks_are_code_on_the_page():
    declaration = declared(read_first="At most `n_max < 9` sweeps.")
    assert "At most <code>n_max &lt; 9</code> sweeps." in report_html(collect_content(declaration, [], {}))


def test_each_mark_of_a_figure_has_its_own_numbers_as_a_tooltip():
    declaration = declared()
    drawn = draw_declared_figure(declaration, made_up(declaration), declaration.figures[0])
    page = inline_drawing(drawn, "Caption")
    places = np.array(
        re.findall(r'<use [^>]*x="([^"]+)" y="([^"]+)"[^>]*><title>', page), dtype=float
    ).T.reshape(2, len(drawn.means), -1)
    titles = re.findall(r"<title>(.*?)</title></use>", page)
    assert titles[0] == f"N = 10, α = 0.5: converged {drawn.lines[0].estimates[0]}"
    x, means = np.array([s.x for s in drawn.means]), np.array([s.mean for s in drawn.means])
    for place, values in zip(places, (x, means), strict=True):
        slope, start = np.polyfit(values.ravel(), place.ravel(), 1)
        np.testing.assert_allclose(place, start + slope * values, atol=1e-3)
    said = [float(re.search(r": \w+ ([-\d.]+)", title)[1]) for title in titles]
    np.testing.assert_allclose(said, means.ravel(), atol=0.005)
    assert len(page) < 1.3 * len(re.sub("<title>.*?</title></use>", "", page))
    drawn.hover["marks-1"].pop()
    assert len(re.findall("</use>", inline_drawing(drawn, ""))) == len(titles) - len(drawn.means[0].x)
