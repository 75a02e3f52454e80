"""Separability of a block of repeats. Sets that the fast decision leaves open are decided again."""

import numpy as np

from markone.lab.scenarios.rule import _separable
from markone.lab.scenarios.rule._examples import draw_signed_examples
from markone.lab.scenarios.storage import _one_set
from markone.lab.scenarios.storage._lanes import SIDE_BY_SIDE
from markone.lab.scenarios.storage._newton import decide_side_by_side
from markone.lab.scenarios.storage._proofs import MOST_TERMS
from markone.numerics.arrays import Floats
from markone.perceptron.separable.certify import certify_rows

# Largest N for which sets side by side in float32 are decided faster than one by one in float64 (measured:
# twice as fast at N = 40, no faster at N = 60).
FEW_INPUTS = 40


def separable_sets(seed: int, start: int, stop: int, P: int, N: int, labels: int, noise: float) -> Floats:
    """1 or 0, proven; NaN if the set is too large for the careful decision."""
    out = _separable.decide_separable_block(seed, start, stop, P, N, labels, noise)
    for k in np.flatnonzero(np.isnan(out)):
        Z = np.empty((P, N))
        draw_signed_examples(seed, N, P, start + int(k), labels, noise, Z)
        out[k] = _decide_carefully(Z)
    return np.asarray(out)


def decide_storage_sets(seed: int, start: int, P: int, N: int, converged: Floats, out: Floats) -> None:
    """Fill `out` with the same for the sets of `storage`. A set that Rosenblatt has learned is separable: w
    is the proof. The others are decided in float32 if N is small; those left in float64, then carefully."""
    out[:] = 1.0
    numbers = np.flatnonzero(converged == 0.0)
    answers = np.full(len(numbers), np.nan)
    if N <= FEW_INPUTS and P * N <= SIDE_BY_SIDE and P <= MOST_TERMS:
        decide_side_by_side(seed, start + numbers, P, N, answers)
    left = np.flatnonzero(np.isnan(answers))
    if len(left):
        found = np.empty(len(left))
        _one_set.separate_one_by_one(seed, start + numbers[left], P, N, found)
        answers[left] = found
    out[numbers] = answers
    for k in np.flatnonzero(np.isnan(out)):
        Z, Y = np.empty((P, N), np.int32), np.empty((P, N))
        _one_set.draw_float_set(seed, start + int(k), np.empty(1, np.uint64), Z, Y)
        out[k] = _decide_carefully(Y)


def _decide_carefully(Z: Floats) -> float:
    """1, 0 or NaN (open) for the rows Z = S xi."""
    found = certify_rows(Z, _separable.TOL, _separable.MAX_ITER)[0].separable
    return np.nan if found is None else float(found)
