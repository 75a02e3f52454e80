"""The compiled dynamics equals plain numpy; energy decreases; ties and cycles as documented."""

import numpy as np
import plain_network as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markone.hopfield import couplings as learned
from markone.hopfield.network import FullMatrix, StoredPatterns
from markone.hopfield.recall_dynamics import Dynamics, settle_state

HOW = Dynamics("sequential", "shuffled", 0.0, "glauber", 30)


def bits(rng, *shape):
    return rng.choice(np.array([-1, 1], dtype=np.int8), shape)


def run(network, S, how, state=7, watch=None):
    S = S.copy()
    done, status = settle_state(network, S, how, np.array([state], dtype=np.uint64), watch)
    return S, done, status


@pytest.mark.parametrize("kind", ["patterns", "patterns64", "matrix", "matrix32", "asymmetric"])
@pytest.mark.parametrize("T", [0.0, 0.6])
@pytest.mark.parametrize("dynamics", ["shuffled", "random", "cyclic", "metropolis", "parallel"])
def test_it_equals_the_plain_network(kind, T, dynamics, monkeypatch):
    rng = np.random.default_rng(3)
    xi = bits(rng, 9, 31)
    w = learned.hebb(xi)
    if kind == "patterns64":
        monkeypatch.setattr("markone.hopfield.network.SMALL_N", 2)
    if kind == "asymmetric":
        w = rng.normal(size=w.shape) / 5
    if kind == "matrix32":
        # Multiples of 2^-10 are the same numbers in both precisions.
        w = np.round(w * 1024) / 1024
    network = StoredPatterns(xi) if "patterns" in kind else FullMatrix(w.astype("f4") if "32" in kind else w)
    rule = "metropolis" if dynamics == "metropolis" else "glauber"
    order = dynamics if dynamics in ("random", "cyclic") else "shuffled"
    for k in range(5):
        S = bits(rng, 31)
        if dynamics == "parallel":
            expected = plain.parallel(w, S, 30, k, T)
            found = run(network, S, Dynamics("parallel", "shuffled", T, "glauber", 30), k)
        else:
            expected = plain.sequential(w, S, 30, k, order, T, rule)
            found = run(network, S, Dynamics("sequential", order, T, rule, 30), k)
        assert np.array_equal(found[0], expected[0])
        assert found[1] == expected[1]


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(2, 40), st.integers(1, 12))
def test_the_energy_never_rises_and_the_end_is_a_fixed_point(seed, N, P):
    rng = np.random.default_rng(seed)
    network = StoredPatterns(bits(rng, P, N))
    S = bits(rng, N)
    seen = [S.copy()]
    end, _, status = run(network, S, HOW, seed, lambda now: seen.append(now.copy()))
    H = network.energy(np.array(seen))
    assert (np.diff(H) <= 1e-12).all()
    assert status == "fixed point"
    assert np.array_equal(np.where(network.fields(end[None])[0] >= 0, 1, -1), end)


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(2, 40), st.integers(1, 12))
def test_parallel_steps_end_in_a_fixed_point_or_a_cycle_of_two(seed, N, P):
    rng = np.random.default_rng(seed)
    xi, S = bits(rng, P, N), bits(rng, N)
    end, _, status = run(StoredPatterns(xi), S, Dynamics("parallel", "shuffled", 0.0, "glauber", 500))
    w = learned.hebb(xi)

    def step(S):
        return np.where(w @ S >= -1e-12, 1, -1)

    assert status == ("fixed point" if np.array_equal(step(end), end) else "cycle of two")
    assert np.array_equal(step(step(end)), end)


def test_two_neurons_that_repel_each_other_blink_in_step():
    w = -np.array([[0.0, 1.0], [1.0, 0.0]])
    how = Dynamics("parallel", "shuffled", 0.0, "glauber", 10)
    assert run(FullMatrix(w), np.array([1, 1], dtype=np.int8), how)[1:] == (2, "cycle of two")
    assert run(FullMatrix(w), np.array([1, 1], dtype=np.int8), HOW)[2] == "fixed point"


def test_without_a_field_a_neuron_goes_up():
    network = FullMatrix(np.zeros((5, 5)))
    for how in (HOW, Dynamics("parallel", "shuffled", 0.0, "glauber", 10)):
        assert run(network, -np.ones(5, dtype=np.int8), how)[0].tolist() == [1] * 5


def test_rounding_does_not_break_a_tie():
    """Ten couplings of 0.1 that cancel give 1e-17 or so: zero, so +1."""
    w = learned.ferromagnet(11) * 1.1
    S = np.array([-1] + [1] * 5 + [-1] * 5, dtype=np.int8)
    for _ in range(20):
        np.random.default_rng(0).shuffle(S[1:])
        h = FullMatrix(w).fields(S[None])[0, 0]
        assert abs(h) < 1e-15
        assert run(FullMatrix(w), S, Dynamics("parallel", "shuffled", 0.0, "glauber", 1))[0][0] == 1


def test_a_cold_start_is_a_sum_over_the_patterns():
    rng = np.random.default_rng(0)
    xi, S = bits(rng, 5, 70), bits(rng, 3, 70)
    w = learned.hebb(xi)
    direct = [-sum(w[i, j] * s[i] * s[j] for j in range(70) for i in range(j)) for s in S.astype(float)]
    for network in (StoredPatterns(xi), FullMatrix(w)):
        assert network.energy(S) == pytest.approx(direct)
        assert network.fields(S) == pytest.approx(S @ w)
        assert network.coupling_matrix() == pytest.approx(w)
    with_own = StoredPatterns(xi, self_coupling=True)
    assert with_own.coupling_matrix() == pytest.approx(xi.T.astype(float) @ xi / 70)
    assert with_own.energy(S) == pytest.approx(direct)
    assert with_own.fields(S) == pytest.approx(S @ with_own.coupling_matrix())


def test_fields_kept_through_many_flips_are_judged_afresh():
    """Couplings of very different size: the large ones leave rounding errors in the fields of the small."""
    rng = np.random.default_rng(1)
    w = rng.normal(size=(40, 40)) * 10.0 ** rng.integers(-12, 6, (40, 40))
    w = np.triu(w, 1) + np.triu(w, 1).T
    network = FullMatrix(w)
    end, _, status = run(network, bits(rng, 40), Dynamics("sequential", "shuffled", 0.0, "glauber", 500))
    assert status == "fixed point"
    assert network.is_fixed_point(end)


@pytest.mark.parametrize("rule", ["glauber", "metropolis"])
def test_thermal_states_have_boltzmann_weights(rule):
    """Four neurons, sixteen states: visited as often as exp(-H/T) says, within 4 standard errors."""
    rng = np.random.default_rng(5)
    w = learned.spin_glass(4, random_state=1)
    network, T, n = FullMatrix(w), 0.7, 40_000
    counts, S = np.zeros(16), bits(rng, 4)

    def note(now):
        counts[int((now > 0) @ (1 << np.arange(4)))] += 1

    run(network, S, Dynamics("sequential", "random", T, rule, n), 11, note)
    every = np.array([[1 if k >> i & 1 else -1 for i in range(4)] for k in range(16)], dtype=np.int8)
    weights = np.exp(-network.energy(every) / T)
    weights /= weights.sum()
    # States after successive sweeps are correlated: a factor 2 on the variance is ample at this T.
    error = np.sqrt(2 * weights * (1 - weights) / n)
    assert np.abs(counts / n - weights).max() < 4 * error.max()
    assert (np.abs(counts / n - weights) < 5 * error).all()
