"""Declarations: what they mean, and how they are refused."""

import tomllib

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from studies import PLAIN, PRECISE, study

from markone.errors import DeclarationError
from markone.lab import load as declare
from markone.lab.load import load, parse
from markone.lab.ranges import values_of
from markone.lab.store.results import Store
from markone.lab.tasks import TARGET, block_size, describe, standard_error, tasks

pytestmark = pytest.mark.usefixtures("toy")

TOML = """
name = "study"
title = "A study"
scenario = "toy"
seed = 7
repeats = 12
read_first = "Careful."
[grid]
N = [5, 20]
alpha = { start = 0.5, stop = 1.5, step = 0.5 }
[fixed]
rule = "minover"
[[figure]]
name = "heights"
x = "alpha"
lines = ["N"]
measures = ["height"]
theory = ["line"]
[[claim]]
text = "It grows."
measure = "height"
where = { N_min = 10, alpha = 0.5 }
expect = { rises_with = "alpha" }
"""


def problems(data):
    """All sentences of the refusal: each test compares them, so nothing is matched here."""
    with pytest.raises(DeclarationError) as caught:
        parse(data)
    return caught.value.problems


def test_a_file_becomes_points_in_order_with_the_defaults_filled_in(tmp_path):
    (tmp_path / "mine.toml").write_text(TOML)
    declaration = load(tmp_path / "mine.toml")
    points = declaration.points()
    assert [(p["N"], p["alpha"]) for p in points] == [(N, a) for N in (5, 20) for a in (0.5, 1.0, 1.5)]
    assert len(declaration) == len(points) == 6
    assert points[0] == {"N": 5, "alpha": 0.5, "rule": "minover", "cost": 2e8, "busy": 0.0}
    assert declaration.figure[0].theory == ["line"]
    assert declaration.claim[0].expect.rises_with == "alpha"


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
        "grid.cost: One value is no axis: write a list, [3]",
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


def test_new_parts_are_declared_and_stay_what_they_are(tmp_path):
    from markone.lab.report.toml_text import toml_text

    data = PLAIN | {
        "figure": [
            FIGURE | {"marks": ["start"], "where": {"N": [5, 20]}},
            {"name": "p", "kind": "picture", "picture": "bars"},
        ],
        "table": [TABLE | {"across": ["N"], "published": {"N = 5": [1.0, float("nan"), 2.0]}, "source": "s"}],
        "claim": [claimed(below_line={"N": 20}, above=0.0)],
    }
    declaration = parse(data)
    assert declaration.tables[0].show == "mean_error"
    again = parse(tomllib.loads(toml_text(declaration)))
    assert repr(again) == repr(declaration)
    with Store(tmp_path / "s.sqlite") as store:
        store.declare(declaration, 1)
        assert repr(parse(store.declarations()[-1])) == repr(declaration)


def test_a_name_that_means_another_is_replaced_everywhere():
    parts = {
        "grid": {"rule": ["best", "hebb"], "N": [5], "alpha": [1.0]},
        "figure": [FIGURE | {"where": {"rule": "best"}}],
        "table": [TABLE | {"where": {"rule": ["best", "hebb"]}}],
        "claim": [
            {
                "text": "t",
                "measure": "height",
                "where": {"rule": "hebb"},
                "expect": {"below_line": {"rule": "best"}},
            }
        ],
    }
    declaration = parse(PLAIN | parts)
    assert declaration.grid["rule"] == ["minover", "hebb"]
    assert [point["rule"] for point in declaration.points()] == ["minover", "hebb"]
    assert declaration.figures[0].where == {"rule": "minover"}
    assert declaration.tables[0].where == {"rule": ["minover", "hebb"]}
    assert declaration.claims[0].expect.below_line == {"rule": "minover"}
    parts["grid"] = {"rule": ["best", "minover"], "N": [5], "alpha": [1.0]}
    assert problems(PLAIN | parts) == [
        "grid.rule: 'best' and 'minover' both mean 'minover' here: name it once."
    ]


def test_files_that_are_not_there_or_not_toml(tmp_path, monkeypatch):
    monkeypatch.setattr(declare, "folder", lambda: tmp_path)
    (tmp_path / "capacity.toml").write_text(TOML)
    (tmp_path / "broken.toml").write_text("name = \nseed = 1")
    assert declare.shipped() == ["broken", "capacity"]
    assert load("capacity").name == "study"
    with pytest.raises(DeclarationError, match=r"no file or experiment 'capcity'. Did you mean 'capacity'"):
        load("capcity")
    with pytest.raises(DeclarationError, match=r"not TOML: .*line 1"):
        load(tmp_path / "broken.toml")


numbers = st.integers(-1000, 1000) | st.floats(-100, 100).map(lambda x: round(x, 3))


@given(numbers, st.integers(0, 40), st.integers(1, 50) | st.floats(0.01, 5).map(lambda x: round(x, 2)))
def test_a_range_includes_its_stop(start, n, step):
    values = values_of({"start": start, "stop": round(start + n * step, 10), "step": step})
    assert len(values) == n + 1
    np.testing.assert_allclose(values, [start + k * step for k in range(n + 1)], atol=1e-9)
    whole = isinstance(start, int) and isinstance(step, int)
    assert all(isinstance(v, int) == whole for v in values) or n * step != int(n * step)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*declare.Declaration.model_fields, "gird"]), junk, max_size=6))
def test_junk_gives_sentences_and_nothing_else(changes):
    with pytest.raises(DeclarationError, match=r"has (one|\d+) error"):
        parse({**PLAIN, "repeats": 0, **changes, "seed": "x"})


@given(
    st.integers(1, 60),
    st.lists(st.integers(1, 50), min_size=1, max_size=3, unique=True),
    st.lists(st.floats(0.01, 9), min_size=1, max_size=4, unique=True),
    st.floats(1e6, 3e9),
)
def test_tasks_cover_every_repeat_once_in_any_declaration(repeats, sizes, alphas, cost):
    declaration = study(repeats=repeats, grid={"N": sizes, "alpha": alphas}, fixed={"cost": cost})
    todo = tasks(declaration, {})
    assert len({task.id for task in todo}) == len(todo)
    for point in {task.point for task in todo}:
        covered = [k for task in todo if task.point == point for k in range(task.start, task.stop)]
        assert covered == list(range(repeats))
    assert len({task.point for task in todo}) == len(declaration)
    assert max(task.stop - task.start for task in todo) * cost <= max(TARGET, cost)
    assert tasks(declaration, dict.fromkeys(task.id for task in todo)) == []


@given(st.integers(1, 7), st.sampled_from([PLAIN, PRECISE]))
def test_shards_divide_the_tasks(n, data):
    declaration = parse(data | {"repeats": 40, "fixed": {"cost": 2e8}})
    shards = [tasks(declaration, {}, shard=(i, n)) for i in range(n)]
    assert sorted(t.id for shard in shards for t in shard) == sorted(t.id for t in tasks(declaration, {}))
    if "precision" in data:
        assert sum(len({task.point for task in shard}) for shard in shards) == len(declaration)


def test_a_shard_that_does_not_exist():
    with pytest.raises(ValueError, match="Shard 3 of 3 does not exist"):
        tasks(study(), {}, shard=(3, 3))


def test_one_and_one_point_zero_are_one_point():
    first = tasks(study(grid={"N": [5], "alpha": [1]}), {})
    second = tasks(study(grid={"N": [5.0], "alpha": [1.0]}, fixed={"rule": "hebb"}), {})
    assert [t.id for t in first] == [t.id for t in second]


def test_blocks_are_whole_lanes_and_never_empty():
    scenario = study().scenario_object
    size = {c: block_size(scenario, {"N": 5, "alpha": 1.0, "cost": c}) for c in (1e7, 1.1e8, 5e9)}
    assert size == {1e7: 96, 1.1e8: 9, 5e9: 1}
    assert describe(tasks(study(), {})[0]).startswith("toy N=5 alpha=0.5 rule=hebb")


def test_rounds_go_on_until_the_point_is_precise():
    declaration = parse(PRECISE | {"grid": {"N": [5], "alpha": [1.0]}})
    rng = np.random.default_rng(0)
    noisy = {}
    while todo := tasks(declaration, noisy):
        assert {task.start // 12 for task in todo} == {todo[0].start // 12}
        noisy |= {task.id: rng.normal(size=task.stop - task.start) for task in todo}
    n = sum(map(len, noisy.values()))
    values = np.concatenate(list(noisy.values()))
    assert n == 120 or standard_error(values) <= 0.13 < standard_error(values[:-12])
    assert 24 < n <= 120
    wild = {}
    while todo := tasks(declaration, wild):
        wild |= {task.id: 100 * rng.normal(size=task.stop - task.start) for task in todo}
    assert sum(map(len, wild.values())) == 120


def test_standard_errors():
    x = np.random.default_rng(1).normal(size=50)
    assert standard_error(x) == pytest.approx(x.std(ddof=1) / np.sqrt(50))
    assert standard_error(np.append(x, np.nan)) == standard_error(x)
    assert standard_error(np.array([1.0])) == standard_error(np.full(5, np.nan)) == np.inf
    # Fifty times "yes" is not a certainty.
    assert standard_error(np.ones(50)) == pytest.approx(np.sqrt(52 / 54 * 2 / 54 / 54))


@given(st.dictionaries(st.sampled_from(["seed", "repeats"]), st.integers(1, 1000)))
def test_the_id_depends_on_what_the_result_depends_on(changes):
    assume(changes)
    before, after = tasks(study(), {}), tasks(study(**changes), {})
    same = changes.get("seed", 7) == 7
    assert (before[0].point == after[0].point) == same
