"""The scenarios `machines` and `growth`: plain twins, blocks cut anywhere, limits, theory within its bars."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from pydantic import ValidationError

from markone.lab.scenarios import find_scenario
from markone.lab.scenarios.machines._machines import TEACHER, draw_machine_examples, learn_machine_block
from markone.lab.scenarios.rule._examples import RANDOM, draw_signed_examples
from markone.machines._units import COMMITTEE, PARITY
from markone.machines.measures import majority_weights, tree_error
from markone.machines.theory import bounds
from markone.numerics._random import TRAINING, draw_normal, seed_stream
from markone.numerics.compiling import entry
from markone.perceptron.theory.capacity import separable_fraction

MACHINES, GROWTH = find_scenario("machines"), find_scenario("growth")


def sign(z):
    return np.where(np.asarray(z) >= 0, 1, -1)


def values(scenario, start, stop, seed=1, **parameters):
    return scenario.run(scenario.parameters(**parameters), seed, start, stop)


@entry
def gaussians(seed, N, P, repeat, count):
    state, z = np.empty(1, np.uint64), np.empty(count)
    seed_stream(state, seed, N, P, repeat, TRAINING)
    for i in range(count):
        z[i] = draw_normal(state)
    return z


def drawn(seed, repeat, kind, labels, P, K, n):
    xi, S, begin = np.empty((P, K * n)), np.empty(P), n * np.arange(K)
    draw_machine_examples(seed, repeat, kind, labels, begin, begin + n, np.ones((K, n)), xi, S)
    return xi, S


def plain_machine(seed, repeat, kind, labels, P, K, n, sweeps):
    """(learned, sweeps, updates, fewest errors), and the overlaps with (1, .., 1)."""
    xi, S = drawn(seed, repeat, kind, labels, P, K, n)
    branches = xi.reshape(P, K, n)
    W = gaussians(seed, K * n, P, repeat, K * n).reshape(K, n) / math.sqrt(n)
    best, best_W, updates = P, W.copy(), 0

    def answers():
        sigma = sign(np.einsum("pkn,kn->pk", branches, W))
        return sign(sigma.sum(axis=1)) if kind == COMMITTEE else sigma.prod(axis=1)

    for sweep in range(sweeps):
        mistakes = 0
        for mu in range(P):
            h = np.array([W[k] @ branches[mu, k] for k in range(K)])
            output = sign(sign(h).sum()) if kind == COMMITTEE else sign(h).prod()
            if output == S[mu]:
                continue
            mistakes += 1
            if kind == COMMITTEE:
                wrong = sorted(np.flatnonzero(S[mu] * h <= 0), key=lambda k: abs(h[k]))
                for k in wrong[: len(wrong) - K // 2]:
                    W[k] += S[mu] * branches[mu, k] / n
            else:
                k = np.argmin(abs(h))
                W[k] -= sign(h[k]) * branches[mu, k] / n
        updates += mistakes
        if mistakes == 0:
            return (1, sweep, updates, 0), W.sum(axis=1) / np.sqrt(n * (W**2).sum(axis=1))
        errors = np.sum(answers() != S)
        if errors < best:
            best, best_W = errors, W.copy()
    return (0, sweeps, updates, best), best_W.sum(axis=1) / np.sqrt(n * (best_W**2).sum(axis=1))


@pytest.mark.parametrize("kind", [COMMITTEE, PARITY])
@pytest.mark.parametrize("labels", [RANDOM, TEACHER])
@pytest.mark.parametrize(("P", "K", "n"), [(8, 1, 6), (20, 3, 4), (30, 5, 3)])
def test_equals_the_plain_algorithm(kind, labels, P, K, n):
    table, R = learn_machine_block(3, 5, 11, P, K, n, kind, labels, 12, 1)
    plain = [plain_machine(3, repeat, kind, labels, P, K, n, 12) for repeat in range(5, 11)]
    np.testing.assert_array_equal(table, [row for row, _ in plain])
    np.testing.assert_allclose(R, [overlaps for _, overlaps in plain], rtol=1e-9, atol=1e-12)


def test_the_data_are_those_of_the_other_scenarios():
    xi, S = drawn(7, 2, COMMITTEE, RANDOM, 9, 3, 2)
    Z = np.empty((9, 6))
    draw_signed_examples(7, 6, 9, 2, RANDOM, 0.0, Z)
    np.testing.assert_array_equal(S[:, None] * xi, Z)
    xi, S = drawn(7, 2, PARITY, TEACHER, 9, 3, 2)
    np.testing.assert_array_equal(S, sign(xi.reshape(9, 3, 2).sum(axis=2)).prod(axis=1))


@pytest.mark.parametrize(
    ("scenario", "parameters"),
    [
        (MACHINES, {"machine": "committee", "N": 15, "alpha": 2.0, "sweeps": 30, "restarts": 2}),
        (MACHINES, {"machine": "parity", "K": 2, "N": 12, "alpha": 2.0, "labels": "teacher", "sweeps": 20}),
        (GROWTH, {"N": 5, "alpha": 3.0, "student": "pocket", "epochs": 5}),
    ],
)
def test_blocks_may_be_cut_anywhere(scenario, parameters):
    whole = values(scenario, 0, 20, **parameters)
    parts = [values(scenario, a, b, **parameters) for a, b in pairwise([0, 1, 7, 7, 20])]
    assert list(whole) == list(scenario.measures)
    for name in scenario.measures:
        np.testing.assert_array_equal(np.concatenate([part[name] for part in parts]), whole[name])


def test_one_unit_learns_what_is_separable_and_no_more():
    N, alpha, sets = 10, 1.8, 400
    learned = values(MACHINES, 0, sets, machine="committee", K=1, N=N, alpha=alpha, sweeps=3000)["learned"]
    expected = separable_fraction(round(alpha * N), N)
    assert MACHINES.theories["cover"].function(
        {"machine": "parity", "K": 1, "N": N, "alpha": alpha}
    ) == pytest.approx(expected)
    error = math.sqrt(expected * (1 - expected) / sets)
    # 3000 sweeps leave out some hard sets, never more than a few in a hundred
    assert -4 * error - 0.05 < learned.mean() - expected < 4 * error


def test_with_one_unit_both_machines_are_the_same():
    one = values(MACHINES, 0, 30, machine="committee", K=1, N=10, alpha=2.0, sweeps=50)
    other = values(MACHINES, 0, 30, machine="parity", K=1, N=10, alpha=2.0, sweeps=50)
    for name in MACHINES.measures:
        np.testing.assert_array_equal(one[name], other[name])


def test_restarts_only_add_to_what_is_learned():
    few = values(MACHINES, 0, 60, machine="committee", N=15, alpha=2.0, sweeps=40)
    more = values(MACHINES, 0, 60, machine="committee", N=15, alpha=2.0, sweeps=40, restarts=4)
    assert np.all(few["learned"] <= more["learned"])
    assert few["learned"].sum() < more["learned"].sum()
    assert np.all(few["epsilon_t"] >= more["epsilon_t"])


@pytest.mark.parametrize("K", [1, 3, 5])
def test_the_generalisation_error_of_a_tree_from_all_sign_patterns(K):
    rng = np.random.default_rng(K)
    R = rng.uniform(-1, 1, K)
    agree = 1 - np.arccos(R) / np.pi
    committee = parity = 0.0
    for sigma, tau in product(product([-1, 1], repeat=K), repeat=2):
        chance = np.prod(np.where(np.equal(sigma, tau), agree, 1 - agree)) / 2**K
        committee += chance * (sign(sum(sigma)) != sign(sum(tau)))
        parity += chance * (np.prod(sigma) != np.prod(tau))
    assert tree_error(R, "committee") == pytest.approx(committee, rel=1e-12)
    assert tree_error(R, "parity") == pytest.approx(parity, rel=1e-12)
    assert majority_weights(K) @ [math.comb(K, s) for s in range(K + 1)] == pytest.approx(1)
    assert tree_error(np.ones(K), "committee") == 0


def test_counting_bounds():
    assert bounds.learnable_bound(1, 10, 20) == pytest.approx(0.5, rel=1e-12)
    assert bounds.learnable_bound(3, 20, 60) == 1
    assert bounds.learnable_bound(3, 20, 400) < 1e-6
    for n, P in ((5, 5), (5, 20), (21, 160)):
        K = bounds.fewest_units(n, P)
        assert K * bounds.log_count(P, n) >= P * math.log(2) * (1 - 1e-12)
        assert K == 1 or (K - 1) * bounds.log_count(P, n) < P * math.log(2)


def test_marks_are_the_capacities_of_theory():
    at = {name: mark.function({"machine": "parity", "K": 3}) for name, mark in MACHINES.marks.items()}
    assert at["capacity"] < at["capacity_bound"] < at["replica_symmetric"]
    committee = MACHINES.marks["capacity"].function({"machine": "committee", "K": 3})
    assert committee == pytest.approx(3.145842, abs=1e-5)
    assert math.isnan(MACHINES.theories["gibbs"].function({"machine": "committee", "N": 9, "alpha": 1.0}))


def test_grown_machines_reproduce_everything_within_the_bound():
    for student in ("pocket", "grandmothers"):
        found = values(GROWTH, 0, 8, N=6, alpha=4.0, student=student, epochs=20)
        assert np.all(found["reproduced"] == 1)
        assert np.all(found["units"] <= np.maximum(1, found["negatives"]))
        assert np.all(found["bound"] == 24)
    alone = values(GROWTH, 0, 8, N=6, alpha=4.0, student="grandmothers")
    assert np.all(alone["units"] - alone["grandmothers"] <= 1)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"K": 2}, "K is 2: a committee needs an odd number of units"),
        ({"N": 10}, "N is 10: it is divided among the branches of a tree, so K = 3 must divide it"),
        ({"sweeps": 0}, r"sweeps\n  Input should be greater than or equal to 1"),
        ({"alpha": -1.0}, r"alpha\n  Input should be greater than 0"),
        ({"machine": "lottery"}, "committee"),
        ({"n_units": 3}, "n_units"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(bad, sentence):
    with pytest.raises(ValidationError, match=sentence):
        MACHINES.parameters(**({"machine": "committee", "N": 12, "alpha": 2.0} | bad))


@pytest.mark.slow
def test_least_action_stores_less_than_the_capacity_and_more_than_one_unit():
    sets, alike = 40, {"N": 90, "sweeps": 300}
    one = values(MACHINES, 0, sets, machine="parity", K=1, alpha=2.5, **alike)["learned"].mean()
    parity = values(MACHINES, 0, sets, machine="parity", K=3, alpha=2.5, **alike)["learned"].mean()
    committee = values(MACHINES, 0, sets, machine="committee", K=3, alpha=3.2, **alike)["learned"].mean()
    assert one == 0
    assert parity > 0.8
    assert committee == 0
