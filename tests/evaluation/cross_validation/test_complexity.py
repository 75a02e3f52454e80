"""Error against complexity: U-curves of students, as scikit-learn measures them."""

import numpy as np
import pytest
from sklearn.model_selection import validation_curve
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.data import gaussian_mixture
from markone.evaluation import complexity_curve
from markone.lvq import GLVQ
from markone.perceptron import AdaTron


def two(P=120, seed=0):
    drawn = gaussian_mixture(P, [[-1.0] * 10, [1.0] * 10], 12.0, seed=seed)
    return drawn.X, drawn.y


def test_errors_of_a_student_are_those_of_scikit_learns_validation_curve():
    X, y = two()
    values = [0.001, 0.1, 10.0]
    curve = complexity_curve(AdaTron(), X, y, "C", values, cv=4)
    train, test = validation_curve(AdaTron(), X, y, param_name="C", param_range=values, cv=4)
    np.testing.assert_allclose(curve.train, 1 - train)
    np.testing.assert_allclose(curve.test, 1 - test)
    assert curve.best == values[int((1 - test).mean(axis=1).argmin())]
    assert values.index(curve.within_one_error) <= values.index(curve.best)


def test_warm_starts_along_gamma_change_nothing():
    X, y = two(seed=1)
    values = np.geomspace(1e-4, 1, 7).tolist()
    for student, name in ((AdaTron(), "C"), (make_pipeline(StandardScaler(), AdaTron()), "adatron__C")):
        cold = complexity_curve(student, X, y, name, values, cv=3)
        warm = complexity_curve(student, X, y, name, values, cv=3, warm=True)
        np.testing.assert_array_equal(cold.test, warm.test)
        np.testing.assert_array_equal(cold.train, warm.train)
    assert not student.get_params()["adatron__warm_start"]


def test_the_number_of_prototypes_is_a_complexity_like_any_other():
    """Class 1 lies on both sides of class 0: one prototype a class cannot do it, two can (5.2)."""
    drawn = gaussian_mixture(150, [[-4.0, 0.0], [0.0, 0.0], [4.0, 0.0]], 1.0, seed=3)
    y = (drawn.y != 1).astype(int)
    values = [1, 2, 5]
    curve = complexity_curve(GLVQ(random_state=0), drawn.X, y, "prototypes_per_class", values, cv=5)
    train, test = validation_curve(
        GLVQ(random_state=0), drawn.X, y, param_name="prototypes_per_class", param_range=values, cv=5
    )
    np.testing.assert_allclose(curve.train, 1 - train)
    np.testing.assert_allclose(curve.test, 1 - test)
    assert curve.test[0].mean() > 0.2
    assert curve.test[1].mean() < 0.1
    assert curve.within_one_error == 2


def test_regressors_have_squared_errors():
    x = np.linspace(0, 1, 40)[:, None]
    y = np.sin(6 * x[:, 0])
    curve = complexity_curve(KNeighborsRegressor(), x, y, "n_neighbors", [1, 3], cv=4)
    assert (curve.train[0] == 0).all()
    model = KNeighborsRegressor(3).fit(x[10:], y[10:])
    assert curve.test[1, 0] == pytest.approx(np.mean((model.predict(x[:10]) - y[:10]) ** 2))
    with pytest.raises(ValueError, match="no values of 'C'"):
        complexity_curve(AdaTron(), x, y > 0, "C", [])
