"""A drifting teacher: its overlap with time, labels, error messages."""

import numpy as np
import pytest

from markone.data.teachers import drifting_examples


def test_each_turn_has_the_overlap_asked_for():
    xi, S, w_star = drifting_examples(300, 20, 0.5, seed=0)
    np.testing.assert_allclose(np.sum(w_star**2, axis=1), 20)
    np.testing.assert_allclose(np.sum(w_star[1:] * w_star[:-1], axis=1) / 20, 1 - 0.5 / 20)
    np.testing.assert_array_equal(S, np.where(np.sum(xi * w_star, axis=1) >= 0, 1, -1))
    np.testing.assert_array_equal(w_star[0], np.ones(20))


def test_the_overlap_falls_as_a_power_on_average():
    overlaps = [drifting_examples(41, 10, 0.5, seed=k).w_star[-1].sum() / 10 for k in range(500)]
    error = np.std(overlaps) / np.sqrt(500)
    assert abs(np.mean(overlaps) - (1 - 0.05) ** 40) < 3.5 * error


def test_noise_flips_labels_and_no_drift_is_one_teacher():
    xi, S, w_star = drifting_examples(4000, 5, 0.0, 0.2, seed=1)
    np.testing.assert_allclose(w_star, 1, rtol=1e-9)
    assert np.mean(np.where(xi.sum(axis=1) >= 0, 1, -1) != S) == pytest.approx(0.2, abs=0.025)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((0, 5, 0.1), "P = 0 examples in N = 5"),
        ((5, 1, 0.1), "N must be 2 or more"),
        ((5, 5, 6.0), r"drift = 6.0: .* \[0, N\]"),
        ((5, 5, 0.1, 1.5), "noise = 1.5 is the probability"),
    ],
)
def test_nonsense_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        drifting_examples(*arguments)
