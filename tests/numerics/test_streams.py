"""Streams keyed by (seed, N, P, repeat, purpose): the published mixing, all of them different."""

import numba
import numpy as np
import pytest

from markone.numerics._random import DATA, TRAINING, draw_uniform, seed_stream

MASK = 2**64 - 1


@numba.njit
def keyed(seed, N, P, repeat, purpose):
    state = np.empty(1, np.uint64)
    seed_stream(state, seed, N, P, repeat, purpose)
    return state


@numba.njit
def uniforms(state, n):
    return np.array([draw_uniform(state) for _ in range(n)])


def mixed(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def plain(*words):
    """Steele, Lea and Flood's finaliser in Python's integers, word after word."""
    z = 0
    for word in words:
        z = mixed(((z ^ word) + 0x9E3779B97F4A7C15) & MASK)
    return z


@pytest.mark.parametrize(
    "words", [(0, 1, 1, 0, DATA), (1, 20, 40, 7, TRAINING), (2**63 - 1, 1000, 2000, 5, DATA)]
)
def test_the_key_is_the_finaliser_word_after_word(words):
    assert int(keyed(*words)[0]) == plain(*words)


def test_neighbours_and_exchanged_words_give_different_streams():
    words = [
        (s, N, P, r, p)
        for s in range(4)
        for N in range(1, 5)
        for P in range(1, 5)
        for r in range(5)
        for p in (DATA, TRAINING)
    ]
    assert len({int(keyed(*w)[0]) for w in words}) == len(words)


def test_neighbouring_streams_are_not_correlated():
    draws = np.array([uniforms(keyed(1, 20, 40, r, DATA), 1000) for r in range(60)])
    correlations = np.corrcoef(draws)[np.triu_indices(60, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(1000)
    assert np.mean(correlations**2) == pytest.approx(1 / 1000, rel=0.2)
