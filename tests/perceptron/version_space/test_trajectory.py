"""Billiards in version space: a plain reference of a turn, exact distributions, rejection sampling."""

import math

import numpy as np
import pytest
from scipy import sparse, stats

from markone.data import teacher_examples
from markone.numerics._random import draw_normal
from markone.numerics._rows import Sparse
from markone.perceptron.version_space._trajectory import QUARTER, Walls, draw_students_entry

MOST = 10**6


def turn(Z, w, v, wall, time):
    """Follow (w, v) from wall to wall, each hit by its definition; (w, number of hits)."""
    hits, last = 0, None
    while True:
        E, F = Z @ w, Z @ v
        times = np.arctan2(-E, F) % math.pi
        # The wall just hit is at E = 0 up to rounding: its next time is half a turn away.
        if last is not None:
            times[last] = math.pi
        mu = int(times.argmin())
        t = min(times[mu], time)
        w, v = w * math.cos(t) + v * math.sin(t), v * math.cos(t) - w * math.sin(t)
        time -= t
        if time <= 0:
            return w, hits
        n = Z[mu] / np.linalg.norm(Z[mu])
        speed = v @ n
        # Towards smaller E the example becomes wrong: up the step; otherwise down.
        energy = speed**2 - 2 * wall * (1 if speed < 0 else -1)
        new = math.copysign(math.sqrt(energy), speed) if energy > 0 else -speed
        v = v + (new - speed) * n
        hits, last = hits + 1, mu


def geometry(xi, S):
    Z = xi * S[:, None]
    G = Z @ Z.T
    return G, np.sqrt(np.diag(G))


def run(xi, S, wall, w, n, turns=1, seed=1, rows=None, keep=True):
    G, lengths = geometry(xi, S)
    out, wrong, state = np.empty((n, xi.shape[1])), np.empty(n), np.array([seed], np.uint64)
    G = G if keep else np.empty((0, 0))
    walls = Walls(rows or xi, S, G, lengths, float(wall))
    hits, cut = draw_students_entry(walls, QUARTER, turns, MOST, w, state, out, wrong)
    assert cut == 0
    return out, wrong, hits


@pytest.mark.parametrize("noise", [0.0, 0.1, 0.4])
def test_a_turn_equals_the_plain_one(noise):
    xi, S, w = teacher_examples(60, 12, noise, seed=4)
    wall = math.log((1 - noise) / noise) if noise else math.inf
    state = np.array([3], np.uint64)
    now, hits = w.copy(), 0
    for _ in range(3):
        v = np.array([draw_normal(state) for _ in range(12)])
        now, more = turn(xi * S[:, None], now, v, wall, QUARTER)
        hits += more
    out, wrong, counted = run(xi, S, wall, w.copy(), 1, turns=3, seed=3)
    assert hits == counted > 20
    np.testing.assert_allclose(out[0], now / np.linalg.norm(now), atol=1e-9)
    assert wrong[0] == np.sum(S * (xi @ now) < 0)


def test_sparse_rows_and_a_matrix_too_large_to_keep_give_the_same_walk():
    xi, S, w = teacher_examples(40, 10, 0.1, seed=1)
    expected = run(xi, S, 2.0, w.copy(), 5)[0]
    A = sparse.csr_array(xi)
    rows = Sparse(A.data, A.indices, A.indptr, 10)
    np.testing.assert_allclose(run(xi, S, 2.0, w.copy(), 5, rows=rows)[0], expected, atol=1e-9)
    np.testing.assert_allclose(run(xi, S, 2.0, w.copy(), 5, keep=False)[0], expected, atol=1e-9)


def test_no_step_of_a_hundred_thousand_hits_leaves_version_space():
    xi, S, w = teacher_examples(500, 30, seed=0)
    out, wrong, hits = run(xi, S, math.inf, w.copy(), 600)
    assert hits > 1e5
    assert np.min(out @ (xi * S[:, None]).T) > -1e-13
    assert not wrong.any()


def test_two_dimensions_an_arc_is_filled_uniformly():
    # Walls at 0 and at 0.3 radians.
    xi = np.array([[0.0, 1.0], [math.sin(0.3), -math.cos(0.3)]])
    out, _, _ = run(xi, np.ones(2), math.inf, np.array([1.0, 0.1]), 4000, turns=2)
    angles = np.arctan2(out[:, 1], out[:, 0]) / 0.3
    assert stats.kstest(angles, "uniform").pvalue > 0.01


def test_three_dimensions_an_octant_is_filled_uniformly():
    out, _, _ = run(np.eye(3), np.ones(3), math.inf, np.ones(3), 4000, turns=2)
    for j in range(3):
        # Archimedes: every coordinate is uniform, given the quarter circle of the other two.
        assert stats.kstest(out[:, j], "uniform").pvalue > 0.01
    azimuth = np.arctan2(out[:, 1], out[:, 0]) / (math.pi / 2)
    assert stats.kstest(azimuth, "uniform").pvalue > 0.01


def test_two_dimensions_with_noise_each_sector_has_its_weight():
    directions = np.array([0.2, 1.1, 2.5])
    xi = np.column_stack([np.cos(directions), np.sin(directions)])
    s = 0.25
    out, wrong, _ = run(xi, np.ones(3), -math.log(s), np.array([1.0, 0.0]), 20_000, turns=2)
    grid = (np.arange(100_000) + 0.5) * 2 * math.pi / 100_000
    k = np.sum(np.column_stack([np.cos(grid), np.sin(grid)]) @ xi.T < 0, axis=1)
    weight = s**k / np.sum(s**k)
    expected = np.bincount(k, weight, minlength=4)
    measured = np.bincount(wrong.astype(int), minlength=4) / len(wrong)
    np.testing.assert_allclose(measured, expected, atol=4 * np.sqrt(0.5 / len(wrong)))
    # Inside the sectors too.
    bins = np.linspace(0, 2 * math.pi, 25)
    density = np.histogram(np.arctan2(out[:, 1], out[:, 0]) % (2 * math.pi), bins)[0] / len(out)
    np.testing.assert_allclose(density, np.histogram(grid, bins, weights=weight)[0], atol=0.006)


@pytest.mark.parametrize("noise", [0.0, 0.15])
def test_small_polytopes_agree_with_rejection_sampling(noise):
    rng = np.random.default_rng(5)
    xi = rng.standard_normal((6, 4)) * rng.uniform(0.1, 10, (6, 1))
    S, w = np.where(xi.sum(axis=1) >= 0, 1.0, -1.0), np.ones(4)
    s = noise / (1 - noise)
    uniform = rng.standard_normal((400_000, 4))
    uniform /= np.linalg.norm(uniform, axis=1, keepdims=True)
    k = np.sum(uniform @ (xi * S[:, None]).T < 0, axis=1)
    weight = s**k / np.sum(s**k) if noise else (k == 0) / np.sum(k == 0)
    wall = -math.log(s) if noise else math.inf
    out, wrong, _ = run(xi, S, wall, w, 20_000, turns=2)
    ours, theirs = (np.column_stack([x, x**2, x[:, :1] * x[:, 1:], np.tanh(3 * x)]) for x in (out, uniform))
    exact = weight @ theirs
    variance = weight @ (theirs - exact) ** 2
    # Rejection has an error of its own: the effective number of its draws is 1/sum weight^2.
    error = np.sqrt(variance * (2 / len(out) + np.sum(weight**2)))
    assert np.abs((ours.mean(axis=0) - exact) / error).max() < 4
    np.testing.assert_allclose(np.mean(wrong), weight @ k, atol=0.03)
