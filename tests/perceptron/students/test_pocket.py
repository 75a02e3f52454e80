"""Pocket (4.2): the plain twin with the corrected start, and the ratchet."""

import numpy as np
import pytest
from examples import teacher

from markone.perceptron import Pocket, Rosenblatt
from markone.perceptron.measures import training_errors


def draws(seed):
    """SplitMix64 and Lemire's reduction in plain integers: the random numbers of the compiled loop."""
    mask, state = 2**64 - 1, seed

    def below(n):
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return (((z ^ (z >> 31)) >> 32) * n) >> 32

    return below


def book(xi, S, presentations, seed):
    P, N = xi.shape
    w, best_w, best, below = np.zeros(N), np.zeros(N), P, draws(seed)
    for _ in range(presentations):
        mu = below(P)
        if S[mu] * (xi[mu] @ w) <= 0:
            w = w + xi[mu] * S[mu] / N
            errors = training_errors(w, xi, S)
            if errors < best:
                best, best_w = errors, w
    return best_w, best


def test_equals_the_book():
    xi, S = teacher(40, 8, noise=0.2)
    student = Pocket(method="exact", max_iter=20, random_state=4, fit_intercept=False).fit(xi, S)
    seed = np.random.RandomState(4).randint(2**31 - 1)
    w, errors = book(xi, S, 20 * 40, seed)
    np.testing.assert_allclose(student.coef_[0], w, atol=1e-12)
    assert student.n_errors_ == errors == training_errors(w, xi, S)


@pytest.mark.parametrize("method", ["exact", "ratchet"])
def test_the_pocket_never_gets_worse(method):
    xi, S = teacher(100, 10, noise=0.15)
    student = Pocket(method=method, max_iter=60, trace=True, random_state=0, fit_intercept=False).fit(xi, S)
    assert (np.diff(student.trace_["errors"]) <= 0).all()
    assert student.trace_["errors"][-1] == student.n_errors_ == round((1 - student.score(xi, S)) * 100)
    assert 0 < student.n_errors_ < 20
    assert not student.converged_


@pytest.mark.parametrize("method", ["exact", "ratchet"])
def test_separable_data_end_without_errors(method):
    xi, S = teacher(50, 40)
    student = Pocket(method=method, random_state=0, fit_intercept=False).fit(xi, S)
    assert student.n_errors_ == 0
    assert student.converged_


def test_warm_start_keeps_the_pocket():
    xi, S = teacher(100, 10, noise=0.15)
    student = Pocket(max_iter=20, warm_start=True, random_state=0).fit(xi, S)
    first = student.n_errors_
    assert student.fit(xi, S).n_errors_ <= first


def test_fewer_errors_than_the_last_rosenblatt():
    xi, S = teacher(200, 10, noise=0.2, seed=3)
    with pytest.warns(match="stopped after"):
        last = Rosenblatt(max_iter=100, fit_intercept=False).fit(xi, S)
    pocket = Pocket(max_iter=100, fit_intercept=False, random_state=0).fit(xi, S)
    assert pocket.score(xi, S) > last.score(xi, S)


@pytest.mark.parametrize("method", ["exact", "ratchet"])
def test_the_errors_reported_are_those_of_the_weights(method):
    """Exclusive or with inputs 0 and 1: potentials that are exactly 0, and sums that miss it by rounding."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, 1, 1, -1])
    for seed in range(20):
        pocket = Pocket(method=method, random_state=seed).fit(X, y)
        assert pocket.n_errors_ == np.sum(pocket.predict(X) != y) == 1
