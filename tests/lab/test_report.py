import re
import tomllib
from html.parser import HTMLParser

import numpy as np
import pytest
from stand_ins import Declaration, claim, figure, made_up

from markone.lab.fitting.as_html import as_html
from markone.lab.formatting import show
from markone.lab.report.content import collect
from markone.lab.report.markdown import as_markdown
from markone.lab.report.toml_text import toml_text
from markone.lab.report.write import write
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
            claim("For P <= N all sets are separable.", where={"alpha_max": 1.0}, equals=1.0),
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
            cell = show(estimate(values, measure != "kappa"))
            assert cell in html
            assert cell in markdown
    said = (
        [c.sentence for c in content.claims]
        + content.remarks
        + [cell for row in content.agreement.rows for cell in row]
    )
    for sentence in [*said, "numpy 2.4", "abc", "12.3457", declaration.title]:
        assert sentence in html
        assert sentence in markdown


def test_the_box_says_what_a_careful_colleague_would():
    declaration = declared(read_first="Labels are tossed.")
    points = made_up(declaration)
    points[0].values["kappa"][:3] = np.nan
    points[1].failures = ["ValueError: no luck."]
    gave_up = sum(int(((p.values["converged"] == 0) & (p.values["separable"] == 1)).sum()) for p in points)
    separable = sum(int(p.values["separable"].sum()) for p in points)
    box = collect(declaration, points, {}).remarks
    assert box[0] == "Labels are tossed."
    assert box[1] == "The experiment is complete: 1080 runs at 18 grid points."
    assert box[2].startswith(
        f"{gave_up} runs of {separable} with separable data stopped at the limit although"
    )
    assert box[3] == "1 task failed and left no values. The first, at N = 10, alpha = 1: ValueError: no luck."
    assert box[4] == "Values that are not finite were left out of the means: 3 of kappa."
    assert box[5] == "1 claim does not hold: “Nothing is ever separable.”"
    assert box[6] == "1 claim is undecided: “Certainly.”"


def test_what_cannot_be_is_said():
    declaration = declared()
    points = made_up(declaration)
    points[-1].values["converged"][:] = 1.0
    points[-1].values["separable"][:] = 0.0
    assert any(
        "60 runs converged on data that were decided not to be" in r
        for r in collect(declaration, points, {}).remarks
    )


def test_disagreement_with_theory_is_in_the_box_unless_1_over_N_explains_it():
    declaration = declared()
    explained, wrong = (
        " ".join(collect(declaration, made_up(declaration, **difference), {}).remarks)
        for difference in ({"b": -1.0}, {"offset": 0.3})
    )
    assert "does not agree" not in explained
    assert (
        "Figure stability: kappa does not agree with theory (limit of large N) even with a 1/N term" in wrong
    )


def test_nothing_yet():
    declaration = declared()
    content = collect(declaration, [], {})
    assert content.remarks[0].startswith("Nothing has been run yet")
    assert (content.figures, content.agreement.rows) == ([], [])
    Page(as_html(content))
    assert "Nothing has been run yet" in as_markdown(content)


def test_half_finished():
    declaration = declared()
    points = made_up(declaration)[:7]
    points[6].repeats = 20
    (sentence,) = [r for r in collect(declaration, points, {}).remarks if "not finished" in r]
    assert "6 of 18 grid points have all of their 60 repeats, 1 have some, 11 have none" in sentence


def test_only_failures():
    declaration = declared()
    points = made_up(declaration)[:1]
    points[0].values, points[0].repeats, points[0].failures = {}, 0, ["MemoryError"]
    remarks = collect(declaration, points, {}).remarks
    assert remarks[0].startswith("Nothing has been run yet")
    assert "MemoryError" in remarks[1]


def test_one_run_each_and_precision_not_reached():
    declaration = Declaration(repeats=1)
    assert "18 points had one run only" in collect(declaration, made_up(declaration), {}).remarks[-1]
    declaration = Declaration(repeats=50)
    declaration.precision, declaration.precision_of = 0.01, "kappa"
    remarks = collect(declaration, made_up(declaration), {}).remarks
    assert re.match(r"At \d+ points the standard error of kappa is above the 0\.01 asked for", remarks[1])


def test_code_that_changed_is_named():
    declaration = declared()
    sessions = [{"commit": "abc"}, {"commit": "def-changed"}, {"commit": ""}]
    remarks = collect(declaration, [], {"commit": "abc", "sessions": sessions}).remarks
    assert "The results were computed by 2 states of the code: abc, def-changed." in remarks
    assert any("the commit does not identify it" in r for r in remarks)
    assert not any("code" in r for r in collect(declaration, [], {"commit": "abc"}).remarks)


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


def test_a_bar_does_not_break_a_markdown_table():
    declaration = declared()
    text = as_markdown(collect(declaration, [], {"machine": "a|b"}))
    assert "a\\|b" in text


def test_the_declaration_is_toml_again():
    declaration = declared(read_first='Say "no".\nTwice.')
    data = tomllib.loads(toml_text(declaration))
    assert data["grid"] == declaration.grid
    assert data["fixed"] == declaration.fixed
    assert data["read_first"] == declaration.read_first
    assert [c["expect"] for c in data["claim"]] == [c.expect for c in declaration.claims]
    assert [f["measures"] for f in data["figure"]] == [f.measures for f in declaration.figures]


def test_written_files_are_the_same_each_time(tmp_path):
    declaration = declared()
    first, second = (write(declaration, made_up(declaration), PROVENANCE, tmp_path / f) for f in "ab")
    assert len(first.figures) == 6
    pairs = zip(
        [first.html, first.markdown, *first.figures],
        [second.html, second.markdown, *second.figures],
        strict=True,
    )
    assert all(a.read_bytes() == b.read_bytes() for a, b in pairs)
    assert all(
        (tmp_path / "a" / p).exists() for p in re.findall(r"\]\(([^)]+)\)", first.markdown.read_text())
    )
