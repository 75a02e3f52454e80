"""Repeated identifiers and near copies are found and used in the validation, and only where they are."""

import numpy as np
import pytest
from misleading_tables import column, labels, noise

from markone.data.reading.cell_table import CellTable
from markone.tables import ColumnOptions, FitRequest, fit, headline
from markone.tables.findings.row_units import find_near_copies, find_unit_column


def patients(P=40, visits=6, seed=0):
    """Each patient has a class, a sex and an age; the measured x and z identify the patient."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(P), visits)
    return {
        "id": 1000 + who,
        "age": rng.integers(30, 80, P)[who],
        "sex": np.array(["f", "m"])[rng.integers(0, 2, P)][who].tolist(),
        "x": (3 * rng.normal(size=P))[who] + 0.3 * rng.normal(size=P * visits),
        "z": (3 * rng.normal(size=P))[who] + 0.3 * rng.normal(size=P * visits),
        "y": np.array(labels(P, seed))[who].tolist(),
    }


def table(columns):
    return CellTable("made", {name: column(values) for name, values in columns.items()})


def test_a_repeated_identifier_is_found_with_and_without_its_name():
    found = patients()
    assert find_unit_column(table(found), "y", True, set()) == "id"
    other = {"unit code": found["id"], **{name: v for name, v in found.items() if name != "id"}}
    assert find_unit_column(table(other), "y", True, set()) == "unit code"
    assert find_unit_column(table(found), "y", True, {"id", "age"}) is None


def test_a_number_that_predicts_the_class_is_no_identifier():
    """The class depends on the age: neighbouring ages agree as well, and nothing else is constant."""
    rng = np.random.default_rng(0)
    age = rng.integers(20, 80, 400)
    y = np.where(age > 50, "old", "young").tolist()
    made = {"age": age, "x": rng.normal(size=400), "grade": rng.integers(0, 3, 400), "y": y}
    assert find_unit_column(table(made), "y", True, set()) is None
    assert find_unit_column(table({"id": age, "x": made["x"], "y": labels(400)}), "y", True, set()) is None


def test_near_copies_are_clusters_and_independent_rows_are_none():
    rows = np.repeat(noise(60, 5), 6, axis=0)
    clusters = find_near_copies(rows + 1e-3 * noise(360, 5, seed=1))
    np.testing.assert_array_equal(np.unique(clusters, return_counts=True)[1], 6)
    for seed in range(20):
        X = noise(300, 4, seed)
        assert find_near_copies(X) is None
        # Correlated inputs, which have fewer effective dimensions.
        assert find_near_copies(X[:, :1] @ np.ones((1, 4)) + 0.1 * X) is None


def write_csv(path, columns):
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join(",".join(map(str, row)) for row in [list(columns), *rows]))
    return str(path)


def test_units_are_kept_together_unaided_and_the_other_score_is_beside(tmp_path):
    path = write_csv(tmp_path / "visits.csv", patients())
    found = fit(FitRequest(path, "knn", ColumnOptions("y"), cv="1x5"))
    assert found.request.options.group == "id"
    assert "id" not in found.plan.feature_names
    assert found.apart.score > 0.95 > 0.75 > found.validation.estimates["accuracy"].mean
    assert (
        "Rows of one 'id' were kept in one fold; in different folds the model would seem 100.0 %"
        in headline(found)
    )
    assert found.findings[0].kind == "rows of one unit"
    kept = fit(FitRequest(path, "knn", ColumnOptions("y", keep=["id", "age"]), cv="1x5"))
    assert kept.apart is None
    assert kept.validation.estimates["accuracy"].mean > 0.95


def test_near_copies_are_kept_together_unaided(tmp_path):
    X = np.repeat(noise(60, 5), 6, axis=0) + 1e-3 * noise(360, 5, seed=1)
    made = {f"x{k}": X[:, k] for k in range(5)} | {"y": np.repeat(labels(60), 6).tolist()}
    found = fit(FitRequest(write_csv(tmp_path / "t.csv", made), "knn", ColumnOptions("y"), cv="1x5"))
    assert found.apart.score > 0.9
    assert found.validation.estimates["accuracy"].mean < 0.7
    assert "Near copies were kept in one fold; in different folds the model would seem 9" in headline(found)


@pytest.mark.parametrize("options", [{"strict": True}, {"drop": ["id"]}, {"group": "sex"}])
def test_the_user_decides_otherwise(tmp_path, options):
    path = write_csv(tmp_path / "visits.csv", patients(P=12))
    found = fit(
        FitRequest(
            path, "hebb", ColumnOptions("y", drop=["age", *options.pop("drop", [])], **options), cv="2"
        )
    )
    assert found.apart is None


def test_units_of_a_regression(tmp_path):
    made = patients()
    rng = np.random.default_rng(1)
    made["y"] = np.round(10 * rng.normal(size=40)[made["id"] - 1000] + rng.normal(size=240), 3)
    found = fit(FitRequest(write_csv(tmp_path / "t.csv", made), "knn", ColumnOptions("y"), cv="1x5"))
    assert found.request.options.group == "id"
    assert found.apart.score < 0.6 * found.validation.estimates["rmse"].mean
