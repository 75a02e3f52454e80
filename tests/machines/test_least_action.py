"""Jointly trained machines: the plain twins, convergence, limits, bad input."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from markone.data import random_dichotomy
from markone.machines import CommitteeMachine, ParityMachine
from markone.machines._least_action import least_action
from markone.machines._minover import weakest_first
from markone.machines._units import COMMITTEE, PARITY
from markone.numerics._random import CYCLIC

KINDS = {"committee": COMMITTEE, "parity": PARITY}


def sign(z):
    return np.where(np.asarray(z) >= 0, 1, -1)


def plain_output(h, kind):
    return sign(sign(h).sum()) if kind == COMMITTEE else sign(h).prod()


def plain_least_action(xi, S, slices, W, kind, c, sweeps):
    """Mitchison and Durbin with lists and sorts; returns (sweeps, updates, learned)."""
    K, updates = len(slices), 0
    for sweep in range(sweeps):
        mistakes = 0
        for mu in range(len(xi)):
            h = np.array([W[k] @ xi[mu, slices[k]] for k in range(K)])
            if kind == COMMITTEE:
                good = [k for k in range(K) if S[mu] * h[k] > c]
                bad = sorted(set(range(K)) - set(good), key=lambda k: -S[mu] * h[k])
                steps = dict.fromkeys(bad[: max(0, K // 2 + 1 - len(good))], S[mu])
            else:
                k = int(np.argmin(abs(h)))
                right = plain_output(h, kind) == S[mu]
                steps = {} if right and abs(h[k]) > c else {k: sign(h[k]) * (1 if right else -1)}
            for k, step in steps.items():
                W[k] += step * xi[mu, slices[k]] / len(W[k])
            mistakes += bool(steps)
        updates += mistakes
        if mistakes == 0:
            return sweep + 1, updates, True
    return sweeps, updates, False


def plain_strength(S, g, kind):
    return np.sort(S * g)[len(g) // 2] if kind == COMMITTEE else S * plain_output(g, kind) * abs(g).min()


def plain_weakest_first(xi, S, slices, W, kind, steps):
    """MinOver for machines, every field anew at every step."""
    best, best_W = -np.inf, None
    for _ in range(steps):
        g = np.array([xi[:, s] @ w / np.linalg.norm(w) for s, w in zip(slices, W, strict=True)]).T
        E = np.array([plain_strength(S[mu], g[mu], kind) for mu in range(len(S))])
        mu = int(np.argmin(E))
        if E[mu] > best:
            best, best_W = E[mu], [w.copy() for w in W]
        if kind == COMMITTEE:
            steps_of = {k: S[mu] for k in range(len(W)) if E[mu] <= S[mu] * g[mu, k] <= max(E[mu], 0)}
        else:
            k = int(np.argmin(abs(g[mu])))
            steps_of = {k: sign(g[mu, k]) * S[mu] * plain_output(g[mu], kind)}
        for k, step in steps_of.items():
            W[k] += step * xi[mu, slices[k]] / len(W[k])
    return best, best_W


def problem(P, K, n, tree, seed):
    rng = np.random.default_rng(seed)
    N = K * n if tree else n
    xi, S = rng.standard_normal((P, N)), rng.choice([-1.0, 1.0], P)
    begin = n * np.arange(K) if tree else np.zeros(K, dtype=int)
    return xi, S, begin, begin + n, rng.standard_normal((K, n)) / np.sqrt(n)


@pytest.mark.parametrize("kind", [COMMITTEE, PARITY])
@pytest.mark.parametrize(
    ("P", "K", "n", "tree"), [(20, 3, 5, True), (30, 3, 8, False), (25, 5, 6, True), (9, 1, 6, True)]
)
@pytest.mark.parametrize("c", [0.0, 0.3])
def test_least_action_equals_the_plain_algorithm(kind, P, K, n, tree, c):
    xi, S, begin, end, W = problem(P, K, n, tree, seed=P + K)
    plain = [w.copy() for w in W]
    slices = [slice(a, b) for a, b in zip(begin, end, strict=True)]
    expected = plain_least_action(xi, S, slices, plain, kind, c, 40)
    turn, state = np.arange(P), np.array([1], dtype=np.uint64)
    found = least_action(xi, S, begin, end, W, kind, c, 40, CYCLIC, turn, state, False, W.copy(), P)
    assert (found[0], found[1], found[3]) == expected
    np.testing.assert_allclose(W, plain, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", [COMMITTEE, PARITY])
@pytest.mark.parametrize(("K", "n", "tree"), [(3, 5, True), (3, 8, False), (1, 6, True)])
def test_weakest_first_equals_the_plain_algorithm(kind, K, n, tree):
    xi, S, begin, end, W = problem(20, K, n, tree, seed=K)
    plain = [w.copy() for w in W]
    slices = [slice(a, b) for a, b in zip(begin, end, strict=True)]
    best, best_W = plain_weakest_first(xi, S, slices, plain, kind, 150)
    kept = W.copy()
    made, strength, _, settled = weakest_first(xi, S, begin, end, W, kind, 1e-3, 10**6, 0, 150, kept, -np.inf)
    assert (made, settled) == (150, False)
    assert strength == pytest.approx(best, rel=1e-9)
    np.testing.assert_allclose(W, plain, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(kept, best_W, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("rule", ["least_action", "minover"])
@pytest.mark.parametrize(("machine", "K"), [(CommitteeMachine, 3), (CommitteeMachine, 5), (ParityMachine, 2)])
@pytest.mark.parametrize("architecture", ["full", "tree"])
def test_a_converged_machine_reproduces_the_labels_as_its_formula_says(machine, K, rule, architecture):
    X, S, _ = random_dichotomy(24, 30, seed=3)
    model = machine(n_units=K, rule=rule, architecture=architecture, max_iter=300, random_state=0).fit(X, S)
    assert model.converged_
    assert model.n_errors_ == 0
    assert model.stability_ > 0
    fields = X @ model.weights_.T - model.thresholds_
    output = sign(sign(fields).sum(axis=1)) if machine is CommitteeMachine else sign(fields).prod(axis=1)
    np.testing.assert_array_equal(output, S)
    np.testing.assert_array_equal(model.predict(X), S)
    np.testing.assert_array_equal(model.hidden(X), sign(fields))
    lengths = np.sqrt((model.weights_**2).sum(axis=1) + model.thresholds_**2)
    kind = KINDS["committee" if machine is CommitteeMachine else "parity"]
    E = [plain_strength(s, g, kind) for s, g in zip(S, fields / lengths, strict=True)]
    assert model.stability_ == pytest.approx(min(E), rel=1e-9)
    np.testing.assert_allclose(S * model.decision_function(X), E, rtol=1e-9)
    if architecture == "tree":
        assert np.all(np.count_nonzero(model.weights_, axis=0) == 1)


def test_minover_is_safer_than_the_first_machine_found():
    X, S, _ = random_dichotomy(30, 15, seed=1)
    first = CommitteeMachine(random_state=0).fit(X, S)
    safest = CommitteeMachine(rule="minover", random_state=0, max_iter=200).fit(X, S)
    assert safest.stability_ > 3 * first.stability_ > 0


def test_groups_give_each_unit_its_own_inputs():
    X, S, _ = random_dichotomy(5, 7, seed=0)
    groups = [[6, 0], [1], [2, 3, 5]]
    model = CommitteeMachine(architecture="tree", groups=groups, random_state=0, fit_intercept=False).fit(
        X, S
    )
    assert model.converged_
    for k, group in enumerate(groups):
        assert set(np.flatnonzero(model.weights_[k])) == set(group)
    assert np.all(model.thresholds_ == 0)


def test_the_pocket_keeps_the_fewest_errors_and_says_that_some_are_left():
    X, S, _ = random_dichotomy(200, 5, seed=0)
    kept = CommitteeMachine(max_iter=60, n_restarts=1, trace=True, random_state=1)
    last = clone(kept).set_params(pocket=False)
    with pytest.warns(
        ConvergenceWarning, match="CommitteeMachine stopped after 60 sweeps with .* of 200 examples wrong"
    ):
        kept.fit(X, S)
    with pytest.warns(ConvergenceWarning, match="Set more n_units, max_iter or n_restarts"):
        last.fit(X, S)
    assert np.all(np.diff(kept.trace_["errors"]) <= 0)
    assert (
        kept.n_errors_ == kept.trace_["errors"][-1] == last.trace_["errors"].min() < last.trace_["errors"][-1]
    )
    assert np.sum(kept.predict(X) != S) == kept.n_errors_
    assert not kept.converged_
    assert kept.n_iter_ == len(kept.trace_) == 60


def test_a_trace_changes_nothing():
    X, S, _ = random_dichotomy(30, 15, seed=2)
    plain = CommitteeMachine(random_state=5).fit(X, S)
    traced = CommitteeMachine(random_state=5, trace=True).fit(X, S)
    np.testing.assert_array_equal(plain.weights_, traced.weights_)
    assert traced.trace_["updates"][-1] == traced.n_updates_


def test_a_margin_is_kept():
    X, S, _ = random_dichotomy(24, 20, seed=4)
    model = CommitteeMachine(c=0.5, random_state=0).fit(X, S)
    assert np.all(np.sum(S[:, None] * (X @ model.weights_.T - model.thresholds_) > 0.5, axis=1) >= 2)


def test_units_of_x_do_not_matter():
    X, S, _ = random_dichotomy(30, 15, seed=6)
    one = CommitteeMachine(random_state=0, fit_intercept=False).fit(X, S)
    large = CommitteeMachine(random_state=0, fit_intercept=False).fit(1024 * X, S)
    np.testing.assert_allclose(large.weights_, 1024 * one.weights_, rtol=1e-9)


def test_three_classes_one_against_the_rest():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = np.array([[4.0, 0.0], [-2.0, 3.5], [-2.0, -3.5]])[y] + 0.5 * rng.standard_normal((60, 2))
    model = CommitteeMachine(random_state=0).fit(X, np.array(["a", "b", "c"])[y])
    assert model.score(X, np.array(["a", "b", "c"])[y]) == 1
    assert model.weights_.shape == (3, 3, 2)
    assert model.hidden(X).shape == (3, 60, 3)
    assert model.decision_function(X).shape == (60, 3)
    assert model.converged_.all()


@pytest.mark.parametrize(
    ("machine", "sentence"),
    [
        (CommitteeMachine(4), "A committee needs an odd number of units to have a majority, not n_units = 4"),
        (
            CommitteeMachine(architecture="tree"),
            "needs a number of inputs divisible by 3, but X has 4 features",
        ),
        (CommitteeMachine(groups=[[0], [1], [2]]), "groups needs architecture='tree'"),
        (CommitteeMachine(architecture="tree", groups=[[0], [1]]), "inputs of 2 units, but n_units is 3"),
        (CommitteeMachine(architecture="tree", groups=[[0], [1], [1]]), "disjoint and not empty"),
        (
            CommitteeMachine(architecture="tree", groups=[[0], [1], [9]]),
            "holds the input 9; X has features 0 .. 3",
        ),
        (CommitteeMachine(0), "n_units"),
        (ParityMachine(architecture="tree"), "Train a tree by rule='least_action'"),
        (ParityMachine(fit_intercept=False), "Tiling needs thresholds"),
        (ParityMachine(trace=True), "growth_ has the errors after each unit"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(machine, sentence):
    X, S, _ = random_dichotomy(6, 4, seed=0)
    with pytest.raises(ValueError, match=sentence):
        machine.fit(X, S)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "machine", [CommitteeMachine(max_iter=20), ParityMachine(), ParityMachine(2, rule="least_action")]
)
def test_sparse_rows_are_the_same_rows(machine, monkeypatch):
    monkeypatch.setattr("markone.machines.base.BLOCK", 7)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 8)) * (rng.random((60, 8)) < 0.4)
    for y in (np.where(X[:, 0] >= X[:, 1], "a", "b"), np.arange(60) % 3):
        dense = clone(machine).set_params(random_state=0).fit(X, y)
        thin = clone(machine).set_params(random_state=0).fit(sparse.csr_array(X), y)
        scores = dense.decision_function(X)
        np.testing.assert_array_equal(thin.decision_function(sparse.csr_matrix(X)), scores)
        hidden = zip(thin.hidden(sparse.csr_array(X)), dense.hidden(X), strict=True)
        assert all(np.array_equal(one, other) for one, other in hidden)
