"""`fit` of a table in memory: the same result as of its file."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import markone
from markone.tables import ColumnOptions, FitRequest, fit


@pytest.fixture(scope="module")
def frame():
    table = load_iris(as_frame=True).frame
    table["target"] = table["target"].map(dict(enumerate(["setosa", "versicolor", "virginica"])))
    return table


def test_a_frame_gives_the_result_of_its_file(frame, tmp_path):
    frame.to_csv(tmp_path / "t.csv", index=False)
    own = markone.fit(frame, target="target", model="hebb", cv="1x3", scale="none")
    file = fit(FitRequest(str(tmp_path / "t.csv"), "hebb", ColumnOptions("target"), cv="1x3", scale="none"))
    assert own.validation.estimates == file.validation.estimates
    assert repr(own).startswith("FitResult(model='hebb', target='target', rows=150, accuracy=0.")
    assert own.request.data == "<DataFrame>"
    assert own._repr_html_().startswith('<iframe srcdoc="')


def test_an_array_and_its_labels(frame):
    X, y = frame.drop(columns="target").to_numpy(), frame["target"].to_numpy()
    found = fit(X, target=y, model="hebb", cv="1x3")
    assert found.plan.feature_names == ["x0", "x1", "x2", "x3"]
    numbers = fit(X[:, :3], target=X[:, 3], model="ridge", cv="1x3")
    assert repr(numbers).startswith("RegressionResult(model='ridge', target='target', rows=150, rmse=0.")
    with pytest.raises(ValueError, match="target has 3 values, and the table 150 rows"):
        fit(X, target=np.arange(3))


def test_unknown_options_are_named(frame):
    with pytest.raises(TypeError, match="fit has no option 'folds'"):
        fit(frame, target="target", folds=3)


def test_a_sample_of_rows(frame):
    assert len(fit(frame, target="target", model="hebb", cv="1x3", rows=60).rows) == 60


def test_a_result_predicts_new_tables(frame):
    found = fit(frame, target="target", model="gmlvq", cv="1x3")
    rows = found.predict(frame.iloc[[0, 60, 120]], proba=True, explain=True)
    assert rows.labels.tolist() == found.pipeline.predict(frame.iloc[[0, 60, 120], :4].to_numpy()).tolist()
    assert np.sum(list(rows.numbers.values()), axis=0) == pytest.approx([1, 1, 1])
    assert {"because", "prototype", "nearest other", "change"} <= set(rows.header)


def test_a_row_of_the_table_or_its_values_is_explained(frame):
    found = fit(frame, target="target", model="gmlvq", cv="1x3")
    one = found.explain(71)
    assert {"because", "prototype", "change"} <= set(one)
    assert one["row"] == "71"
    kept = found.explain(dict(frame.iloc[70].drop("target")), keep=["petal length (cm)"])
    assert kept["because"] == one["because"]
    assert "petal length" in one["change"]
    assert "petal length" not in kept["change"]
    with pytest.raises(ValueError, match=r"There is no row 151: .* are 1 to 150"):
        found.explain(151)


def test_a_notebook_shows_a_bar(frame, monkeypatch, capsys):
    monkeypatch.setattr("markone.tables.dispatch.is_in_notebook", lambda: True)
    fit(frame, target="target", model="hebb", cv="1x3")
    assert "3/3" in capsys.readouterr().out
