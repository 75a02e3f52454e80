"""Softmax on K classes: a plain quadrature over the fields after learning, two classes, and a simulation."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from markone import theory
from markone.perceptron.theory.engine.worlds.classes import ClassesWorld, field_rule
from markone.perceptron.theory.engine.worlds.world import State


def plain_averages(m, q, V, n=121):
    """Of three classes 1, <g_0>, <|g|^2>, <tr S (1 + V S)^-1>: a grid of h, with a = h - V g explicit in h.

    da = det(1 + V S) dh.
    """
    axes = np.array([[2, -1, -1], [0, 3**0.5, -(3**0.5)]]) / 6**0.5
    reach = 8.6 * np.sqrt(q) + V + m
    t = np.linspace(-reach, reach, n)
    total = np.zeros(4)
    for x in t:
        for z in t:
            h = x * axes[0] + z * axes[1]
            p = np.exp(h - h.max())
            p /= p.sum()
            g = np.eye(3)[0] - p
            S = np.diag(p) - np.outer(p, p)
            a = h - V * g - m * (np.eye(3)[0] - 1 / 3)
            weight = np.exp(-a @ a / (2 * q)) / (2 * np.pi * q) * (t[1] - t[0]) ** 2
            weight *= np.linalg.det(np.eye(3) + V * S)
            trace = np.trace(S @ np.linalg.inv(np.eye(3) + V * S))
            total += weight * np.array([1, g[0], g @ g, trace])
    return total


@pytest.mark.parametrize(("m", "q", "V"), [(0.5, 0.6, 1.0), (1.5, 3.0, 3.0)])
def test_averages_are_those_of_a_plain_grid(m, q, V):
    one, *want = plain_averages(m, q, V)
    assert one == pytest.approx(1, abs=1e-9)
    arrays = [np.array([x]) for x in (m, q - m * m, V, 0.0, 0.0)]
    found = ClassesWorld(3).average_forces(None, State(*arrays, 1.0), 40)
    values = [2 * float(x[0]) for x in (found.force_along, found.force2, found.stiffness)]
    np.testing.assert_allclose(values, want, rtol=1e-9)


@pytest.mark.parametrize("K", [2, 3, 4])
def test_the_nodes_have_the_moments_of_a_normal_law(K):
    points, weight = field_rule(K, 40)
    P = np.eye(K) - 1 / K
    assert weight.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(points.sum(0), 0, atol=1e-12)
    # Only means over the classes 1, 2, ... have a sense.
    assert weight @ points[0] ** 2 == pytest.approx(P[0, 0], abs=1e-12)
    assert weight @ (points[1:] ** 2).sum(0) == pytest.approx((K - 1) * P[0, 0], abs=1e-12)
    assert weight @ (points**4).sum(0) == pytest.approx(3 * K * P[0, 0] ** 2, abs=1e-11)


def test_two_classes_are_two_gaussians():
    alpha = [0.0, 0.5, 2.0, 8.0]
    pair = theory.solve(alpha, "softmax", 0.3, inputs=theory.Classes(2, 2.0))
    want = theory.solve(alpha, "logistic", 0.15, inputs=theory.TwoGaussians(1.0))
    for name in ("epsilon_g", "epsilon_t", "loss"):
        np.testing.assert_allclose(getattr(pair, name), getattr(want, name), rtol=1e-12)
    np.testing.assert_allclose(2 * pair.norm**2, want.norm**2, rtol=1e-12)


def test_four_classes_are_solved_to_twice_the_nodes():
    c = theory.solve([0.0, 2.0], "softmax", 0.1, inputs=theory.Classes(4, 2.0))
    assert c.ok.all()
    assert c.epsilon_g[0] == 0.75
    assert 0 < c.epsilon_t[1] < c.epsilon_g[1] < 0.75


def test_simulation():
    rng, N, P, l2, mu2 = np.random.default_rng(2), 150, 300, 0.1, 2.0
    runs = []
    for _ in range(12):
        y = rng.integers(3, size=P + 6000)
        x = rng.normal(size=(len(y), N))
        x[np.arange(len(y)), y] += np.sqrt(mu2)
        fit = LogisticRegression(C=1 / (N * l2), tol=1e-8, max_iter=1000, fit_intercept=False)
        fit.fit(x[:P], y[:P])
        loss = -fit.predict_log_proba(x[:P])[np.arange(P), y[:P]].mean()
        training = np.mean(fit.predict(x[:P]) != y[:P])
        runs.append([np.mean(fit.predict(x[P:]) != y[P:]), training, loss, (fit.coef_**2).sum()])
    c = theory.solve(P / N, "softmax", l2, inputs=theory.Classes(3, mu2))
    want = np.array([c.epsilon_g, c.epsilon_t, c.loss, c.norm**2])
    error = np.std(runs, axis=0, ddof=1) / np.sqrt(len(runs))
    assert (np.abs(np.mean(runs, axis=0) - want) < 3.5 * error + 2 * want / N).all()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"inputs": theory.Classes(7)}, "integrals of K - 1 dimensions"),
        ({"inputs": theory.Classes(3, -1.0)}, "mu2 must be"),
        ({"inputs": theory.Classes(3), "loss": "hinge"}, "softmax loss is for"),
        ({}, "softmax loss is for"),
        ({"inputs": theory.Classes(3), "noise": 0.1}, "no noise of labels"),
        ({"inputs": theory.Classes(3), "penalty": {"l1": 1.0}}, "does not close"),
    ],
)
def test_bad_input(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        theory.solve(**{"alpha": 1.0, "loss": "softmax", **arguments})
    c = theory.solve(1.0, "softmax", 0.0, inputs=theory.Classes(3))
    assert "need an l2 penalty" in str(c.reason)
