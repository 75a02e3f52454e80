"""Checks of X, y, parameters and weights: no overflow, labels that are classes, at least two classes."""

import math
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from markone.numerics.arrays import Array

# Squares of larger numbers, summed over a row, would overflow.
LARGEST = {np.dtype(np.float64): 1e150, np.dtype(np.float32): 1e15}


def check_size(values: Array, largest: float | None = None) -> None:
    """Raise ValueError if squares of the values overflow; NaN ("not observed") is ignored."""
    limit = LARGEST[values.dtype] if largest is None else largest
    # One pass is enough where even the sum of all squares is small.
    whole = values.dtype.kind == "f" and values.flags.c_contiguous
    if whole and np.vdot(values, values) < 0.25 * limit * limit:
        return
    top = max(values.max(initial=0.0), -values.min(initial=0.0))
    if np.isnan(top):
        top = max(np.fmax.reduce(values, axis=None), -np.fmin.reduce(values, axis=None))
    if top > limit:
        raise ValueError(
            f"X holds values up to {top:.3g}, whose squares overflow. Scale X to values of about one."
        )


def sum_of_squares_is_small(values: Array) -> bool:
    """Whether one pass shows that `check_size` would accept the values; False with NaN, without a warning."""
    return bool(np.vdot(values, values) < 0.25 * LARGEST[values.dtype] ** 2)


def check_labels(y: Array) -> None:
    """Raise ValueError for targets of a regression."""
    # Integers are classes; scikit-learn's check takes longer than some fits.
    if y.dtype.kind not in "bi" and not (y.dtype.kind == "f" and np.count_nonzero(y == np.rint(y)) == y.size):
        check_classification_targets(y)


def distinct_classes(y: Any, name: str) -> Array:
    """Return the sorted labels in y; `np.searchsorted(classes, y)` then gives their indices."""
    pair = _two_distinct_values(y)
    classes = np.unique(y) if pair is None else pair
    if len(classes) < 2:
        raise ValueError(
            f"{name} needs examples of two classes at least, but y holds only one class: "
            f"{classes.tolist()[0]!r}."
        )
    return classes


def _two_distinct_values(y: Any) -> Array | None:
    """The two distinct numbers in y, sorted, faster than `np.unique`; None for any other y."""
    if not (type(y) is np.ndarray and y.ndim == 1 and len(y) and y.dtype.kind in "iuf"):
        return None
    first = y == y[0]
    one, other = y[0], y[first.argmin()]
    # 0.0 and -0.0 are equal: which of them is returned depends on the sorting.
    if one == other or (y.dtype.kind == "f" and not (one and other)):
        return None
    count = np.count_nonzero(first) + np.count_nonzero(y == other)
    return np.array([one, other] if one < other else [other, one]) if count == len(y) else None


def check_same_classes(classes: Any, known: Array | None) -> None:
    """Raise ValueError if `classes` differ from those of the first call of partial_fit."""
    if classes is None or known is None:
        return
    given = np.unique(np.asarray(classes))
    if not np.array_equal(given, known):
        raise ValueError(
            f"classes={given.tolist()} differs from the classes of the first call: {known.tolist()}. "
            "Leave it out, or begin a new model."
        )


def check_warm_start(before: int, now: int) -> None:
    """Raise ValueError if the weights of the last fit have another number of features."""
    if before != now:
        raise ValueError(
            f"warm_start=True continues the last fit, which had {before} feature(s), but X has {now}. "
            "Give X the same features, or set warm_start=False."
        )


def check_known_labels(y: Array, classes: Array) -> None:
    """Raise ValueError for labels that are not among the known classes."""
    unknown = np.setdiff1d(y, classes)
    if len(unknown):
        raise ValueError(
            f"y holds the label {unknown.tolist()[0]!r}, which is not among the classes seen first: "
            f"{classes.tolist()}. Pass all labels as `classes` in the first call of partial_fit."
        )


# Largest number of passes over the data that is accepted.
MOST_PASSES = 10**12
# Parameters that multiply or divide others: their squares must be representable, too.
DELICATE = ("intercept_scaling", "sigma2", "mu", "l2", "gamma")
# Attributes that are weights: finite, or nothing was learned.
WEIGHTS = ("coef_", "intercept_", "embedding_")


def check_numbers(estimator: Any) -> None:
    """Raise ValueError for integers beyond 64 bits and for parameters whose squares overflow."""
    for name, value in vars(estimator).items():
        if type(value) is not int or name.endswith("_"):
            continue
        if abs(value) >= 2**63:
            raise ValueError(f"{name} has {len(str(abs(value)))} digits: write it as a float, or smaller.")
        if name == "max_iter" and value > MOST_PASSES:
            raise ValueError(f"max_iter = {value:.0e} would never end: at most {MOST_PASSES:.0e}.")
    for name in DELICATE:
        value = getattr(estimator, name, None)
        # Other types and values that are not positive are refused by the check of the parameter.
        if isinstance(value, int | float) and value > 0 and _is_extreme(name, value):
            raise ValueError(f"{name} = {value:g} leads to overflow or underflow: choose it nearer to one.")


def check_finite(estimator: Any) -> None:
    """Raise ValueError if fitted weights are not finite."""
    for name in WEIGHTS:
        found = estimator.__dict__.get(name)
        # The sum of squares takes a sixth of the time; only if it overflows each weight is checked.
        if not isinstance(found, np.ndarray) or math.isfinite(np.vdot(found, found)):
            continue
        if not np.isfinite(found).all():
            extreme = ", ".join(
                f"{key} = {value:g}" for key, value in vars(estimator).items() if _is_extreme(key, value)
            )
            why = f" with {extreme}: choose values nearer to one" if extreme else ": scale X to about one"
            raise ValueError(f"{name} of {type(estimator).__name__} is not finite{why}.")


def _is_extreme(name: str, value: Any) -> bool:
    """Whether the value is a number of extreme size."""
    plain = isinstance(value, int | float) and not isinstance(value, bool) and not name.endswith("_")
    return plain and value not in (0, np.inf) and not 1e-100 < abs(value) < 1e100
