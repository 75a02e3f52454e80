"""Recurrent networks (1.7): the book, limits, known fixed points, bad input."""

import numpy as np
import pytest
from scipy.optimize import brentq

from markone.hopfield import Hopfield
from markone.networks import respond


def test_parallel_steps_equal_the_book():
    rng = np.random.default_rng(0)
    w, S = rng.standard_normal((5, 5)), rng.standard_normal(5)
    found = respond(w, S, gain=0.7, threshold=0.2, max_iter=4, tol=0.0).states
    for t in range(4):
        S = np.array([np.tanh(0.7 * (sum(w[i, j] * S[j] for j in range(5)) - 0.2)) for i in range(5)])
        np.testing.assert_allclose(found[t + 1], S, rtol=1e-12)


def test_sequential_steps_use_what_is_new():
    w = np.array([[0.0, 2.0], [1.5, 0.0]])
    first = np.tanh(2.0 * 0.3)
    np.testing.assert_allclose(
        respond(w, [0.1, 0.3], dynamics="cyclic", max_iter=1).states[1], [first, np.tanh(1.5 * first)]
    )


def test_one_neuron_settles_where_it_must():
    """S = tanh(g S) has a second solution for g > 1."""
    fixed = brentq(lambda s: s - np.tanh(2 * s), 0.1, 1)
    assert respond([[1.0]], [0.5], gain=2.0, max_iter=1000).states[-1, 0] == pytest.approx(fixed)
    assert respond([[1.0]], [0.5], gain=0.5).states[-1, 0] == pytest.approx(0.0, abs=1e-8)


def test_an_infinite_gain_is_the_hopfield_network():
    rng = np.random.default_rng(1)
    memory = Hopfield(dynamics="parallel", random_state=0).fit(np.sign(rng.standard_normal((2, 40))))
    start = memory.patterns_[0] * np.where(rng.random(40) < 0.1, -1, 1)
    answer = respond(memory.couplings_, start, gain=np.inf)
    assert answer.settled
    np.testing.assert_array_equal(answer.states[-1], memory.recall(start[None]).states[0])


def test_a_loop_of_one_direction_never_rests():
    """Three neurons in a ring with one inhibition: the stimulus travels round for ever."""
    ring = np.array([[0, 0, -1.0], [1.0, 0, 0], [0, 1.0, 0]])
    answer = respond(ring, [1.0, 1.0, 1.0], gain=np.inf, max_iter=60)
    assert not answer.settled
    assert answer.steps == 60
    np.testing.assert_array_equal(answer.states[0], answer.states[6])


def test_bad_input():
    with pytest.raises(ValueError, match=r"w has shape \(2, 3\)"):
        respond(np.zeros((2, 3)), [1.0, 1.0])
    with pytest.raises(ValueError, match="choose 'parallel'"):
        respond(np.zeros((1, 1)), [1.0], dynamics="both")
    with pytest.raises(ValueError, match="finite"):
        respond([[np.nan]], [1.0])
