"""Several hidden layers (1.13): the gradient by differences, one layer as in (1.14), and what is refused."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from sklearn.neural_network import MLPRegressor

from markone import FeedForwardClassifier, FeedForwardRegressor
from markone.networks.net import Net


@pytest.fixture
def examples():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    return X, np.tanh(X @ [1.0, -2.0, 0.5]) * X[:, 0]


@pytest.mark.parametrize("thresholds", [True, False])
@pytest.mark.parametrize("loss", ["squared", "softmax"])
@pytest.mark.parametrize("hidden", ["tanh", "erf"])
def test_the_gradient_is_that_of_the_cost(examples, thresholds, loss, hidden):
    X, y = examples
    Y = np.eye(2)[(y > 0).astype(int)] if loss == "softmax" else y[:, None]
    net = Net(3, (5, 4, 3), Y.shape[1], hidden, "linear", False, thresholds)
    flat = net.initial_weights(np.random.default_rng(1)) + 0.1
    wrong = check_grad(
        lambda w: net.cost(w, X, Y, loss, 0.1)[0], lambda w: net.cost(w, X, Y, loss, 0.1)[1], flat
    )
    assert wrong < 1e-6


def test_one_layer_is_the_formula_of_the_notes(examples):
    """S = sum_k v_k g(w^k . xi - theta_k) - phi   (1.14)."""
    X, y = examples
    net = Net(3, (6,), 1, "tanh", "linear", False, True)
    flat = net.initial_weights(np.random.default_rng(2)) + 0.05
    w, theta, v, phi = net.split_parts(flat)
    S = np.tanh(X @ w.T - theta) @ v.T - phi
    np.testing.assert_allclose(net.forward_pass(flat, X)[0][-1], S, rtol=1e-13)
    value = 0.5 * np.mean((S[:, 0] - y) ** 2) + 0.05 * (np.sum(w**2) + np.sum(v**2))
    assert net.cost(flat, X, y[:, None], "squared", 0.1)[0] == pytest.approx(value, rel=1e-13)


def test_outputs_are_those_of_scikit_learns_network_with_these_weights(examples):
    X, y = examples
    net = FeedForwardRegressor(K=(5, 4), max_iter=200, random_state=0, tol=1e-2).fit(X, y)
    twin = MLPRegressor(hidden_layer_sizes=(5, 4), activation="tanh", max_iter=1, random_state=0)
    twin.partial_fit(X, y)
    twin.coefs_ = [W.T for W, _ in net.layers_]
    twin.intercepts_ = [-theta for _, theta in net.layers_]
    np.testing.assert_allclose(net.predict(X), twin.predict(X), rtol=1e-10)
    assert [W.shape for W, _ in net.layers_] == [(5, 3), (4, 5), (1, 4)]
    assert net.hidden(X).shape == (40, 4)


def test_two_hidden_layers_learn_a_checkerboard():
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, (300, 2))
    y = np.sign(X[:, 0] * X[:, 1])
    net = FeedForwardClassifier(K=(8, 6), random_state=0, max_iter=400, tol=1e-3).fit(X, y)
    assert net.score(X, y) > 0.97


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"K": ()}, r"K = \(\)"),
        ({"K": (5, 0)}, r"K = \(5, 0\)"),
        ({"K": (5, 2.5)}, "as "),
        ({"K": (5, 5), "solver": "online"}, "on-line training"),
        ({"K": (5, 5), "architecture": "soft_committee"}, "one hidden layer"),
    ],
)
def test_what_several_layers_cannot_do_is_said(examples, settings, words):
    with pytest.raises(ValueError, match=words):
        FeedForwardRegressor(**settings).fit(*examples)
