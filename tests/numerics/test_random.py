"""Random numbers inside compiled loops: the published bits, the right distributions, one state."""

import numba
import numpy as np
import pytest
from scipy import stats

from markone.numerics import _random as r


@numba.njit
def uniforms(state, n):
    return np.array([r.draw_uniform(state) for _ in range(n)])


@numba.njit
def normals(state, n):
    return np.array([r.draw_normal(state) for _ in range(n)])


@numba.njit
def chi_squares(state, k, n):
    return np.array([r.draw_chi_square(state, k) for _ in range(n)])


def seeded(seed):
    return np.array([seed], dtype=np.uint64)


def splitmix(seed, n):
    """Steele, Lea and Flood 2014 with Python's integers."""
    mask = 2**64 - 1
    for _ in range(n):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def test_uniform_is_the_high_bits_of_splitmix64():
    state = seeded(12345)
    assert list(uniforms(state, 20)) == [(z >> 11) * 2.0**-53 for z in splitmix(12345, 20)]


def test_a_stream_can_be_interrupted():
    one, two = seeded(7), seeded(7)
    assert np.array_equal(normals(one, 100), np.concatenate([normals(two, 40), normals(two, 60)]))


def test_uniform_distribution():
    u = uniforms(seeded(1), 400_000)
    assert u.min() >= 0
    assert u.max() < 1
    assert stats.kstest(u, "uniform").pvalue > 1e-3


def test_all_boxes_of_the_ziggurat_have_the_same_area():
    x = r.ziggurat_edges()
    f = np.exp(-0.5 * x**2)
    # boxes 1..127 between their lower and upper edge; box 0 is the base strip and the tail
    areas = x[1:-1] * (f[2:] - f[1:-1])
    tail = np.sqrt(2 * np.pi) * stats.norm.sf(x[1])
    assert np.allclose(areas, 9.91256303526217e-3, rtol=1e-9)
    assert x[1] * f[1] + tail == pytest.approx(9.91256303526217e-3, rel=1e-9)
    assert x[0] * f[1] == pytest.approx(9.91256303526217e-3, rel=1e-9)


def test_normal_distribution():
    x = normals(seeded(2), 1_000_000)
    assert stats.kstest(x, "norm").pvalue > 1e-3
    # moments within 4 standard errors
    for power, moment, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96), (6, 15, 10395 - 225)):
        assert abs(np.mean(x**power) - moment) < 4 * np.sqrt(variance / x.size)


def test_the_tail_beyond_the_last_box_is_gaussian():
    x = np.abs(normals(seeded(3), 4_000_000))
    tail = x[x > r.TAIL]
    expected = 2 * stats.norm.sf(r.TAIL)
    assert abs(tail.size / x.size - expected) < 4 * np.sqrt(expected / x.size)
    uniform = stats.norm.sf(tail) / stats.norm.sf(r.TAIL)
    assert stats.kstest(uniform, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("k", [1, 2, 3, 8, 998])
def test_chi_square_distribution(k):
    assert stats.kstest(chi_squares(seeded(k), k, 100_000), "chi2", args=(k,)).pvalue > 1e-3


def test_chi_square_without_degrees_of_freedom_is_zero():
    assert np.all(chi_squares(seeded(4), 0, 10) == 0)
