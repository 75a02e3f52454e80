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
