"""Caveats of a report."""

import re

import numpy as np
from generated_points import Declaration, figure, made_up
from report_pages import Page, declared

from markone.lab.report.content import collect_content
from markone.lab.report.pages import report_html, report_markdown
from markone.lab.scenario import Theory


def test_the_box_says_what_a_careful_colleague_would():
    declaration = declared(read_first="Labels are tossed.")
    points = made_up(declaration)
    points[0].values["kappa"][:3] = np.nan
    points[1].failures = ["ValueError: no luck."]
    gave_up = sum(int(((p.values["converged"] == 0) & (p.values["separable"] == 1)).sum()) for p in points)
    separable = sum(int(p.values["separable"].sum()) for p in points)
    content = collect_content(declaration, points, {})
    box = content.caveats
    assert box[0] == "Labels are tossed."
    assert box[1] == "The experiment is complete: 1080 runs at 18 grid points."
    assert box[2] == "1 task failed and left no values. The first, at N = 10, alpha = 1: ValueError: no luck."
    assert box[3].startswith(
        f"{gave_up} runs of {separable} with separable data stopped at the limit although"
    )
    assert box[4] == "1 claim does not hold: “Nothing is ever separable.”"
    assert content.remarks == [
        "1 claim is undecided: “Certainly.”",
        "Values that are not finite were left out of the means: 3 of kappa.",
    ]
    assert "Further remarks" in report_html(content)
    assert "## Further remarks\n\n- 1 claim is undecided" in report_markdown(content)


def test_a_theory_is_named_once_with_all_its_lines_and_the_size_of_the_difference():
    grid = {"N": [20], "rule": ["a", "b"], "alpha": [1.0, 2.0]}
    shown = figure("stability", lines=["rule"], measures=["kappa"], theory=["kappa"])
    declaration = Declaration(grid=grid, repeats=60, figures=[shown])
    (doubt,) = [
        r for r in collect_content(declaration, made_up(declaration, offset=0.3), {}).caveats if "theory" in r
    ]
    assert re.fullmatch(
        r"Figure stability: kappa does not agree with theory \(limit of large N\) without a 1/N term "
        r"for a; b, p = \de-\d+; farthest: [\d.]+ instead of [\d.]+ at x = [12]\.?0?\.",
        doubt,
    )


def test_a_bound_is_broken_on_one_side_only():
    floor = Theory("lowest", "kappa", lambda p: 1 / p["alpha"], "lower bound")
    declaration = declared()
    declaration.theories["kappa"] = floor
    above, below = (
        " ".join(collect_content(declaration, made_up(declaration, offset=sign * 0.3), {}).caveats)
        for sign in (1, -1)
    )
    assert "lowest" not in above
    assert "Figure stability: kappa lies below its lower bound (lowest), p = " in below


def test_what_cannot_be_is_said():
    declaration = declared()
    points = made_up(declaration)
    points[-1].values["converged"][:] = 1.0
    points[-1].values["separable"][:] = 0.0
    assert any(
        "60 runs converged on data that were found not to be" in r
        for r in collect_content(declaration, points, {}).caveats
    )


def test_disagreement_with_theory_is_in_the_box_unless_1_over_N_explains_it():
    declaration = declared()
    explained, wrong = (
        " ".join(collect_content(declaration, made_up(declaration, **difference), {}).caveats)
        for difference in ({"b": -1.0}, {"offset": 0.3})
    )
    assert "does not agree" not in explained
    assert (
        "Figure stability: kappa does not agree with theory (limit of large N) even with a 1/N term" in wrong
    )


def test_nothing_yet():
    declaration = declared()
    content = collect_content(declaration, [], {})
    assert content.caveats[0].startswith("Nothing has been run yet")
    assert (content.figures, content.agreement.rows) == ([], [])
    Page(report_html(content))
    assert "Nothing has been run yet" in report_markdown(content)


def test_half_finished():
    declaration = declared()
    points = made_up(declaration)[:7]
    points[6].repeats = 20
    (sentence,) = [r for r in collect_content(declaration, points, {}).caveats if "not finished" in r]
    assert "6 of 18 grid points have all of their 60 repeats, 1 have some, 11 have none" in sentence


def test_only_failures():
    declaration = declared()
    points = made_up(declaration)[:1]
    points[0].values, points[0].repeats, points[0].failures = {}, 0, ["MemoryError"]
    remarks = collect_content(declaration, points, {}).caveats
    assert remarks[0].startswith("Nothing has been run yet")
    assert "MemoryError" in remarks[1]


def test_one_run_each_and_precision_not_reached():
    declaration = Declaration(repeats=1)
    assert "18 points had one run only" in collect_content(declaration, made_up(declaration), {}).caveats[-1]
    declaration = Declaration(repeats=50)
    declaration.precision, declaration.precision_of = 0.01, "kappa"
    remarks = collect_content(declaration, made_up(declaration), {}).caveats
    assert re.match(r"At \d+ points the standard error of kappa is above the declared 0\.01", remarks[2])


def test_code_that_changed_is_named():
    declaration = declared()
    sessions = [{"commit": "abc"}, {"commit": "def-changed"}, {"commit": ""}]
    remarks = collect_content(declaration, [], {"commit": "abc", "sessions": sessions}).caveats
    assert "The results were computed by 2 states of the code: abc, def-changed." in remarks
    assert any("the commit does not identify it" in r for r in remarks)
    assert not any("code" in r for r in collect_content(declaration, [], {"commit": "abc"}).caveats)
