"""The generic iteration: quiet epochs, and continuation by a second call."""

import numpy as np
import pytest

from markone.numerics._random import CYCLIC
from markone.perceptron.base._loops import ExampleOrder, LoopSettings
from markone.perceptron.students._adatron import adaline_w, adatron_x

XI, S, H = np.eye(2), np.ones(2), np.full(2, 0.5)


def one_epoch(w, still, epochs=1):
    state, turn, x = np.array([0], dtype=np.uint64), np.arange(2), np.zeros(2)
    settings, turns = LoopSettings(1.0, 0.0, np.full(2, np.inf), still), ExampleOrder(CYCLIC, turn, state)
    return adaline_w(XI, S, H, w, x, settings, epochs, turns), x


@pytest.mark.parametrize(
    ("w", "quiet"), [([0.0, 1 - 1e-6], False), ([1 - 1e-6, 0.0], False), ([1.0, 1.0], True)]
)
def test_an_epoch_is_quiet_if_its_largest_change_is_small_whichever_comes_last(w, quiet):
    (epochs, updates, ended), _ = one_epoch(np.array(w), still=1e-3)
    assert (epochs, updates, ended) == (1, 0 if quiet else 2, quiet)


def test_it_ends_with_the_first_quiet_epoch_and_not_before():
    w = np.zeros(2)
    (epochs, updates, ended), x = one_epoch(w, still=0.0, epochs=10)
    assert (epochs, updates, ended) == (2, 2, True)
    np.testing.assert_array_equal(w, XI.T @ x / 2)


@pytest.mark.parametrize("x", [[0.0, 2 - 1e-6], [2 - 1e-6, 0.0]])
def test_quiet_epochs_on_embeddings(x):
    x, C = np.array(x), np.eye(2) / 2
    turns = ExampleOrder(CYCLIC, np.arange(2), np.array([0], dtype=np.uint64))
    settings = LoopSettings(1.0, 0.0, np.full(2, np.inf), 1e-3)
    assert adatron_x(C, x, C @ x, settings, 1, turns) == (1, 2, False)
