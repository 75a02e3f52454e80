"""Coupling matrices: properties of the stored patterns for each rule."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from markone.hopfield import couplings
from markone.hopfield.theory import couplings as theory


def patterns(P, N, seed=0):
    return np.random.default_rng(seed).choice([-1.0, 1.0], (P, N))


def stabilities(w, xi):
    return xi * (xi @ w.T) / np.linalg.norm(w, axis=1)


def test_hebb_is_the_sum_of_outer_products():
    xi = patterns(4, 9)
    w = np.zeros((9, 9))
    for row in xi:
        w += np.outer(row, row) / 9
    np.fill_diagonal(w, 0)
    assert couplings.hebb(xi) == pytest.approx(w)


def test_the_projection_leaves_every_pattern_as_it_is():
    xi = patterns(12, 40)
    w = couplings.pseudo_inverse(xi)
    C = xi @ xi.T / 40
    book = xi.T @ np.linalg.inv(C) @ xi / 40
    assert w + np.diag(np.diag(book)) == pytest.approx(book)
    assert xi @ (w + np.diag(np.diag(book))) == pytest.approx(xi)
    assert (np.diag(w) == 0).all()


def test_dependent_patterns_change_nothing():
    xi = patterns(6, 30)
    again = np.vstack([xi, -xi[2], xi[0]])
    assert couplings.pseudo_inverse(again) == pytest.approx(couplings.pseudo_inverse(xi))


def test_as_many_patterns_as_neurons_are_refused():
    with pytest.raises(ValueError, match="span all 8 dimensions"):
        couplings.pseudo_inverse(patterns(30, 8))


def test_random_patterns_have_the_stability_of_theory():
    xi = patterns(100, 400)
    found = stabilities(couplings.pseudo_inverse(xi), xi)
    assert found.mean() == pytest.approx(theory.pseudo_inverse_stability(0.25), rel=0.01)


def test_optimal_stability_beats_every_other_rule_neuron_by_neuron():
    xi = patterns(30, 60)
    best = stabilities(couplings.optimal_stability(xi), xi).min(axis=0)
    for other in (couplings.pseudo_inverse(xi), couplings.hebb(xi)):
        assert (best >= stabilities(other, xi).min(axis=0) - 1e-6).all()
    # 60 neurons with one set of patterns: about 1/N from the theory for N -> infinity.
    assert best.mean() == pytest.approx(theory.optimal_stability(0.5), abs=0.1)
    assert np.linalg.norm(couplings.optimal_stability(xi), axis=1) == pytest.approx(1)


def test_too_many_patterns_for_some_neuron_are_told():
    with pytest.warns(ConvergenceWarning, match="of 6 neurons cannot store all 40 patterns"):
        couplings.optimal_stability(patterns(40, 6))


def test_the_two_magnets():
    w = couplings.ferromagnet(5, J=5)
    assert w == pytest.approx(1 - np.eye(5))
    glass = couplings.spin_glass(300, J=2.0, random_state=0)
    assert np.array_equal(glass, glass.T)
    assert (np.diag(glass) == 0).all()
    assert glass[np.triu_indices(300, 1)].std() == pytest.approx(2 / np.sqrt(300), rel=0.02)
    with pytest.raises(ValueError, match="N must be a whole number"):
        couplings.ferromagnet(0)


@pytest.mark.parametrize(
    ("xi", "sentence"),
    [([[1, 0]], "but 0 was found"), ([1, -1], r"not an array of shape \(2,\)"), ([[]], r"\(1, 0\)")],
)
def test_bad_patterns_are_refused(xi, sentence):
    with pytest.raises(ValueError, match=sentence):
        couplings.hebb(xi)
