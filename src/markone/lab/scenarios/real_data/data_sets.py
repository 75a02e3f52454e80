"""Real data sets as arrays, and their folds as repeats.

Handwritten digits are semeion where it is available, otherwise scikit-learn's. 5 x 10 cross-validation is
fifty repeats, ten per shuffle.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, ConfigDict
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from markone.data import find_semeion, load
from markone.lab.scenario import Settings
from markone.numerics.arrays import Array

SETS = ("semeion", "digits")
# Number of folds that stands for leave-one-out, in the order of the file.
LEAVE_ONE_OUT = 0


def _resolve_name(name: str) -> str:
    """Resolve "handwritten" to the data set that is used; results are stored under that name."""
    if name == "handwritten":
        return "digits" if find_semeion() is None else "semeion"
    if name not in SETS:
        raise ValueError(f"data = {name!r}: it must be semeion, digits, or handwritten (the first at hand)")
    return name


class DigitSettings(Settings):
    """Parameters of a scenario on handwritten digits."""

    model_config = ConfigDict(validate_default=True)

    data: Annotated[str, AfterValidator(_resolve_name)] = "handwritten"


@cache
def load_examples(name: str) -> tuple[Array, Array]:
    """Inputs (P, N) and labels (P,) of a named data set, in the order of the file."""
    table = load(name)
    X, y = np.ascontiguousarray(table.X, dtype=float), np.asarray(table.y, dtype=int)
    X.setflags(write=False)
    y.setflags(write=False)
    return X, y


def image_side(name: str) -> int:
    """Number of pixels along one side of an image."""
    return int(np.sqrt(load_examples(name)[0].shape[1]))


def binary_targets(data: str, digit: int) -> Array:
    """+-1 for one digit against the rest; the ten labels if digit is -1."""
    digits = load_examples(data)[1]
    return digits if digit < 0 else np.where(digits == digit, 1, -1)


@lru_cache(maxsize=64)
def _shuffled_folds(data: str, digit: int, folds: int, seed: int, round_: int) -> list[tuple[Array, Array]]:
    y = binary_targets(data, digit)
    # One random state from everything the shuffle depends on.
    state = int(np.random.SeedSequence((seed, folds, round_)).generate_state(1)[0])
    return list(StratifiedKFold(folds, shuffle=True, random_state=state).split(np.zeros(len(y)), y))


def fold_splits(
    data: str, digit: int, folds: int, seed: int, start: int, stop: int
) -> Iterator[tuple[Array, Array]]:
    """Training and test indices of the repeats start .. stop-1."""
    P = len(load_examples(data)[1])
    for k in range(start, stop):
        if folds == LEAVE_ONE_OUT:
            yield np.delete(np.arange(P), k % P), np.array([k % P])
        else:
            yield _shuffled_folds(data, digit, folds, seed, k // folds)[k % folds]


def standardize_features(X: Array, train: Array) -> Array:
    """Standardize all rows by the training rows (chapter 5); constant features become 0."""
    return np.asarray(StandardScaler().fit(X[train]).transform(X))
