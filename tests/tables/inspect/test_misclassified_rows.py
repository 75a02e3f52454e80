"""The smallest change of one column that changes the prediction."""

import numpy as np
import pytest

from markone.tables import dispatch
from markone.tables.inspect.misclassified_rows import CandidateColumn, format_input_value, smallest_change
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


def tried():
    one_hot = np.eye(3)
    return [
        CandidateColumn("age", [0], np.arange(20.0, 91)[:, None], np.array([20.0])),
        CandidateColumn("smokes", [1], np.array([[0.0], [1.0]]), np.array([0.5])),
        CandidateColumn("ward", [2, 3, 4], one_hot, np.full(3, 0.5)),
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([58.0, 1, 1, 0, 0, 0], ("well", "age", "58", "61", "ill")),
        ([80.0, 0, 1, 0, 0, 0], ("well", "smokes", "no", "yes", "ill")),
        ([30.0, 0, 0, 0, 1, 0], ("ill", "ward", "south", "east", "well")),
        ([np.nan, 1, 1, 0, 0, 0], ("well", "age", "missing", "61", "ill")),
    ],
)
def test_the_smallest_change_is_found(row, expected):
    assert smallest_change(Rule(), PLAN, np.array(row), tried()) == expected


def test_where_no_single_column_will_do_none_is_named():
    assert smallest_change(Rule(), PLAN, np.array([30.0, 0, 1, 0, 0, 0]), tried()[:2]) == ("well",)


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
    assert found[8].column == "x"
