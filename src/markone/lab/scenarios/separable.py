"""Separability of a block of repeats. Sets that the fast decision leaves open are decided again."""

import numpy as np

from markone.lab.scenarios.rule import _stability
from markone.lab.scenarios.rule._examples import add_input_noise, draw_signed_examples
from markone.lab.scenarios.storage import _one_set
from markone.numerics.arrays import Floats
from markone.perceptron.separable.certify import certify_rows


def separable_sets(
    seed: int, start: int, stop: int, P: int, N: int, labels: int, noise: float, input_noise: float = 0.0
) -> Floats:
    """1 or 0, proven; NaN if the set is too large for the careful decision."""
    out = _stability.decide_separable_block(seed, start, stop, P, N, labels, noise, input_noise)
    for k in np.flatnonzero(np.isnan(out)):
        Z = np.empty((P, N))
        draw_signed_examples(seed, N, P, start + int(k), labels, noise, Z)
        add_input_noise(seed, N, P, start + int(k), input_noise, Z)
        out[k] = _decide_carefully(Z)
    return np.asarray(out)


def decide_storage_sets(seed: int, start: int, P: int, N: int, converged: Floats, out: Floats) -> None:
    """Fill `out` with the same for the sets of `storage`. A set that Rosenblatt has learned is separable: w
    is the proof."""
    out[:] = 1.0
    numbers = np.flatnonzero(converged == 0.0)
    answers = np.empty(len(numbers))
    _one_set.separate_sets(seed, start + numbers, P, N, answers)
    out[numbers] = answers
    for k in np.flatnonzero(np.isnan(out)):
        Z, Y = np.empty((P, N), np.int32), np.empty((P, N))
        _one_set.draw_float_set(seed, start + int(k), np.empty(1, np.uint64), Z, Y)
        out[k] = _decide_carefully(Y)


def _decide_carefully(Z: Floats) -> float:
    """1, 0 or NaN (open) for the rows Z = S xi."""
    found = certify_rows(Z, _stability.TOL, _stability.MAX_ITER)[0].separable
    return np.nan if found is None else float(found)
