"""Hopfield dynamics against a numpy loop and the package `hopfieldnetwork`; a small net against MLP."""

from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

from benchmarks.timing import Row, compare_in_turn, measure_seconds, row_of_pairs
from markone.hopfield import Hopfield
from markone.hopfield.couplings import hebb, optimal_neurons, spin_glass
from markone.lab.scenarios.hopfield.hopfield import SCENARIO
from markone.networks import FeedForwardClassifier
from markone.perceptron.margin import solve_margin_problem


def numpy_sweep(w: np.ndarray, S: np.ndarray, order: np.ndarray) -> np.ndarray:
    """(1.9), one neuron after the other, as a plain loop."""
    for i in order:
        S[i] = 1 if w[i] @ S >= 0 else -1
    return S


def draw_start(xi: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.where(rng.random(xi.shape[1]) < 0.2, -xi[0], xi[0])


def compare_sweeps(N: int, P: int, target: float) -> Iterator[Row]:
    """One sweep from the same start; ours includes validation and the overlaps with all patterns."""
    from hopfieldnetwork import HopfieldNetwork

    rng = np.random.default_rng(0)
    xi = rng.choice([-1.0, 1.0], (P, N))
    first, order, w = draw_start(xi, rng), rng.permutation(N), hebb(xi)
    memory = Hopfield(max_iter=1, order="cyclic", random_state=0).fit(xi)
    ends = memory.recall(first[None]).states[0], numpy_sweep(w, first.copy(), np.arange(N))
    assert np.array_equal(*ends)
    case = f"Hopfield sweep, Hebb, N={N} P={P}"

    def ours() -> object:
        return memory.recall(first[None])

    yield compare_in_turn(
        case, ours, "numpy loop", lambda: numpy_sweep(w, first.copy(), order), target, 3, "same state"
    )
    peer = HopfieldNetwork(N=N)
    peer.w = w

    def theirs() -> object:
        peer.set_initial_neurons_state(first.astype(np.int8))
        return peer.update_neurons(1, "async")

    yield compare_in_turn(case, ours, "hopfieldnetwork", theirs, target, 3)


def compare_optimal_couplings(N: int, P: int) -> Row:
    """No peer: the same couplings, each neuron by itself, of every hundredth neuron times a hundred."""
    xi = np.random.default_rng(0).choice([-1.0, 1.0], (P, N))
    few = range(0, N, 100)

    def alone() -> None:
        for i in few:
            others = xi.copy()
            others[:, i] = 0.0
            solve_margin_problem(others, xi[:, i].copy())

    alone(), optimal_neurons(xi)
    pairs = np.array(
        [
            (measure_seconds(lambda: optimal_neurons(xi)), measure_seconds(alone) * N / len(few))
            for _ in range(3)
        ]
    )
    return row_of_pairs(f"optimal couplings, N={N} P={P}", pairs[:, 0], "neuron by neuron", pairs[:, 1], 10)


def compare_many_starts(N: int, P: int, starts: int, target: float) -> Iterator[Row]:
    """One sweep of many starts in one call: validation is done once."""
    rng = np.random.default_rng(0)
    xi = rng.choice([-1.0, 1.0], (P, N))
    first, order, w = np.array([draw_start(xi, rng) for _ in range(starts)]), np.arange(N), hebb(xi)
    memory = Hopfield(max_iter=1, order="cyclic", random_state=0).fit(xi)

    def plain() -> np.ndarray:
        return np.array([numpy_sweep(w, S.copy(), order) for S in first])

    # A field of exactly zero is rounded to either side by the numpy loop: few states differ, in few neurons.
    alike = float(np.mean(memory.recall(first).states == plain()))
    assert alike > 0.999, alike
    case = f"Hopfield sweep of {starts} states, Hebb, N={N} P={P}"
    yield compare_in_turn(
        case, lambda: memory.recall(first), "numpy loop", plain, target, 3, f"{alike:.2%} alike"
    )


def compare_any_couplings(N: int) -> Iterator[Row]:
    """A spin glass from a random start to rest: the fields are kept, quiet sweeps are almost free."""
    w = spin_glass(N, random_state=0)
    first = np.random.default_rng(1).choice([-1.0, 1.0], N)
    memory = Hopfield(couplings=w, order="cyclic", random_state=0).fit()
    outcome = memory.recall(first[None])
    count = int(outcome.n_iter[0])

    def plain() -> np.ndarray:
        S = first.copy()
        for _ in range(count):
            numpy_sweep(w, S, np.arange(N))
        return S

    assert np.array_equal(outcome.states[0], plain())
    yield compare_in_turn(
        f"Hopfield to rest, spin glass, N={N}, {count} sweeps",
        lambda: memory.recall(first[None]),
        "numpy loop",
        plain,
        3,
        3,
        "same state",
    )


def measure_retrieval() -> Row:
    """100 loads x 50 patterns at N = 2000 until a fixed point; the peer's time is the goal of one minute."""
    loads = np.linspace(0.01, 0.2, 100)
    points = [{"N": 2000, "alpha": round(float(a), 5), "sweeps": 200} for a in loads]
    SCENARIO.run(points[0], 1, 0, 1)
    took = measure_seconds(lambda: [SCENARIO.run(point, 1, 0, 50) for point in points])
    return Row("100 loads x 50 patterns, N=2000", "the minute asked for", took, 60.0, 60.0 / took, 1)


def compare_networks() -> Iterator[Row]:
    """The same net, cost and method; each stops by its own rule, the loss reached is in the note."""
    X, y = load_digits(return_X_y=True)
    X = X / 16.0
    ours = FeedForwardClassifier(K=30, ridge=1e-4, tol=1e-4, max_iter=200, random_state=0)
    theirs = MLPClassifier(
        hidden_layer_sizes=(30,),
        activation="tanh",
        solver="lbfgs",
        alpha=1e-4 * len(X),
        tol=1e-4,
        max_iter=200,
        random_state=0,
    )
    ours.fit(X, y), theirs.fit(X, y)
    note = f"losses {ours.trace_[-1]:.4f} and {theirs.loss_:.4f} in {ours.n_iter_} and {theirs.n_iter_} steps"
    yield compare_in_turn(
        "FeedForwardClassifier, digits, K=30, L-BFGS",
        lambda: ours.fit(X, y),
        "sklearn MLPClassifier",
        lambda: theirs.fit(X, y),
        0.5,
        3,
        note,
    )


def compare() -> Iterator[Row]:
    yield compare_optimal_couplings(2000, 200)
    yield from compare_sweeps(2000, 200, 20)
    yield from compare_many_starts(2000, 200, 50, 20)
    yield from compare_sweeps(10_000, 1000, 20)
    yield from compare_any_couplings(3000)
    yield measure_retrieval()
    yield from compare_networks()
