"""`markone predict`: predictions, remarks and messages."""

import json

import pytest
from tables_on_disk import FIT_IRIS, FIT_PATIENTS, rows_of, write

from markone.cli.main import run_command_line
from markone.tables import dispatch, source
from markone.tables.plan import column_plan
from markone.tables.request import ColumnOptions, FitRequest


def test_fit_save_predict_is_the_same_student(patients, here, capsys):
    assert run_command_line([*FIT_PATIENTS, "--save", "m.skops"]) == 0
    assert "Next: markone predict m.skops" in capsys.readouterr().out
    assert run_command_line(["predict", "m.skops", "patients.csv", "--out", "p.csv"]) == 0
    told = capsys.readouterr()
    assert "Wrote 80 predictions to p.csv." in told.out
    assert "The table has the true classes: accuracy 0." in told.err
    found = rows_of(here / "p.csv")
    assert list(found[0]) == ["row", "patient", "label", "score healthy", "remark"]
    request = FitRequest("patients.csv", "soft-margin", ColumnOptions("outcome", "median"), cv="2x5")
    fitted = dispatch.fit(request)
    X = column_plan.encode_inputs(source.read_data("patients.csv"), fitted.plan)
    assert [row["label"] for row in found] == fitted.pipeline.predict(X).tolist()
    assert [float(row["score healthy"]) for row in found] == (-fitted.pipeline.decision_function(X)).tolist()


@pytest.fixture(scope="module")
def fitted():
    """The file of the model, once it is fitted."""
    return []


@pytest.fixture
def model(patients, here, capsys, fitted):
    if not fitted:
        assert run_command_line([*FIT_PATIENTS, "--cv", "3", "--save", "m.skops"]) == 0
        capsys.readouterr()
        fitted.append((here / "m.skops").read_bytes())
    (here / "m.skops").write_bytes(fitted[0])


def changed(here, change, name="new.csv"):
    rows = rows_of(here / "patients.csv")
    for k, row in enumerate(rows):
        change(k, row)
    write(here / name, list(rows[0]), [list(row.values()) for row in rows])


def test_columns_in_another_order_one_more_and_no_target(model, here, capsys):
    run_command_line(["predict", "m.skops", "patients.csv", "--out", "one.csv"])
    rows = rows_of(here / "patients.csv")
    names = ["smokes", "age", "new", "ward"]
    write(here / "new.csv", names, [[row.get(name, "?") for name in names] for row in rows])
    capsys.readouterr()
    assert run_command_line(["predict", "m.skops", "new.csv", "--out", "two.csv"]) == 0
    told = capsys.readouterr()
    assert "Ignored, since the model was fitted without them: new." in told.err
    assert "true classes" not in told.err
    one, two = rows_of(here / "one.csv"), rows_of(here / "two.csv")
    assert [row["score healthy"] for row in one] == [row["score healthy"] for row in two]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda k, row: row.pop("age"), "new.csv has no column 'age'"),
        (lambda k, row: [row.pop("age"), row.pop("ward")], "lacks 2 columns that the model needs: age, ward"),
        (lambda k, row: row.update(Age=row.pop("age")), "Did you mean 'Age'?"),
        (lambda k, row: row.update(ward="east"), "No row of new.csv can be read. Column 'ward' has 'east'"),
    ],
)
def test_tables_that_the_model_cannot_read(model, here, capsys, change, sentence):
    changed(here, change)
    assert run_command_line(["predict", "m.skops", "new.csv"]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda k, row: row.update(ward="east") if k == 6 else None,
            "has 'east' in row 7, a category not seen in training",
        ),
        (lambda k, row: row.update(age="old") if k == 2 else None, "must hold numbers, but row 3 has 'old'"),
        (lambda k, row: row.update(smokes="2") if k == 1 else None, "must be yes or no, but row 2 has '2'"),
    ],
)
def test_rows_that_the_model_cannot_read_are_named_and_the_others_answered(
    model, here, capsys, change, sentence
):
    changed(here, change)
    assert run_command_line(["predict", "m.skops", "new.csv", "--out", "p.csv"]) == 0
    said = capsys.readouterr()
    assert "Not readable, without a label: 1 row." in said.err
    assert sentence in said.err
    assert "Wrote 79 predictions" in said.out
    silent = [row for row in rows_of(here / "p.csv") if not row["label"]]
    assert len(silent) == 1
    assert sentence in silent[0]["remark"]
    assert silent[0]["score healthy"] == ""


def test_missing_values_where_the_model_was_not_taught_to_fill(iris, here, capsys):
    text = (here / "iris.csv").read_text().replace("5.1,3.5,1.4", "5.1,,1.4", 1)
    (here / "new.csv").write_text(text)
    assert run_command_line([*FIT_IRIS, "--cv", "3", "--save", "filled.skops"]) == 0
    assert run_command_line(["predict", "filled.skops", "new.csv", "--out", "filled.csv"]) == 0
    assert all(row["label"] for row in rows_of(here / "filled.csv"))
    assert run_command_line([*FIT_IRIS, "--cv", "3", "--save", "m.skops", "--strict"]) == 0
    assert run_command_line(["predict", "m.skops", "new.csv", "--out", "p.csv"]) == 0
    assert "'sepal width' is missing in row 1, and the model was fitted" in capsys.readouterr().err
    assert [row["row"] for row in rows_of(here / "p.csv") if not row["label"]] == ["1"]


def test_unknown_classes_in_the_truth_are_not_scored(model, here, capsys):
    changed(here, lambda k, row: row.update(outcome="dead") if k == 0 else None)
    assert run_command_line(["predict", "m.skops", "new.csv", "--out", "p.csv"]) == 0
    assert "1 row of 'outcome' have a class unknown to the model (dead)" in capsys.readouterr().err


def test_every_student_has_probabilities(iris, capsys):
    for model in ("knn", "adatron", "minimal-errors"):
        options = ["--cv", "3", "--model", model, "--save", "m.skops", "--force"]
        assert run_command_line([*FIT_IRIS, *options]) == 0
        capsys.readouterr()
        assert run_command_line(["predict", "m.skops", "iris.csv", "--proba", "--json"]) == 0
        first = json.loads(capsys.readouterr().out)["rows"][0]
        shares = [first[f"probability {name}"] for name in ("setosa", "versicolor", "virginica")]
        assert sum(shares) == pytest.approx(1)  # numbers, not texts
        assert shares[0] > 0.8
        assert first["row"] == 1


def test_predicted_numbers_as_json(here, capsys):
    rows = [[k % 7, (k * k) % 11, 2.5 * (k % 7) + 0.01 * k] for k in range(40)]
    write(here / "t.csv", ["a", "b", "y"], rows)
    words = ["--task", "regression", "--cv", "1x3", "--save", "m.skops"]
    assert run_command_line(["fit", "t.csv", "--target", "y", *words]) == 0
    capsys.readouterr()
    assert run_command_line(["predict", "m.skops", "t.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found["rows"][0]["prediction"], float)
    assert found["rows"][0]["low 95 %"] < found["rows"][0]["prediction"] < found["rows"][0]["high 95 %"]
    assert found["scores"]["rmse"] < 1.0
