"""Random labels: the compiled loops equal the plain algorithm set by set, the fraction equals Cover's."""

import math
from itertools import pairwise

import numpy as np
import pytest
from pydantic import ValidationError

from markone.lab.scenarios import find_scenario
from markone.lab.scenarios.storage._inputs import draw_inputs
from markone.lab.scenarios.storage._lanes import LIMIT, learn_in_lanes
from markone.lab.scenarios.storage._one_set import learn_in_float64
from markone.lab.scenarios.storage._split_integers import learn_in_halves
from markone.numerics._random import DATA, ziggurat_edges
from markone.perceptron.theory.capacity import separable_fraction

STORAGE = find_scenario("storage")
EDGES = [float(edge) for edge in ziggurat_edges()]
MASK = 2**64 - 1


def mixed(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Stream:
    """SplitMix64 and the ziggurat in Python integers and floats."""

    def __init__(self, *words):
        self.state = 0
        for word in words:
            self.state = mixed(((self.state ^ word) + 0x9E3779B97F4A7C15) & MASK)

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        return mixed(self.state)

    def uniform(self):
        return (self.bits() >> 11) * 2.0**-53

    def normal(self):
        while True:
            bits = self.bits()
            i, u = bits % 128, 2 * (bits >> 11) * 2.0**-53 - 1
            x = u * EDGES[i]
            if abs(x) < EDGES[i + 1]:
                return x
            if i == 0:
                a, b = -math.log(1 - self.uniform()) / EDGES[1], -math.log(1 - self.uniform())
                if 2 * b > a * a:
                    return math.copysign(EDGES[1] + a, u)
            else:
                low, high = math.exp(-0.5 * EDGES[i] ** 2), math.exp(-0.5 * EDGES[i + 1] ** 2)
                if low + self.uniform() * (high - low) < math.exp(-0.5 * x * x):
                    return x


def plain_set(seed, N, P, repeat):
    """S xi as integers in units of 2^-20."""
    stream = Stream(seed, N, P, repeat, DATA)
    xi = [[round(stream.normal() * 2**20) for _ in range(N)] for _ in range(P)]
    S = [1 if stream.uniform() >= 0.5 else -1 for _ in range(P)]
    return [[s * z for z in row] for s, row in zip(S, xi, strict=True)]


@pytest.mark.parametrize("cut", [1, 7, 8, 9, 16, 61, 256, 6000])
def test_inputs_are_the_stream_one_by_one_wherever_it_is_cut(cut):
    """Eight at a time, wedges and tails between them: the plain numbers, and the stream goes on."""
    stream, state = Stream(4), np.empty(1, np.uint64)
    state[0] = stream.state
    z = np.full(6000, -1, np.int32)
    for first in range(0, len(z), cut):
        draw_inputs(state, z[first : first + cut])
    assert z.tolist() == [round(stream.normal() * 2**20) for _ in z]
    assert state[0] == stream.state
    # Some were from the tail beyond the last edge.
    assert np.abs(z).max() > EDGES[1] * 2**20


def learn_one_by_one(seed, start, P, N, sweeps, converged, used, updates):
    for k in range(len(converged)):
        converged[k], used[k], updates[k] = learn_in_float64(seed, start + k, P, N, sweeps)


def plain_rosenblatt(Z, sweeps):
    """In Python's integers: exact."""
    w, M = [0] * len(Z[0]), 0

    def potential(z):
        return sum(a * b for a, b in zip(w, z, strict=True))

    for sweep in range(sweeps):
        if all(potential(z) > 0 for z in Z):
            return 1, sweep, M
        for z in Z:
            if potential(z) <= 0:
                w = [a + b for a, b in zip(w, z, strict=True)]
                M += 1
    return int(all(potential(z) > 0 for z in Z)), sweeps, M


def block(way, N, P, sweeps, start, stop, *limit, seed=1):
    values = np.empty((3, stop - start))
    way(seed, start, P, N, sweeps, *limit, *values)
    return values


def values(N, alpha, start, stop, sweeps=100, seed=1, exact=True):
    return STORAGE.run(STORAGE.parameters(N=N, alpha=alpha, sweeps=sweeps, exact=exact), seed, start, stop)


@pytest.mark.parametrize(
    ("N", "P", "sweeps"), [(1, 1, 1), (1, 3, 20), (2, 5, 100), (5, 10, 100), (20, 30, 15)]
)
def test_equals_the_algorithm_in_integers(N, P, sweeps):
    plain = np.transpose([plain_rosenblatt(plain_set(3, N, P, k), sweeps) for k in range(17, 37)])
    for way, limit in ((learn_one_by_one, ()), (learn_in_lanes, (LIMIT,)), (learn_in_halves, (LIMIT,))):
        assert np.array_equal(block(way, N, P, sweeps, 17, 37, *limit, seed=3), plain)


@pytest.mark.parametrize(("N", "sets"), [(1, 300), (2, 300), (5, 300), (20, 150), (40, 70), (100, 40)])
@pytest.mark.parametrize("alpha", [0.5, 1.5, 2.0, 3.0])
def test_the_fast_loops_equal_float64_set_by_set(N, sets, alpha):
    P = max(1, round(alpha * N))
    reference = block(learn_one_by_one, N, P, 100, 5, 5 + sets)
    assert np.array_equal(block(learn_in_lanes, N, P, 100, 5, 5 + sets, LIMIT), reference)
    assert np.array_equal(block(learn_in_halves, N, P, 100, 5, 5 + sets, LIMIT), reference)


@pytest.mark.parametrize("way", [learn_in_lanes, learn_in_halves])
def test_a_set_whose_weights_outgrow_the_integers_is_learned_in_float64(way):
    # w of a few units xi: many sets pass 2^23 = 8, some do not
    for N, P, limit in ((5, 12, 2**22), (20, 70, 2**23), (30, 75, 2**24)):
        reference = block(learn_one_by_one, N, P, 60, 0, 50)
        assert np.array_equal(block(way, N, P, 60, 0, 50, limit), reference)


@pytest.mark.parametrize(("N", "alpha"), [(5, 2.0), (20, 1.7), (250, 1.2)])
def test_blocks_may_be_cut_anywhere(N, alpha):
    n = 12 if N > 100 else 90
    whole = values(N, alpha, 0, n, sweeps=30)
    rng = np.random.default_rng(N)
    for _ in range(3):
        cuts = [0, *sorted(rng.choice(np.arange(1, n), size=4, replace=False).tolist()), n]
        parts = [values(N, alpha, a, b, sweeps=30) for a, b in pairwise(cuts)]
        for name in STORAGE.measures:
            assert np.array_equal(np.concatenate([part[name] for part in parts]), whole[name])


def test_an_empty_block_is_empty():
    assert all(column.shape == (0,) for column in values(5, 2.0, 3, 3).values())


@pytest.mark.parametrize(
    ("N", "alpha", "sets"), [(1, 3.0, 2000), (2, 2.0, 2000), (5, 2.0, 2000), (20, 1.8, 600), (40, 2.2, 200)]
)
def test_the_separable_fraction_is_cover_s(N, alpha, sets):
    result = values(N, alpha, 0, sets)
    expected = separable_fraction(round(alpha * N), N)
    assert STORAGE.theories["cover"].function({"N": N, "alpha": alpha}) == expected
    assert not np.isnan(result["separable"]).any()
    error = math.sqrt(expected * (1 - expected) / sets)
    assert abs(result["separable"].mean() - expected) < 4 * error
    assert np.all(result["converged"] <= result["separable"])


def test_up_to_n_examples_are_always_separable():
    assert np.all(values(10, 1.0, 0, 500)["separable"] == 1)


def test_more_sweeps_only_add_to_what_is_learned():
    few, many = values(20, 2.0, 0, 300, sweeps=20), values(20, 2.0, 0, 300, sweeps=200)
    assert np.all(few["converged"] <= many["converged"])
    assert few["converged"].sum() < many["converged"].sum()
    learned = few["converged"] == 1
    for name in ("sweeps_used", "updates"):
        assert np.array_equal(few[name][learned], many[name][learned])
    assert np.all(few["sweeps_used"][~learned] == 20)
    assert np.array_equal(few["separable"], many["separable"])


def test_stopped_after_100_sweeps_as_in_the_source():
    # 5000 sets of an independent implementation: .245 at N = 20, alpha = 2, where Cover counts one half
    fraction = values(20, 2.0, 0, 3000, exact=False)["converged"].mean()
    assert abs(fraction - 0.245) < 4 * math.sqrt(0.245 * 0.755 * (1 / 3000 + 1 / 5000))


def test_without_exact_separability_is_not_decided():
    assert np.isnan(values(5, 2.0, 0, 4, exact=False)["separable"]).all()


def test_measures_are_those_declared():
    assert list(values(5, 2.0, 0, 4)) == list(STORAGE.measures)


@pytest.mark.parametrize(
    ("N", "alpha", "P"), [(5, 0.01, 1), (5, 0.5, 2), (5, 0.7, 4), (5, 1.5, 8), (1, 1.0, 1)]
)
def test_examples_are_rounded_half_to_even_and_never_none(N, alpha, P):
    assert STORAGE.parameters(N=N, alpha=alpha).P == P


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"N": 0}, "N is 0: it counts and must be at least 1"),
        ({"sweeps": 0}, "sweeps is 0"),
        ({"alpha": 0.0}, "alpha is 0.0: examples per input, P/N, must be positive"),
        ({"alpha": math.nan}, "alpha is nan"),
        ({"alpha": math.inf}, "alpha is inf"),
        ({"N": 2.5}, "valid integer"),
        ({"n_max": 100}, "n_max"),
    ],
)
def test_bad_parameters_raise_with_a_message(bad, sentence):
    with pytest.raises(ValidationError, match=sentence):
        STORAGE.parameters(**({"N": 5, "alpha": 2.0} | bad))
