"""A declaration: its points, its parts, and which points `where` chooses."""

import tomllib

import pytest
from toy_declarations import PLAIN, study

from markone.lab.load import load_declaration, parse_declaration
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.schema import matches_where
from markone.lab.store.results import Store

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


def test_a_file_becomes_points_in_order_with_the_defaults_filled_in(tmp_path):
    (tmp_path / "mine.toml").write_text(TOML)
    declaration = load_declaration(tmp_path / "mine.toml")
    points = declaration.points()
    assert [(p["N"], p["alpha"]) for p in points] == [(N, a) for N in (5, 20) for a in (0.5, 1.0, 1.5)]
    assert len(declaration) == len(points) == 6
    assert points[0] == {"N": 5, "alpha": 0.5, "rule": "minover", "cost": 2e8, "busy": 0.0}
    assert declaration.figure[0].theory == ["line"]
    assert declaration.claim[0].expect.rises_with == "alpha"


FIGURE = {"name": "f", "x": "alpha", "measures": ["height"]}
TABLE = {"name": "t", "rows": ["alpha"], "columns": ["height"]}


def claimed(**expect):
    return {"text": "t", "measure": "height", "where": {"N": 5}, "expect": expect}


def test_new_parts_are_declared_and_stay_what_they_are(tmp_path):
    from markone.lab.load import toml_text

    data = PLAIN | {
        "figure": [
            FIGURE | {"marks": ["start"], "where": {"N": [5, 20]}},
            {"name": "p", "kind": "picture", "picture": "bars"},
        ],
        "table": [TABLE | {"across": ["N"], "published": {"N = 5": [1.0, float("nan"), 2.0]}, "source": "s"}],
        "claim": [claimed(below_line={"N": 20}, above=0.0)],
    }
    declaration = parse_declaration(data)
    assert declaration.tables[0].show == "mean_error"
    again = parse_declaration(tomllib.loads(toml_text(declaration)))
    assert repr(again) == repr(declaration)
    with Store(tmp_path / "s.sqlite") as store:
        store.declare(declaration, 1)
        assert repr(parse_declaration(store.declarations()[-1])) == repr(declaration)


def test_one_and_one_point_zero_are_one_point():
    first = list_remaining_tasks(study(grid={"N": [5], "alpha": [1]}), {})
    second = list_remaining_tasks(study(grid={"N": [5.0], "alpha": [1.0]}, fixed={"rule": "hebb"}), {})
    assert [t.id for t in first] == [t.id for t in second]


def test_where():
    parameters = {"N": 20, "alpha": 1.0, "n_max": 250, "student": "hebb"}
    assert matches_where(parameters, {})
    assert matches_where(parameters, {"alpha_max": 1.0, "alpha_min": 1.0, "student": "hebb"})
    assert matches_where(parameters, {"n_max": 250, "n_max_min": 250, "N": [10, 20]})
    assert not matches_where(parameters, {"n_max": 100})
    assert not matches_where(parameters, {"alpha_min": 1.5})
    with pytest.raises(ValueError, match="`where` names 'beta_max', but the points have N, alpha"):
        matches_where(parameters, {"beta_max": 1})
