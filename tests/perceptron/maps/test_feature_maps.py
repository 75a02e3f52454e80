"""Explicit maps: the association layer of the Mark I, and the map of the polynomial kernel."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import polynomial_kernel
from sklearn.pipeline import make_pipeline

from markone import AdaTron, AssociationLayer, KernelAdaTron, PolynomialMap, Rosenblatt
from markone.data import load, two_classes


def test_units_equal_the_book():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (30, 400)).astype(float)
    layer = AssociationLayer(random_state=1).fit(X)
    assert layer.wires_.shape == (512, 400)
    assert (np.sum(layer.wires_ == 1, axis=1) == 20).all()
    assert (np.sum(layer.wires_ == -1, axis=1) == 20).all()
    found = layer.transform(X)
    for unit in (0, 7, 511):
        for mu in (0, 13):
            total = sum(X[mu, j] * int(layer.wires_[unit, j]) for j in range(400))
            assert found[mu, unit] == (1 if total >= layer.thresholds_[unit] else -1)
    # Half of the examples activate a unit; sums of pixels are often equal, so that it may be more.
    assert (found.mean(axis=0) >= 0).all()
    again = AssociationLayer(random_state=1).fit(X)
    np.testing.assert_array_equal(layer.wires_, again.wires_)


def test_with_few_inputs_each_unit_uses_all():
    layer = AssociationLayer(n_units=9, random_state=0).fit(np.eye(5))
    assert (np.abs(layer.wires_).sum(axis=1) == 5).all()
    assert AssociationLayer(n_excitatory=3, n_inhibitory=0, threshold=2.0).fit(np.eye(5)).thresholds_[0] == 2
    with pytest.raises(ValueError, match="units need at least one input"):
        AssociationLayer(n_excitatory=0, n_inhibitory=0).fit(np.eye(5))


def test_mark_one_separates_what_the_plain_perceptron_does_not():
    digits = load("digits")
    y = np.where(digits.y == 8, 1, -1)
    with pytest.warns(match="stopped after"):
        plain = Rosenblatt(max_iter=200).fit(digits.X, y)
    mark_one = make_pipeline(AssociationLayer(random_state=0), Rosenblatt(max_iter=200)).fit(digits.X, y)
    assert not plain.converged_
    assert mark_one[-1].converged_


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("coef0", [0.0, 1.0, 2.5])
def test_scalar_products_are_the_kernel(degree, coef0):
    X = np.random.default_rng(0).standard_normal((12, 4))
    Psi = PolynomialMap(degree=degree, coef0=coef0, gamma=0.7).fit_transform(X)
    wanted = polynomial_kernel(X, degree=degree, coef0=coef0, gamma=0.7)
    np.testing.assert_allclose(Psi @ Psi.T, wanted, rtol=1e-12, atol=1e-12)


def test_the_quadratic_map_by_hand():
    """(4.30): 1, sqrt(2) x_j, x_j^2, sqrt(2) x_i x_j."""
    layer = PolynomialMap().fit(np.zeros((1, 2)))
    assert list(layer.get_feature_names_out()) == ["1", "x0", "x1", "x0^2", "x0 x1", "x1^2"]
    r = np.sqrt(2)
    np.testing.assert_allclose(layer.transform([[3.0, 5.0]]), [[1, 3 * r, 5 * r, 9, 15 * r, 25]])


def test_the_explicit_student_is_the_kernel_student():
    X, S, _ = two_classes("rings", 60)
    kernel = KernelAdaTron(kernel="poly", degree=2, gamma=1.0, coef0=1.0, fit_intercept=False).fit(X, S)
    explicit = make_pipeline(PolynomialMap(), AdaTron(fit_intercept=False)).fit(X, S)
    grid = np.random.default_rng(1).uniform(-2, 2, (50, 2))
    ours, theirs = kernel.decision_function(grid), explicit.decision_function(grid)
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-8)
    assert kernel.stability_ == pytest.approx(explicit[-1].stability_, rel=1e-8)


def test_too_many_monomials_are_refused():
    with pytest.raises(ValueError, match="use KernelAdaTron"):
        PolynomialMap(degree=5).fit(np.zeros((2, 100)))
