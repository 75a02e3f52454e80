"""Small feed-forward nets: the gradient, on-line steps, what they can and cannot represent."""

import itertools

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.special import erf
from sklearn.datasets import load_iris, make_moons
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler

from markone.networks import FeedForwardClassifier, FeedForwardRegressor
from markone.networks.activations import ACTIVATIONS
from markone.networks.net import Net, train_online

RNG = np.random.default_rng(0)
LOSS = [("squared", 1, "linear"), ("squared", 1, "tanh"), ("squared", 3, "erf"), ("logistic", 1, "linear")]
LOSS += [("softmax", 3, "linear"), ("squared", 1, "relu")]


def problem(net, P=7):
    X = RNG.normal(size=(P, net.N))
    Y = (
        np.eye(net.C)[RNG.integers(net.C, size=P)]
        if net.C > 1
        else RNG.integers(2, size=(P, 1)).astype(float)
    )
    return X, Y


def nets(loss):
    _, C, output = loss
    for hidden, committee, thresholds in itertools.product(
        ("tanh", "erf", "relu"), (False, True), (False, True)
    ):
        if C == 1 or not committee:
            yield Net(5, (4,), C, hidden, output, committee, thresholds)


@pytest.mark.parametrize("loss", LOSS, ids=str)
def test_the_gradient_is_the_derivative_of_the_cost(loss):
    for net in nets(loss):
        X, Y = problem(net)
        # Nowhere near the kink of the rectifier for these numbers, with probability one.
        flat = net.initial_weights(RNG) + 0.1 * RNG.normal(size=net.initial_weights(RNG).shape)

        def cost(f, net=net, X=X, Y=Y):
            return net.cost(f, X, Y, loss[0], 0.3)

        size = 1 + np.linalg.norm(cost(flat)[1])
        assert (
            check_grad(lambda f, c=cost: c(f)[0], lambda f, c=cost: c(f)[1], flat, epsilon=1e-6) < 1e-5 * size
        )


@pytest.mark.parametrize("loss", LOSS, ids=str)
def test_on_line_training_is_gradient_descent_example_by_example(loss):
    class Options:
        eta = 0.1

    for net in nets(loss):
        X, Y = problem(net)
        flat = net.initial_weights(np.random.default_rng(1))
        fitted = train_online(net, flat, X, Y, loss[0], 0.2, Options, 5, 2)
        order, stream = list(range(len(X))), SplitMix(5)
        for _ in range(2):
            stream.shuffle(order)
            for mu in order:
                flat = flat - 0.1 * net.cost(flat, X[[mu]], Y[[mu]], loss[0], 0.2)[1]
        assert fitted.flat == pytest.approx(flat, rel=1e-9, abs=1e-12)


class SplitMix:
    def __init__(self, state):
        self.state = state

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
            z = self.state
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
            z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
            j = (((z ^ (z >> 31)) >> 32) * (i + 1)) >> 32
            items[i], items[j] = items[j], items[i]


def test_slopes_are_derivatives():
    x = np.array([-1.3, -0.2, 0.4, 2.1])
    for activation in ACTIVATIONS.values():
        numeric = (activation.g(x + 1e-6) - activation.g(x - 1e-6)) / 2e-6
        assert activation.slope(x, activation.g(x)) == pytest.approx(numeric, abs=1e-8)


def test_a_soft_committee_copies_a_soft_committee():
    B = np.linalg.qr(RNG.normal(size=(6, 2)))[0].T
    X = RNG.normal(size=(400, 6))
    y = erf(X @ B.T / np.sqrt(2)).sum(axis=1)
    student = FeedForwardRegressor(
        K=2,
        activation="erf",
        architecture="soft_committee",
        fit_intercept=False,
        ridge=0,
        tol=1e-7,
        random_state=0,
    ).fit(X, y)
    # The units in whichever order.
    order = np.abs(student.w_ @ B.T).argmax(axis=1)
    assert student.w_ == pytest.approx(B[order], abs=1e-3)
    assert student.v_.tolist() == [[1, 1]]
    assert student.predict(X) == pytest.approx(student.hidden(X).sum(axis=1))


def test_it_approximates_what_no_linear_function_can():
    x = np.linspace(-2, 2, 80)[:, None]
    y = np.sin(3 * x[:, 0])
    for activation in ("tanh", "erf", "relu"):
        net = FeedForwardRegressor(K=15, activation=activation, ridge=1e-7, random_state=0, max_iter=3000)
        assert net.fit(x, y).score(x, y) > 0.995
    assert LinearRegression().fit(x, y).score(x, y) < 0.5


def test_exclusive_or_and_two_moons():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), np.array(["no", "yes", "yes", "no"])
    for loss in ("cross_entropy", "squared"):
        net = FeedForwardClassifier(K=4, loss=loss, random_state=1).fit(X, y)
        assert net.predict(X).tolist() == y.tolist()
    X, y = make_moons(300, noise=0.1, random_state=0)
    for solver, iterations in (("lbfgs", 500), ("online", 200)):
        net = FeedForwardClassifier(solver=solver, max_iter=iterations, random_state=0).fit(X, y)
        assert net.score(X, y) > 0.97
        assert net.predict_proba(X).sum(axis=1) == pytest.approx(1)
        assert np.array_equal(net.predict_proba(X)[:, 1] >= 0.5, net.decision_function(X) >= 0)
        assert net.trace_[-1] < 0.3 * net.trace_[0]


def test_three_classes_have_three_outputs():
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    net = FeedForwardClassifier(K=3, random_state=0).fit(X, y)
    assert net.score(X, y) > 0.97
    assert net.v_.shape == (3, 3)
    assert net.decision_function(X).shape == (150, 3)
    assert net.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert FeedForwardClassifier(K=3, loss="squared", random_state=0).fit(X, y).score(X, y) > 0.95


def test_streams_go_on_where_they_were():
    X, y = make_moons(200, noise=0.1, random_state=0)
    net = FeedForwardClassifier(random_state=0, eta=0.1)
    for _ in range(60):
        net.partial_fit(X, y, classes=[0, 1])
    assert net.n_iter_ == len(net.trace_) == 60
    assert net.score(X, y) > 0.95
    stream = FeedForwardRegressor(random_state=0)
    for _ in range(50):
        stream.partial_fit(X, X[:, 0] * X[:, 1])
    assert stream.trace_[-1] < 0.5 * stream.trace_[0]


def test_a_warm_start_needs_few_further_iterations():
    X, y = make_moons(200, noise=0.2, random_state=0)
    net = FeedForwardClassifier(K=4, ridge=0.01, warm_start=True, random_state=0).fit(X, y)
    first = net.n_iter_
    assert net.fit(X, y).n_iter_ < 0.2 * first


def test_the_scikit_learn_twin_reaches_the_same_cost():
    """The same cost function, minimised by both from many starts: the best found agree."""
    x = np.linspace(-2, 2, 60)[:, None]
    y = np.sin(2 * x[:, 0])
    ours, theirs = [], []
    for seed in range(4):
        net = FeedForwardRegressor(K=5, ridge=1e-3, tol=1e-6, max_iter=3000, random_state=seed).fit(x, y)
        ours.append(net._net.cost(net._flat, x, y[:, None], "squared", 1e-3)[0])
        # scikit-learn's penalty is alpha/(2 P).
        mlp = MLPRegressor(
            hidden_layer_sizes=(5,),
            activation="tanh",
            solver="lbfgs",
            alpha=60e-3,
            tol=1e-7,
            max_iter=3000,
            random_state=seed,
        )
        theirs.append(mlp.fit(x, y).loss_)
    assert min(ours) == pytest.approx(min(theirs), rel=1e-3)


@pytest.mark.parametrize(
    ("estimator", "X", "y", "sentence"),
    [
        (FeedForwardRegressor(K=0), [[1.0]], [1.0], "The 'K' parameter"),
        (FeedForwardRegressor(output="tanh"), [[1.0], [2.0]], [1.0, 3.0], "y reaches 3"),
        (FeedForwardRegressor(), [[1e200]], [1.0], "whose squares overflow"),
        (FeedForwardRegressor(), [[1.0], [2.0]], ["up", "down"], "y holds text"),
        (FeedForwardRegressor(solver="online", eta=50.0), 9 * np.eye(5), np.arange(5.0), "diverged"),
        (FeedForwardClassifier(), [[1.0], [2.0]], [1, 1], "only one class"),
        (FeedForwardClassifier(architecture="soft_committee"), np.eye(3), [0, 1, 2], "3 classes"),
    ],
)
def test_bad_input_is_told_in_sentences(estimator, X, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        estimator.fit(X, y)


def test_other_failures_are_told_too():
    X, y = make_moons(100, random_state=0)
    with pytest.warns(ConvergenceWarning, match="stopped after 2 iterations"):
        FeedForwardClassifier(max_iter=2, random_state=0).fit(X, y)
    net = FeedForwardClassifier(random_state=0).partial_fit(X, y)
    with pytest.raises(ValueError, match="y holds the label 7"):
        net.partial_fit(X, y + 7)
    with pytest.raises(NotFittedError):
        FeedForwardRegressor().predict(X)
    assert not hasattr(FeedForwardClassifier(loss="squared"), "predict_proba")
