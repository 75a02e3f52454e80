"""Claims are sealed by the first result of a store; what is claimed later is marked."""

import json

import pytest

from markone.lab import Experiment
from markone.lab.recorded_facts import AFTER_DATA, UNSEALED, claim_remarks, dropped_claims, seal_claims
from markone.lab.store.results import Store

CLAIM = {"text": "Few errors.", "measure": "epsilon_g", "expect": {"below": 0.6}}
OTHER = {"text": "Many errors.", "measure": "epsilon_g", "expect": {"above": 0.1}}


def asked(*claims, repeats=4, **more):
    grid = {"student": ["hebb"], "alpha": [1.0, 2.0]}
    parts = {"name": "sealed", "title": "Sealed claims", "scenario": "teacher_student", "seed": 1}
    return Experiment.declare(
        **parts, repeats=repeats, grid=grid, fixed={"N": 10}, claim=list(claims), **more
    )


def remarks(result):
    return {claim.text: claim.remark for claim in result.claims()}


def sealed_by_definition(runs, claim):
    """`runs`: (time of the first result, claims as declared then) of each process; what the first one had."""
    _, first = min(runs, key=lambda run: run[0])
    return claim in first


def test_the_first_run_seals_its_claims_and_later_ones_are_marked(tmp_path):
    path = tmp_path / "results.sqlite"
    first = asked(CLAIM).run(workers=1, store=path, progress=False)
    assert remarks(first) == {"Few errors.": ""}
    # Declared, not run again: the report of an edited file.
    again = asked(CLAIM, OTHER).result(store=path)
    assert remarks(again) == {"Few errors.": "", "Many errors.": AFTER_DATA}
    # Run again with more repeats: the seal stays the first one, always.
    more = asked(CLAIM, OTHER, repeats=6).run(workers=1, store=path, progress=False)
    assert remarks(more) == {"Few errors.": "", "Many errors.": AFTER_DATA}
    page = more.report(tmp_path).html.read_text()
    assert page.count(f"<em>({AFTER_DATA})</em>") == 1
    assert f"1 claim was {AFTER_DATA}, or changed: “Many errors.”" in page
    assert f"({AFTER_DATA}): Many errors." in (tmp_path / "report.md").read_text()
    assert AFTER_DATA in more._repr_html_()
    (seal,) = seal_claims(asked(CLAIM).declaration)
    started = first.provenance["sessions"][0]["started"]
    assert f"{started}: {seal}" in page
    assert page.count("Few errors.") == 2, "the claim and the declaration"


@pytest.mark.parametrize(
    "changed",
    [
        {"text": "Very few errors."},
        {"expect": {"below": 0.61}},
        {"expect": {"above": 0.6}},
        {"expect": {"below": 0.6, "above": 0.0}},
        {"where": {"alpha": 2.0}},
        {"measure": "R"},
        {"of": "spread"},
    ],
)
def test_every_part_of_a_claim_is_sealed(changed):
    declaration, other = (asked(one).declaration for one in (CLAIM, CLAIM | changed))
    runs = [("2026-01-02", other.claims), ("2026-01-01", declaration.claims)]
    sessions = [
        {"started": "2026-01-02", "claims": seal_claims(other)},
        {"started": "2026-01-01", "claims": json.loads(json.dumps(seal_claims(declaration)))},
    ]
    for one in (declaration, other):
        (remark,) = claim_remarks(one, {"sessions": sessions})
        assert (remark == "") == sealed_by_definition(runs, one.claims[0])
    assert dropped_claims(other, {"sessions": sessions}) == ["Few errors."]
    assert dropped_claims(declaration, {"sessions": sessions}) == []


def test_the_formula_of_an_own_theory_is_sealed():
    claim = {"text": "As theory.", "measure": "epsilon_g", "expect": {"equals_theory": "mine"}}
    one = asked(claim, theory={"mine": {"curve": "hebb"}}).declaration
    other = asked(claim, theory={"mine": {"curve": "bayes"}}).declaration
    assert seal_claims(one) != seal_claims(other)


def test_a_store_of_an_older_version_says_that_it_has_no_seals(tmp_path):
    declaration = asked(CLAIM).declaration
    assert claim_remarks(declaration, {"sessions": [{"started": "2026"}]}) == [UNSEALED]
    assert claim_remarks(declaration, {}) == [""]
    with Store(tmp_path / "empty.sqlite") as store:
        assert claim_remarks(declaration, store.provenance()) == [""]
