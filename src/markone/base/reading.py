"""X and y as numpy arrays, checked by scikit-learn; arrays of other libraries are brought to numpy first."""

import math
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data as _validate_data

from markone.base.checks import sum_of_squares_is_small

# What scikit-learn's `validate_data` takes for "there is no y".
NO_Y = "no_validation"
# Options of which those given by the classifiers here ask for nothing but what `_plain` looks at.
USUAL = {"accept_sparse", "dtype", "order", "reset"}


def validate_data(estimator: Any, X: Any = NO_Y, y: Any = NO_Y, **options: Any) -> Any:
    """scikit-learn's `validate_data` on numpy arrays, whatever its `array_api_dispatch` says.

    Compiled loops read memory of the CPU. With `array_api_dispatch` scikit-learn would hand on what it was
    given, and the first of our own operations on it would fail with a message about that operation.
    """
    if is_plain(estimator, X, y, options):
        return X if y is NO_Y else (X, y)
    # scikit-learn adds all numbers up to see if one is not finite: of finite ones, too, the sum may be none.
    with np.errstate(over="ignore", invalid="ignore"):
        return _validate_data(estimator, X=as_numpy(X, "X"), y=as_numpy(y, "y"), **options)


def is_plain(estimator: Any, X: Any, y: Any, options: dict[str, Any]) -> bool:
    """Whether there is nothing to be found wrong and nothing to be changed, seen at little cost.

    scikit-learn's own look takes a tenth of a millisecond, longer than a small fit. Squares of the numbers do
    not overflow either. Where it is so the estimator is told the number of features, as scikit-learn does.
    """
    if not _plain(X, y, options) or hasattr(estimator, "feature_names_in_"):
        return False
    if options.get("reset", True):
        estimator.n_features_in_ = X.shape[1]
    return bool(X.shape[1] == getattr(estimator, "n_features_in_", None))


def _plain(X: Any, y: Any, options: dict[str, Any]) -> bool:
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
    # Of a table with a NaN or an infinity this is none as well.
    if not sum_of_squares_is_small(X):
        return False
    return labels is None or labels.dtype.kind != "f" or math.isfinite(np.vdot(labels, labels))


def as_numpy(values: Any, name: str) -> Any:
    """An array of another library as one of numpy; everything else as it is."""
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
