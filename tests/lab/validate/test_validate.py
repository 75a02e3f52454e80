"""All problems of a declaration in one error, with the names of the file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_declarations import PLAIN, PRECISE

from markone.errors import DeclarationError
from markone.lab.load import parse_declaration
from markone.lab.schema import Declaration

pytestmark = pytest.mark.usefixtures("toy")


def problems(data):
    """All messages of the error: each test compares them, so nothing is matched here."""
    with pytest.raises(DeclarationError) as caught:
        parse_declaration(data)
    return caught.value.problems


def test_all_errors_are_said_at_once_with_the_nearest_name():
    broken = {
        "name": "no spaces please",
        "titel": "A study",
        "scenario": "toy",
        "seed": -1,
        "repeats": "many",
        "grid": {"alhpa": [1.0], "N": [5, 5000], "cost": 3, "busy": {"start": 0, "stop": 1, "stepp": 1}},
        "fixed": {"rule": "hebbb"},
        "figure": [
            {"name": "a", "x": "M", "measures": ["hight"], "theory": ["lime"], "where": {"m_min": 1}},
            {"name": "b", "y": "N", "x": "N", "measures": []},
        ],
        "claim": [
            {"text": "t", "measure": "positve", "where": {"n_max": 3}, "expect": {}},
            {"text": "t", "measure": "height", "expect": {"equal": 1}},
        ],
    }
    text = "\n".join(problems(broken))
    for part in [
        "name: String should match",
        "titel: There is no key 'titel'. Did you mean 'title'?",
        "title: This is required.",
        "seed: Input should be greater than or equal to 0, but -1 was given.",
        "repeats: Input should be a valid integer",
        "grid.alhpa: There is no parameter of the scenario toy 'alhpa'. Did you mean 'alpha'?",
        "grid.N: Input should be less than or equal to 1000, but 5000 was given.",
        "grid.cost: One value is not an axis: write a list, [3]",
        "grid.busy: There is no part of a range 'stepp'. Did you mean 'step'?",
        "alpha: The scenario toy needs this parameter",
        "fixed.rule: Input should be 'hebb' or 'minover', but 'hebbb' was given.",
        "figure 1, x: There is no axis of the grid 'M'. There are: N, alhpa.",
        "figure 1, measures: There is no measure 'hight'. Did you mean 'height'?",
        "figure 1, theory: There is no theory 'lime'. Did you mean 'line'?",
        "figure 1, where: There is no axis of the grid 'm'.",
        "figure 2, y: There is no key 'y'.",
        "figure 2, measures: List should have at least 1 item",
        "claim 1, measure: There is no measure 'positve'. Did you mean 'positive'?",
        "claim 1, where: There is no axis of the grid 'n'.",
        "claim 1, expect: Say what is expected: equals, above",
        "claim 2, expect, equal: There is no key 'equal'. Did you mean 'equals'?",
    ]:
        assert part in text, part


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"scenario": "../mine.py"}, "scenario: There is no scenario '../mine.py'"),
        ({"scenario": "toi"}, "scenario: There is no scenario 'toi'. Did you mean 'toy'?"),
        ({"fixed": {"N": 5}}, "fixed.N: N is in the grid already: remove one."),
        ({"precision": 0.1}, "precision_of and max_repeats is missing"),
        ({**PRECISE, "max_repeats": 6}, "max_repeats: 6 is less than repeats = 12."),
        ({**PRECISE, "precision_of": "hight"}, "precision_of: There is no measure 'hight'"),
        ({"grid": {"N": [], "alpha": [1.0]}}, "grid.N: The list is empty"),
        ({"grid": {"N": [5], "alpha": [1.0, 1]}}, "grid.alpha: 1 is there twice"),
        ({"grid": {"N": [5], "alpha": [float("nan")]}}, "grid.alpha: NaN is not a value"),
        ({"grid": {"N": [5], "alpha": [[1.0]]}}, "[1.0] is not a value"),
        ({"grid": {"N": [5], "alpha": {"start": 1, "stop": 0, "step": 1}}}, "does not lead from 1 to 0"),
        ({"grid": {"N": [5], "alpha": {"start": 0, "stop": 1, "step": 1e-9}}}, "more than 1000000 values"),
        ({"grid": {"N": [5], "alpha": {"start": 0, "stop": 1}}}, "step is missing"),
        ({"grid": {"N": [5], "alpha": {"start": "0", "stop": 1, "step": 1}}}, "start of a range must be"),
        ({"grid": 3}, "grid: Input should be a valid dictionary"),
        ({"grid": {k: {"start": 1, "stop": 2000, "step": 1} for k in ("N", "alpha")}}, "4000000 points"),
    ],
)
def test_what_is_refused(changes, sentence):
    assert sentence in "\n".join(problems(PLAIN | changes))


FIGURE = {"name": "f", "x": "alpha", "measures": ["height"]}
TABLE = {"name": "t", "rows": ["alpha"], "columns": ["height"]}


def claimed(**expect):
    return {"text": "t", "measure": "height", "where": {"N": 5}, "expect": expect}


@pytest.mark.parametrize(
    ("section", "part", "sentence"),
    [
        ("figure", {"name": "f"}, "figure 1, x: This is required."),
        ("figure", {"name": "f"}, "figure 1, measures: List should have at least 1 item: name"),
        ("figure", FIGURE | {"marks": ["strat"]}, "marks: There is no mark 'strat'. Did you mean 'start'?"),
        ("figure", FIGURE | {"picture": "bars"}, "picture: The kind 'lines' does not use it"),
        ("figure", FIGURE | {"kind": "map"}, "lines: The kind 'map' needs a second axis"),
        (
            "figure",
            FIGURE | {"kind": "map", "lines": ["N"], "marks": ["start"]},
            "marks: The kind 'map' does",
        ),
        ("figure", {"name": "f", "kind": "picture"}, "figure 1, picture: This is required"),
        ("figure", FIGURE | {"kind": "picture", "picture": "bars"}, "x: A picture does not use it"),
        (
            "figure",
            {"name": "f", "kind": "picture", "picture": "bras"},
            "picture: There is no picture 'bras'. Did you mean 'bars'?",
        ),
        ("figure", FIGURE | {"where": {"N": [5, 5000]}}, "where: Input should be less than or equal to 1000"),
        (
            "table",
            TABLE | {"rows": ["alpah"]},
            "table 1, rows: There is no axis of the grid 'alpah'. Did you",
        ),
        ("table", TABLE | {"columns": ["hight"]}, "columns: There is no measure 'hight'. Did you mean"),
        ("table", TABLE | {"across": ["alpha"]}, "across: alpha is in `rows` already"),
        ("table", TABLE | {"colums": ["height"]}, "table 1, colums: There is no key 'colums'. Did you mean"),
        ("table", TABLE | {"show": "median"}, "table 1, show: Input should be 'mean', 'mean_sd' or"),
        ("table", TABLE | {"published": {"height": [1.0] * 6}}, "source: Say where the published numbers"),
        (
            "table",
            TABLE | {"published": {"hight": [1.0] * 6}, "source": "s"},
            "published: There is no column 'hight'. Did you mean 'height'?",
        ),
        (
            "table",
            TABLE | {"across": ["N"], "published": {"N = 55": [1.0] * 3}, "source": "s"},
            "published: There is no column 'N = 55'. Did you mean 'N = 5'?",
        ),
        (
            "table",
            TABLE | {"published": {"height": [1.0] * 3}, "where": {"N": 5}, "average": True, "source": "s"},
            "published: height has 3 numbers for 4 rows, the last of them the average",
        ),
        (
            "claim",
            claimed(below_line={"M": 5}),
            "claim 1, expect, below_line: There is no axis of the grid 'M'",
        ),
        ("claim", claimed(above_line={"N": 5}), "above_line: `where` chooses the same line"),
        ("claim", claimed(above_line={}), "above_line: Say which line"),
        ("claim", claimed(above_line={"N": -5}), "above_line: Input should be greater than or equal to 1"),
    ],
)
def test_figures_tables_and_claims_that_are_refused(section, part, sentence):
    assert sentence in "\n".join(problems({**PLAIN, section: [part]}))


def test_two_of_one_name_would_be_one_file():
    said = "\n".join(problems({**PLAIN, "figure": [FIGURE, FIGURE], "table": [TABLE, TABLE]}))
    assert "figure, name: Two of them are called 'f'" in said
    assert "table, name: Two of them are called 't'" in said


def test_a_part_keeps_its_number_when_the_one_before_cannot_be_read():
    said = "\n".join(problems({**PLAIN, "figure": [3, FIGURE | {"measures": ["hight"]}]}))
    assert "figure 2, measures: There is no measure 'hight'" in said


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*Declaration.model_fields, "gird"]), junk, max_size=6))
def test_junk_gives_sentences_and_nothing_else(changes):
    with pytest.raises(DeclarationError, match=r"has (one|\d+) error"):
        parse_declaration({**PLAIN, "repeats": 0, **changes, "seed": "x"})


def test_a_wrong_scenario_hides_no_other_mistake():
    wrong = PLAIN | {
        "scenario": "toi",
        "figure": [{"name": "f", "x": "alhpa", "measures": ["height"]}],
        "claim": [{"text": "t", "measure": "height", "expect": {}}],
    }
    with pytest.raises(DeclarationError) as found:
        parse_declaration(wrong)
    text = "\n".join(found.value.problems)
    assert "Did you mean 'toy'" in text
    assert "figure 1, x: There is no axis of the grid 'alhpa'. Did you mean 'alpha'?" in text
    assert "claim 1, expect: Say what is expected" in text


@pytest.mark.parametrize(
    ("expect", "sentence"),
    [
        ({"above": 1.0, "within": 0.1}, "It is the margin of equals or equals_theory"),
        ({"largest_at": {"N": 5, "alpha": 1.0}}, "largest_at: Name one key, not 2."),
        ({"largest_at": {"M": 5}}, "There is no axis of the grid 'M'"),
        ({"grows_with": {"N": [2.0]}}, r"e.g. [1.8, 2.2], not [2.0]"),
        ({"every_run": {}}, "Say what: at_most, at_least or equals."),
        ({"every_run": {"at_most": "unknown"}}, "There is no theory 'unknown'"),
        ({"every_run": {"most": 1.0}}, "'at_most', 'at_least' or 'equals'"),
        ({"ratio": {"above": 1.0}}, "Say to what: line"),
        ({"ratio": {"measure": "height"}}, "Say how large: above, below, or both."),
        ({"below_measure": "depth"}, "There is no measure 'depth'"),
    ],
)
def test_what_a_claim_cannot_expect(expect, sentence):
    with pytest.raises(DeclarationError) as found:
        parse_declaration(PLAIN | {"claim": [{"text": "t", "measure": "height", "expect": expect}]})
    assert sentence in "\n".join(found.value.problems)
