"""LMS and the perceptron rule: plain twins, schedules, the claims of the LMS report."""

import numpy as np
import pytest
from examples import random_labels, teacher
from sklearn.exceptions import ConvergenceWarning

from markone.perceptron import LMS, Adaline, PerceptronRule


def book(xi, S, eta0, schedule, tau, per_epoch, epochs, hard):
    w, n = np.zeros(xi.shape[1]), 0
    rates = {
        "constant": lambda n: eta0,
        "inverse": lambda n: eta0 / (n + 1),
        "search_then_converge": lambda n: eta0 / (1 + n / tau),
    }
    for epoch in range(epochs):
        for mu in range(len(S)):
            y = w @ xi[mu]
            if hard:
                y = 1.0 if y >= 0 else -1.0
            w = w + rates[schedule](epoch if per_epoch else n) * (S[mu] - y) * xi[mu]
            n += 1
    return w


@pytest.mark.parametrize("schedule", ["constant", "inverse", "search_then_converge"])
@pytest.mark.parametrize("count", ["sample", "epoch"])
@pytest.mark.parametrize("hard", [True, False])
def test_equals_the_book(schedule, count, hard):
    xi, S = teacher(30, 4, noise=0.1)
    w = book(xi, S, 0.05, schedule, 10.0, count == "epoch", 6, hard)
    options = {"eta0": 0.05, "schedule": schedule, "count": count, "max_iter": 6, "fit_intercept": False}
    if hard:
        with pytest.warns(ConvergenceWarning):
            student = PerceptronRule(**options).fit(xi, S)
    else:
        student = LMS(tol=0.0, **options).fit(xi, S)
    np.testing.assert_allclose(student.coef_[0], w, rtol=1e-10, atol=1e-13)
    assert student.mse_ == pytest.approx(np.mean((S - xi @ w) ** 2))


def test_goes_to_the_least_mean_squares():
    xi, S = teacher(200, 3)
    best = Adaline(fit_intercept=False).fit(xi, S)
    least = np.mean((S - xi @ best.coef_[0]) ** 2)
    student = LMS(fit_intercept=False, eta0="mean", count="sample", max_iter=3000).fit(xi, S)
    assert least <= student.mse_ < 1.01 * least


def test_the_minimum_for_two_clusters():
    """4 / (4 + Delta^2) for isotropic clusters at distance Delta, labels +-1."""
    rng, delta, P = np.random.default_rng(0), 2.0, 200_000
    S = rng.choice([-1.0, 1.0], P)
    xi = rng.standard_normal((P, 2))
    xi[:, 0] += S * delta / 2
    w = Adaline().fit(xi, S)
    mse = np.mean((S - w.decision_function(xi)) ** 2)
    assert mse == pytest.approx(4 / (4 + delta**2), abs=4 * 0.003)


def test_too_large_a_rate_is_reported():
    xi, S = teacher(50, 10)
    with pytest.raises(ValueError, match=r"diverges with a first learning rate of 5.*Lower eta0"):
        LMS(eta0=5.0, schedule="constant").fit(xi, S)


def test_the_perceptron_rule_does_not_depend_on_a_constant_rate():
    xi, S = teacher(40, 20)
    a = PerceptronRule(eta0=0.01, fit_intercept=False).fit(xi, S)
    b = PerceptronRule(eta0=1.0, fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(a.coef_ / 0.01, b.coef_, rtol=1e-9, atol=1e-9)
    assert a.converged_
    assert a.score(xi, S) == 1.0


@pytest.mark.parametrize("order", ["random", "shuffled"])
def test_the_perceptron_rule_stops_without_errors(order):
    xi, S = teacher(40, 20)
    student = PerceptronRule(order=order, random_state=0).fit(xi, S)
    assert student.converged_
    assert student.score(xi, S) == 1.0


def test_the_perceptron_rule_warns_if_it_does_not_converge():
    xi, S = random_labels(60, 5)
    with pytest.warns(ConvergenceWarning, match="of 60 examples wrong"):
        PerceptronRule(max_iter=10).fit(xi, S)


@pytest.mark.parametrize("count", ["sample", "epoch"])
def test_a_stream_keeps_its_schedule(count):
    xi, S = teacher(30, 4)
    options = {"eta0": 0.05, "count": count, "fit_intercept": False}
    stream = LMS(**options)
    for _ in range(5):
        stream.partial_fit(xi, S, classes=[-1, 1])
    whole = LMS(tol=0.0, max_iter=5, **options).fit(xi, S)
    np.testing.assert_allclose(stream.coef_, whole.coef_, rtol=1e-12)


def test_a_stream_follows_a_drifting_teacher():
    """LMS with a constant rate tracks a non-stationary teacher."""
    rng, stream = np.random.default_rng(0), LMS(eta0=0.05, schedule="constant", fit_intercept=False)
    for teacher_now in (np.array([1.0, 0.0]), np.array([0.0, 1.0])):
        for _ in range(20):
            xi = rng.standard_normal((50, 2))
            stream.partial_fit(xi, np.where(xi @ teacher_now >= 0, 1, -1), classes=[-1, 1])
        w = stream.coef_[0] / np.linalg.norm(stream.coef_)
        assert w @ teacher_now > 0.97
