"""Rosenblatt (3.15): the plain twin, identities, limits."""

import numpy as np
import pytest
from examples import random_labels, teacher
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import nnls
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron

from markone.perceptron import Rosenblatt


def book(xi, S, c=0.0, eta=1.0, epochs=1000):
    """(3.12) with (3.15), one example after the other."""
    P, N = xi.shape
    w, x, epoch, mistakes = np.zeros(N), np.zeros(P), 0, P
    while epoch < epochs and mistakes:
        epoch, mistakes = epoch + 1, 0
        for mu in range(P):
            if w @ xi[mu] * S[mu] <= c:
                w = w + eta / N * xi[mu] * S[mu]
                x[mu] += eta
                mistakes += 1
    return w, x, epoch


@pytest.mark.parametrize(("c", "eta"), [(0.0, 1.0), (0.5, 1.0), (1.0, 0.3)])
@pytest.mark.parametrize("run_on", ["weights", "embeddings"])
def test_equals_the_book(c, eta, run_on):
    xi, S = teacher(40, 25)
    w, x, epochs = book(xi, S, c, eta)
    student = Rosenblatt(c=c, eta=eta, run_on=run_on, fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(student.coef_[0], w, atol=1e-12)
    np.testing.assert_allclose(student.embedding_, x, atol=1e-12)
    assert student.n_iter_ == epochs
    assert student.n_updates_ == round(x.sum() / eta)
    assert student.converged_


@pytest.mark.parametrize("order", ["cyclic", "random", "shuffled"])
@pytest.mark.parametrize("start", ["zero", "random"])
def test_weights_and_embeddings_give_the_same_student(order, start):
    xi, S = teacher(50, 30, seed=1)
    options = {"order": order, "start": start, "random_state": 3, "fit_intercept": False}
    a = Rosenblatt(run_on="weights", **options).fit(xi, S)
    b = Rosenblatt(run_on="embeddings", **options).fit(xi, S)
    np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-11)
    np.testing.assert_array_equal(a.embedding_, b.embedding_)
    assert a.n_updates_ == b.n_updates_


def test_same_weights_as_scikit_learn():
    xi, S = teacher(200, 50)
    ours = Rosenblatt(fit_intercept=False).fit(xi, S)
    theirs = Perceptron(shuffle=False, fit_intercept=False, tol=None, max_iter=ours.n_iter_).fit(xi, S)
    np.testing.assert_allclose(ours.coef_ * 50, theirs.coef_, rtol=1e-10)


def test_strengths_rebuild_the_weights():
    xi, S = teacher(60, 40)
    student = Rosenblatt(fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(xi.T @ (student.embedding_ * S) / 40, student.coef_[0])


@pytest.mark.parametrize("c", [0.0, 1.0])
def test_the_convergence_theorem(c):
    """M <= M* (3.29) from the solution of optimal stability, and the stability it guarantees."""
    N = 30
    xi, S = teacher(50, N, seed=2)
    Z = xi * S[:, None]
    best = Rosenblatt(fit_intercept=False).fit(xi, S)
    x = nnls(np.vstack([Z.T, np.ones(50)]), np.append(np.zeros(N), 1.0))[0]
    w_max = Z.T @ x
    kappa_max = (Z @ w_max).min() / np.linalg.norm(w_max)
    best.coef_ = w_max[None]
    student = Rosenblatt(c=c, fit_intercept=False).fit(xi, S)
    gamma = (xi**2).sum(axis=1).max() / N
    assert student.convergence_bound(xi, S, best) == pytest.approx(N * (2 * c + gamma) / kappa_max**2)
    assert student.n_updates_ <= student.convergence_bound(xi, S, best)
    assert student.stability_ >= kappa_max * c / (2 * c + gamma)
    low, high = student.stability_bounds_
    assert low <= kappa_max <= high


def test_no_solution_no_bound():
    xi, S = teacher(50, 30)
    student = Rosenblatt(fit_intercept=False).fit(xi, S)
    wrong = Rosenblatt(fit_intercept=False).fit(xi, -S)
    assert student.convergence_bound(xi, S, wrong) == np.inf


def test_in_random_order_it_stops_only_when_all_are_learned():
    """An epoch without a mistake may not present every example; 40 seeds would reveal the error."""
    xi, S = teacher(30, 20, seed=5)
    for seed in range(40):
        student = Rosenblatt(order="random", random_state=seed, fit_intercept=False).fit(xi, S)
        assert student.stability_ > 0


def test_one_example_is_learned_in_one_update():
    student = Rosenblatt(fit_intercept=False).fit([[1.0, 2.0], [-2.0, -4.0]], [1, -1])
    assert student.n_updates_ == 1
    np.testing.assert_allclose(student.coef_, [[0.5, 1.0]])


def test_not_separable_is_reported_with_advice():
    xi, S = random_labels(60, 10)
    with pytest.warns(ConvergenceWarning, match=r"after 50 epochs with .* of 60 examples.*separability"):
        student = Rosenblatt(max_iter=50, fit_intercept=False).fit(xi, S)
    assert not student.converged_
    assert student.n_iter_ == 50


def test_blank_examples_are_named():
    xi, S = teacher(10, 5)
    xi[3] = 0
    with pytest.warns(ConvergenceWarning, match=r"1 example\(s\) are all zero"):
        Rosenblatt(fit_intercept=False, max_iter=20).fit(xi, S)


def test_warm_start_continues():
    xi, S = teacher(60, 40)
    whole = Rosenblatt(fit_intercept=False).fit(xi, S)
    assert whole.n_iter_ > 3
    half = Rosenblatt(fit_intercept=False, warm_start=True, max_iter=2)
    with pytest.warns(ConvergenceWarning):
        half.fit(xi, S)
    half.set_params(max_iter=1000).fit(xi, S)
    np.testing.assert_allclose(half.coef_, whole.coef_, atol=1e-12)
    np.testing.assert_array_equal(half.embedding_, whole.embedding_)


def test_a_stream_of_one_set_is_an_epoch_each():
    xi, S = teacher(60, 40)
    whole = Rosenblatt(fit_intercept=False).fit(xi, S)
    stream = Rosenblatt(fit_intercept=False)
    for _ in range(whole.n_iter_):
        stream.partial_fit(xi, S, classes=[-1, 1])
    np.testing.assert_allclose(stream.coef_, whole.coef_, atol=1e-12)
    assert stream.n_updates_ == whole.n_updates_
    assert not hasattr(stream, "stability_")


def test_the_trace_has_one_row_per_epoch():
    xi, S = teacher(60, 40)
    plain = Rosenblatt(fit_intercept=False).fit(xi, S)
    student = Rosenblatt(fit_intercept=False, trace=True).fit(xi, S)
    np.testing.assert_array_equal(student.coef_, plain.coef_)
    trace = student.trace_
    assert len(trace) == student.n_iter_
    assert trace["errors"][-1] == 0
    assert trace["stability"][-1] == pytest.approx(student.stability_)
    assert trace["norm"][-1] == pytest.approx(np.linalg.norm(student.coef_))


@given(st.integers(0, 50), st.floats(0.01, 100), st.floats(0.01, 100))
def test_scaling_inputs_or_rate_does_not_change_the_student(seed, scale, eta):
    xi, S = teacher(12, 8, seed=seed)
    a = Rosenblatt(fit_intercept=False).fit(xi, S)
    b = Rosenblatt(fit_intercept=False, eta=eta).fit(scale * xi, S)
    assert a.n_updates_ == b.n_updates_
    np.testing.assert_allclose(b.coef_ / (eta * scale), a.coef_, rtol=1e-6, atol=1e-9)


@given(st.integers(0, 50))
def test_rotation_and_relabelling(seed):
    xi, S = teacher(12, 8, seed=seed)
    rotation = np.linalg.qr(np.random.default_rng(seed).standard_normal((8, 8)))[0]
    a = Rosenblatt(fit_intercept=False).fit(xi, S)
    b = Rosenblatt(fit_intercept=False).fit(xi @ rotation, S)
    np.testing.assert_allclose(b.coef_ @ rotation.T, a.coef_, atol=1e-9)
    np.testing.assert_allclose(Rosenblatt(fit_intercept=False).fit(xi, -S).coef_, -a.coef_)
