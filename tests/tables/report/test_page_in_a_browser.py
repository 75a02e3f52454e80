"""The page of a fit in a real browser: at three widths, in light and dark, on paper; nothing is cut off."""

import numpy as np
import pytest

from markone.tables import dispatch
from markone.tables.dispatch import build_report
from markone.tables.report.page import build_page
from markone.tables.request import AnswerOptions, ColumnOptions, FitRequest

WIDTHS = [1200, 768, 360]
# What reaches beyond the page without a bar to scroll it by; what is folded away has no size.
CUT_OFF = """() => [...document.querySelectorAll("main *, header, .doubt, .box")].filter(e => {
  const r = e.getBoundingClientRect();
  return r.width && r.right > innerWidth + 1 && !e.closest(".wide");
}).map(e => e.tagName + " " + e.textContent.slice(0, 40))"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Twelve classes with long names; and a table with gaps, findings, prices and probabilities."""
    folder, rng = tmp_path_factory.mktemp("pages"), np.random.default_rng(0)
    lines = ["a column with a name that does not end soon,y,z,k"]
    for k in range(120):
        x = (4 * np.cos(np.arange(3) * (k % 12)) + rng.standard_normal(3)).round(3)
        lines.append(",".join([*map(str, x), f"a_class_with_one_word_that_is_long_{k % 12}"]))
    (folder / "many.csv").write_text("\n".join(lines))
    lines = ["age,w,k"]
    for k in range(120):
        ill = k % 4 == 0
        lines.append(
            f"{'' if ill and k % 8 else rng.normal():.6},{rng.normal() + ill:.4},{'ill' if ill else 'well'}"
        )
    (folder / "gaps.csv").write_text("\n".join(lines))
    asked = [
        FitRequest(str(folder / "many.csv"), "knn", ColumnOptions("k"), cv="1x3"),
        FitRequest(
            str(folder / "gaps.csv"),
            "gmlvq",
            ColumnOptions("k", "mask"),
            cv="1x3",
            answers=AnswerOptions(["ill:well=5"], 0.9),
        ),
    ]
    for name, each in zip(("many", "gaps"), asked, strict=True):
        (folder / f"{name}.html").write_text(
            build_page(build_report(dispatch.fit(each)), ["fit", name]), encoding="utf-8"
        )
    return folder


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["many", "gaps"])
def test_nothing_is_cut_off_and_nothing_is_asked_for(browser, pages, name, scheme, width):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    shown = context.new_page()
    problems, outside = [], []
    shown.on("console", lambda message: problems.append(message.text))
    shown.on("request", lambda r: outside.append(r.url) if not r.url.startswith("file:") else None)
    shown.goto((pages / f"{name}.html").as_uri())
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert shown.evaluate(CUT_OFF) == []
    assert (problems, outside) == ([], [])
    context.close()


def test_what_a_colleague_looks_for_is_there_in_order(browser, pages):
    context = browser.new_context()
    shown = context.new_page()
    shown.goto((pages / "gaps.html").as_uri())
    assert shown.locator("h2").all_inner_texts() == [
        "This score may be misleading",
        "Scores",
        "Each class",
        "Probabilities",
        "Feature importance",
        "The student of all rows: gmlvq",
        "Rows to look at",
        "What was done to the data",
        "Model card",
        "Provenance",
    ]
    for figure in ("roc", "confusion", "reliability", "inputs", "columns"):
        assert shown.locator(f"#figure-{figure} svg").count() == 1
    assert "SHA-256" in shown.locator(".card").first.inner_text()
    context.close()


def test_every_class_has_its_own_name_on_the_axes(browser, pages):
    context = browser.new_context()
    shown = context.new_page()
    shown.goto((pages / "many.html").as_uri())
    texts = shown.locator("#figure-confusion svg").inner_html()
    assert all(f"_{k}" in texts or f"g_{k}" in texts for k in range(12))
    assert len(shown.pdf()) > 20_000
    context.close()
