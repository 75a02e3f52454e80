"""Reference implementations of the random data of the scenarios: SplitMix64 in Python integers."""

import math
from itertools import pairwise

import numpy as np

from markone.numerics._random import EDGES

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15
DATA, TRAINING, INPUT_NOISE = 1, 2, 6


def mixed(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


class Stream:
    """The stream named by (seed, N, P, repeat, purpose)."""

    def __init__(self, seed, N, P, repeat, purpose=DATA):
        self.state = 0
        for word in (seed, N, P, repeat, purpose):
            self.state = mixed(((self.state ^ word) + GOLDEN) % WORD)

    def bits(self):
        self.state = (self.state + GOLDEN) % WORD
        return mixed(self.state)

    def uniform(self):
        return (self.bits() >> 11) * 2.0**-53

    def normal(self):
        while True:
            bits = self.bits()
            i, u = bits & 127, 2.0 * ((bits >> 11) * 2.0**-53) - 1.0
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


def examples(seed, N, P, repeat, labels="teacher", noise=0.0, input_noise=0.0):
    """xi row by row, then one uniform number per example for its label; S times the inputs gets the noise."""
    stream = Stream(seed, N, P, repeat)
    xi = np.array([[stream.normal() for _ in range(N)] for _ in range(P)])
    u = np.array([stream.uniform() for _ in range(P)])
    if labels == "random":
        return xi, np.where(u >= 0.5, 1.0, -1.0)
    S = np.where(xi.sum(axis=1) >= 0, 1.0, -1.0)
    S = np.where(u < noise, -S, S)
    noisy = Stream(seed, N, P, repeat, INPUT_NOISE) if input_noise else None
    rows = [[input_noise * noisy.normal() for _ in range(N)] if noisy else np.zeros(N) for _ in range(P)]
    return xi + S[:, None] * np.array(rows), S


def in_pieces(scenario, parameters, seed, cuts):
    """The values of the repeats cuts[0] .. cuts[-1], computed block by block and joined."""
    blocks = [scenario.run(parameters, seed, a, b) for a, b in pairwise(cuts)]
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def same(a, b):
    """Bit for bit, NaN equal to NaN."""
    assert a.keys() == b.keys()
    for name in a:
        assert a[name].dtype == np.float64
        assert np.array_equal(a[name], b[name], equal_nan=True), name


def far(values, expected, allowance=0.0):
    """Distance of the mean from its expectation in standard errors, after an allowance for 1/N."""
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return max(abs(np.mean(values) - expected) - allowance, 0.0) / error


class Ones:
    """Student that ignores the data: w = (1, .., 1)."""

    def fit(self, xi, S):
        self.coef_ = np.ones((1, xi.shape[1]))
        return self

    def predict(self, xi):
        return np.where(xi.sum(axis=1) >= 0, 1.0, -1.0)


def error_of_ones(scenario, point, monkeypatch, repeats=400):
    """Mean generalization error of `Ones` in place of the student of a point, in standard errors from 1/2."""
    target = "markone.lab.scenarios.estimators.student_expressions.seeded_student"
    monkeypatch.setattr(target, lambda *given: Ones())
    values = scenario.run(scenario.parameters(**point), 5, 0, repeats)["epsilon_g"]
    return (values.mean() - 0.5) / (values.std() / np.sqrt(repeats))
