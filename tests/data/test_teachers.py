"""Examples: their laws, and the same seed gives the same set."""

import numpy as np
import pytest

from markone.data import random_dichotomy, teacher_examples


def test_labels_are_the_teachers_but_for_the_noise():
    clean = teacher_examples(4000, 5, seed=1)
    noisy = teacher_examples(4000, 5, noise=0.2, seed=1)
    assert (np.sign(clean.xi @ clean.w_star) == clean.S).all()
    np.testing.assert_array_equal(clean.xi, noisy.xi)
    flipped = np.mean(clean.S != noisy.S)
    assert abs(flipped - 0.2) < 4 * np.sqrt(0.16 / 4000)


def test_inputs_are_standard_normal_and_labels_fair():
    xi, S, teacher = random_dichotomy(20_000, 4, seed=2)
    assert teacher is None
    assert abs(xi.mean()) < 4 / np.sqrt(80_000)
    assert abs(xi.var() - 1) < 4 * np.sqrt(2 / 80_000)
    assert abs(S.mean()) < 4 / np.sqrt(20_000)


def test_a_seed_is_a_set():
    np.testing.assert_array_equal(random_dichotomy(5, 3, seed=7).xi, random_dichotomy(5, 3, seed=7).xi)


def test_bad_sizes_and_noise_get_a_sentence():
    with pytest.raises(ValueError, match="P = 0 examples in N = 3 dimensions"):
        random_dichotomy(0, 3)
    with pytest.raises(ValueError, match=r"noise = 1.5 is the probability"):
        teacher_examples(3, 3, noise=1.5)
