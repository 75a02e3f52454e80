"""Validation of X and y by scikit-learn; arrays of other libraries are converted to numpy first."""

import math
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data as _validate_data

from markone.base.checks import sum_of_squares_is_small

# scikit-learn's marker for "there is no y" in `validate_data`.
NO_Y = "no_validation"
# Options that are fully covered by the checks of `_is_plain_array`.
USUAL = {"accept_sparse", "dtype", "order", "reset"}


def validate_data(estimator: Any, X: Any = NO_Y, y: Any = NO_Y, **options: Any) -> Any:
    """scikit-learn's `validate_data` on numpy arrays, whatever its `array_api_dispatch` is.

    Compiled loops need memory of the CPU. With `array_api_dispatch` scikit-learn would return the array of
    the other library, and the first numpy operation on it would fail with an unrelated message.
    """
    if is_plain_input(estimator, X, y, options):
        return X if y is NO_Y else (X, y)
    _require_numbers(X, "X", allowed="biufcOUS")
    if options.get("y_numeric"):
        y = np.asarray(y) if isinstance(y, list | tuple) else y
        _require_numbers(y, "y", allowed="biufcO")
    # scikit-learn tests the sum of all values, which may overflow even if all are finite.
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return _validate_data(estimator, X=as_numpy(X, "X"), y=as_numpy(y, "y"), **options)
    except ValueError as error:
        if not str(error).startswith("could not convert string to float: "):
            raise
        text = str(error).partition(": ")[2]
        raise ValueError(f"{type(estimator).__name__} needs numbers, but {text} is text.") from None


def _require_numbers(values: Any, name: str, allowed: str) -> None:
    """Raise for dates, which numpy would read as numbers, and for what scikit-learn does not convert."""
    for dtype in np.ravel(getattr(values, "dtypes", getattr(values, "dtype", []))):
        kind = getattr(dtype, "kind", "O")
        if kind not in allowed:
            found = {"M": "dates", "m": "durations"}.get(kind, "text")
            raise ValueError(f"{name} holds {found} ({dtype}), not numbers: convert them to numbers first.")


def is_plain_input(estimator: Any, X: Any, y: Any, options: dict[str, Any]) -> bool:
    """Whether X and y are valid and need no conversion, by a fast check; squares of X do not overflow either.

    scikit-learn's own validation takes a tenth of a millisecond, longer than a small fit. If True,
    `n_features_in_` is set, as scikit-learn does.
    """
    if not _is_plain_array(X, y, options) or hasattr(estimator, "feature_names_in_"):
        return False
    if options.get("reset", True):
        estimator.n_features_in_ = X.shape[1]
    return bool(X.shape[1] == getattr(estimator, "n_features_in_", None))


def _is_plain_array(X: Any, y: Any, options: dict[str, Any]) -> bool:
    if not (type(X) is np.ndarray and X.ndim == 2 and X.flags.c_contiguous and X.shape[0] and X.shape[1]):
        return False
    wanted = options.get("dtype")
    if y is None or not (isinstance(wanted, list) and X.dtype.type in wanted and X.dtype.isnative):
        return False
    if not options.keys() <= USUAL:
        return False
    labels = None if y is NO_Y else y
    if labels is not None and not (type(labels) is np.ndarray and labels.shape == X.shape[:1]):
        return False
    if labels is not None and labels.dtype.kind not in "biuf":
        return False
    # Also False if X holds NaN or infinity.
    if not sum_of_squares_is_small(X):
        return False
    return labels is None or labels.dtype.kind != "f" or math.isfinite(np.vdot(labels, labels))


def as_numpy(values: Any, name: str) -> Any:
    """Convert an array of another library to numpy; return everything else unchanged."""
    if isinstance(values, np.ndarray) or not hasattr(values, "__dlpack__"):
        return values
    try:
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        library = type(values).__module__.split(".")[0]
        raise TypeError(
            f"{name} is an array of {library} that numpy cannot read ({str(error).rstrip('.')}). markone "
            "computes with numpy on the CPU: move it there first."
        ) from error
