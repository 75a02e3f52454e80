"""Fold after fold as repeats: 5 x 10 cross-validation is fifty repeats, ten to each new shuffle."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from sklearn.model_selection import StratifiedKFold

from markone.lab.real_data.examples import examples
from markone.numerics.arrays import Array

# Instead of a number of folds: each example is left out once, in the order of the file.
LEAVE_ONE_OUT = 0


def targets(data: str, digit: int) -> Array:
    """+-1 for one digit against the rest, or the ten labels themselves where digit is -1."""
    digits = examples(data)[1]
    return digits if digit < 0 else np.where(digits == digit, 1, -1)


@lru_cache(maxsize=64)
def _shuffled(data: str, digit: int, folds: int, seed: int, round_: int) -> list[tuple[Array, Array]]:
    y = targets(data, digit)
    # One number for scikit-learn from all that the shuffle depends on.
    state = int(np.random.SeedSequence((seed, folds, round_)).generate_state(1)[0])
    return list(StratifiedKFold(folds, shuffle=True, random_state=state).split(np.zeros(len(y)), y))


def splits(
    data: str, digit: int, folds: int, seed: int, start: int, stop: int
) -> Iterator[tuple[Array, Array]]:
    """Training and test indices of the repeats start .. stop-1."""
    P = len(examples(data)[1])
    for k in range(start, stop):
        if folds == LEAVE_ONE_OUT:
            yield np.delete(np.arange(P), k % P), np.array([k % P])
        else:
            yield _shuffled(data, digit, folds, seed, k // folds)[k % folds]
