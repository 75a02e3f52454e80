"""X and y as numpy arrays, checked by scikit-learn; arrays of other libraries are brought to numpy first."""

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data as _validate_data

# What scikit-learn's `validate_data` takes for "there is no y".
NO_Y = "no_validation"


def validate_data(estimator: Any, X: Any = NO_Y, y: Any = NO_Y, **options: Any) -> Any:
    """scikit-learn's `validate_data` on numpy arrays, whatever its `array_api_dispatch` says.

    Compiled loops read memory of the CPU. With `array_api_dispatch` scikit-learn would hand on what it was
    given, and the first of our own operations on it would fail with a message about that operation.
    """
    # scikit-learn adds all numbers up to see if one is not finite: of finite ones, too, the sum may be none.
    with np.errstate(over="ignore", invalid="ignore"):
        return _validate_data(estimator, X=as_numpy(X, "X"), y=as_numpy(y, "y"), **options)


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
