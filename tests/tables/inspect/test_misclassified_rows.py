"""The smallest change of one column that changes the prediction."""

import numpy as np
import pytest

from markone.tables import dispatch
from markone.tables.answers.drift import TrainingRange
from markone.tables.inspect.row_changes import (
    column_effects,
    format_input_value,
    plausible_columns,
    smallest_change,
)
from markone.tables.plan.column_plan import NUMBER, TEXT, YES_NO, ColumnPlan, PlannedColumn
from markone.tables.request import ColumnOptions, FitRequest

PLAN = ColumnPlan(
    "k",
    [
        PlannedColumn("age", NUMBER),
        PlannedColumn("smokes", YES_NO),
        PlannedColumn("ward", TEXT, ["east", "north", "south"]),
        PlannedColumn("sex", TEXT, ["f", "m"]),
    ],
)


class Rule:
    """Old smokers and all of the south are ill."""

    def predict(self, X):
        return np.where((X[:, 0] > 60) & (X[:, 1] == 1) | (X[:, 4] == 1), "ill", "well")


def surely(X):
    """Certainty of the label: the farther from the rule, the larger."""
    return (np.abs(X[:, 0] - 60) + 10 * (X[:, 1] == 0) * (Rule().predict(X) == "well")) / 100


def tried():
    seen = TrainingRange(
        100,
        {"age": np.linspace(18.0, 92.0, 101).tolist()},
        {
            "smokes": {"no": 50, "yes": 50},
            "ward": {"east": 30, "north": 40, "south": 30},
            "sex": {"f": 9, "m": 1},
        },
    )
    return plausible_columns(PLAN, seen)


def change(row, columns, kept=()):
    return smallest_change(Rule().predict, surely, PLAN, np.array(row, dtype=float), columns, kept)


def test_plausible_values_are_those_of_training_without_the_outermost():
    age, smokes, ward, sex = tried()
    assert (age.values.min(), age.values.max()) == pytest.approx((18.74, 91.26))
    assert age.deviation == pytest.approx(0.34 * 74)
    assert smokes.values.tolist() == [[0], [1]]
    assert ward.values.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
    assert ward.weights.tolist() == [0.4, 0.3, 0.3]
    assert (sex.values.tolist(), sex.weights.tolist()) == ([[0], [1]], [0.9, 0.1])


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([58.0, 1, 1, 0, 0, 0], ("well", "age", "58", "60.18", "ill")),
        ([88.0, 0, 1, 0, 0, 0], ("well", "smokes", "no", "yes", "ill")),
        ([30.0, 0, 0, 0, 1, 0], ("ill", "ward", "south", "north", "well")),
        ([np.nan, 1, 1, 0, 0, 0], ("well", "age", "missing", "60.18", "ill")),
    ],
)
def test_the_smallest_change_is_found(row, expected):
    found = change(row, tried())
    assert (found.now, *found.changes[0], found.then) == expected


def change_by_trying_all(x, columns, kept):
    """Every value of every column; the nearest that changes the label."""
    best = np.inf
    for column in columns:
        for value in column.values:
            row = x.copy()
            row[column.inputs] = value
            if column.name not in kept and Rule().predict(row[None])[0] != Rule().predict(x[None])[0]:
                far = 2.0 if not column.deviation else abs(value[0] - x[column.inputs[0]]) / column.deviation
                best = min(best, far)
    return best


def test_it_is_that_of_trying_all_values():
    rng = np.random.default_rng(0)
    for _ in range(50):
        ward = np.eye(3)[rng.integers(3)]
        x = np.array([rng.uniform(18, 92), rng.integers(2), *ward, rng.integers(2)], dtype=float)
        for kept in ((), ("ward",)):
            twin, found = change_by_trying_all(x, tried(), kept), change(x, tried(), kept)
            if np.isfinite(twin):
                ((name, old, new),) = found.changes
                far = abs(float(new) - x[0]) / (0.34 * 74) if name == "age" else 2.0
                assert far == pytest.approx(twin, abs=0.03), (old, new)


def test_several_columns_are_changed_where_one_is_not_enough():
    found = change([30.0, 0, 1, 0, 0, 0], tried(), kept=["ward"])
    assert {name for name, _, _ in found.changes} == {"age", "smokes"}
    assert found.then == "ill"
    assert str(found).endswith(": ill")
    assert change([30.0, 0, 1, 0, 0, 0], tried(), kept=["ward", "age"]).changes == []


def test_what_a_column_adds_is_the_share_less_its_mean():
    x = np.array([80.0, 1, 1, 0, 0, 0])

    def share(X):
        return (Rule().predict(X) == "ill").astype(float)

    age, smokes, ward, sex = column_effects(share, x, tried())
    assert age == pytest.approx(1 - np.mean(tried()[0].values > 60))
    assert (smokes, ward, sex) == pytest.approx((0.5, 0.0, 0.0))


def test_values_are_shown_as_the_table_writes_them():
    assert format_input_value(PLAN, "sex", np.array([1.0])) == "m"
    assert format_input_value(PLAN, "ward", np.array([0.0, 1.0, 0.0])) == "north"


def test_a_row_with_a_wrong_label_is_among_those_to_look_at(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["x,y,k"]
    for k in range(60):
        ill = k % 2 == 0
        label = "ill" if ill != (k == 7) else "well"
        lines.append(f"{rng.normal() + 4 * ill:.4f},{rng.normal():.4f},{label}")
    (tmp_path / "t.csv").write_text("\n".join(lines))
    asked = FitRequest(str(tmp_path / "t.csv"), "knn", ColumnOptions("k"), cv="2x3")
    found = {case.row: case for case in dispatch.fit(asked).cases}
    assert found[8].true == "ill"
    assert found[8].called == "well"
    assert found[8].change.changes[0][0] == "x"
