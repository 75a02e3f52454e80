"""Displays show the quantities of the classifier."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ, GMLVQ, MRSLVQ, displays
from markone.lvq.displays.plane import leading_plane

mpl.use("Agg")
X, y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)
NAMES = np.array(["setosa", "versicolor", "virginica"])


@pytest.fixture(autouse=True)
def close():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.fixture(scope="module")
def model():
    return GMLVQ().fit(X, NAMES[y])


def test_the_panels_of_figure_5_2(model):
    shown = displays.MetricDisplay.from_estimator(model)
    axes = shown.figure_.axes
    assert [bar.get_height() for bar in axes[1].patches] == pytest.approx(model.prototypes_[1])
    heights = [[bar.get_height() for bar in ax.patches] for ax in axes]
    assert any(np.allclose(h, np.diag(model.lambda_)) for h in heights if len(h) == 4)
    assert axes[0].get_title() == "prototype of setosa"


def test_the_projection_keeps_distances_where_lambda_has_two_dimensions():
    rng = np.random.default_rng(0)
    omega = rng.normal(size=(2, 5))
    plane, share = leading_plane(omega.T @ omega)
    assert share.sum() == pytest.approx(1)
    x = rng.normal(size=5)
    assert np.sum((plane @ x) ** 2) == pytest.approx(np.sum((omega @ x) ** 2))


def test_the_projection_shows_data_prototypes_and_regions(model):
    shown = displays.ProjectionDisplay.from_estimator(model, X, NAMES[y])
    assert len(shown.ax_.lines) == 3 + 3
    assert sum(len(line.get_xdata()) for line in shown.ax_.lines[:3]) == 150
    assert len(shown.ax_.collections) == 1
    assert shown.shares.sum() > 0.99


@pytest.mark.parametrize(
    "model", [GLVQ(), MRSLVQ(prototypes_per_class=2, random_state=0)], ids=["GLVQ", "MRSLVQ"]
)
def test_regions_are_the_answers_to_inputs_in_the_plane(model):
    model.fit(X, y)
    shown = displays.ProjectionDisplay.from_estimator(model, X, y)
    Lambda = getattr(model, "lambda_", np.eye(4))
    plane, _ = leading_plane(Lambda)
    points = np.random.default_rng(0).uniform(shown.points.min(0), shown.points.max(0), (200, 2))
    inputs = model.prototypes_.mean(axis=0) + points @ np.linalg.pinv(plane).T
    np.testing.assert_array_equal(model.classes_[shown.answers(points)], model.predict(inputs))


def test_cells_of_neighbours_and_prototypes():
    plane = X[:, 2:]
    few = GMLVQ().fit(plane, y)
    shown = displays.CellsDisplay.from_estimator(few, plane, y, resolution=50)
    assert shown.answers.shape == (50, 50)
    many = displays.CellsDisplay.from_estimator(
        KNeighborsClassifier(1).fit(plane, y), plane, y, resolution=50
    )
    assert many.prototypes is None
    with pytest.raises(ValueError, match="choose two features, or use ProjectionDisplay"):
        displays.CellsDisplay.from_estimator(few, X, y)


def test_training_reject_and_relevance(model):
    training = displays.TrainingDisplay.from_estimator(model)
    np.testing.assert_array_equal(training.errors_ax_.lines[0].get_ydata(), model.trace_["errors"])
    reject = displays.AccuracyRejectDisplay.from_estimator(model, X, NAMES[y])
    assert reject.curve.answered[-1] == 1
    relevance = displays.RelevanceDisplay.from_estimator(GMLVQ(), X, y, n=3, random_state=0)
    assert len(relevance.ax_.patches) == 4
    with pytest.raises(ValueError, match="kept no trace_"):
        displays.TrainingDisplay.from_estimator(KNeighborsClassifier(1).fit(X, y))
