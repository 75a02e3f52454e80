"""Validation and conversion of X and two labels to examples xi and S = +-1."""

import math
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from markone.numerics.arrays import Floats
from markone.perceptron.separable._scales import WHOLE, fill_signs, largest_magnitude

# Sums of squares of larger numbers would overflow.
LARGEST = 1e150


def examples_and_signs(X: Any, y: ArrayLike, constant: float | None) -> tuple[Any, NDArray[np.float64]]:
    """Return xi (float64, C-contiguous or CSR) and S = +-1; `constant`: the clamped input or None."""
    xi = check_examples(X)
    S = _labels_to_signs(y, xi.shape[0])
    if constant is None:
        return xi, S
    if not (math.isfinite(constant) and constant != 0.0):
        raise ValueError(f"intercept_scaling must be finite and not 0, but it is {constant}.")
    if isinstance(xi, np.ndarray):
        return _append_clamped_input(xi, constant), S
    column = np.full((xi.shape[0], 1), float(constant))
    return scipy.sparse.hstack([xi, column], format="csr"), S


def _append_clamped_input(xi: Floats, constant: float) -> Floats:
    """Append the clamped input as the last column."""
    P, N = xi.shape
    more = np.empty((P, N + 1))
    more[:, :N] = xi
    more[:, N] = constant
    return more


def signed_rows(xi: Any, S: NDArray[np.float64]) -> Any:
    """S xi of sparse rows, with 32-bit indices if these suffice."""
    index = np.int32 if xi.nnz < 2**31 else np.int64
    data = xi.data * np.repeat(S, np.diff(xi.indptr))
    parts = (data, xi.indices.astype(index, copy=False), xi.indptr.astype(index, copy=False))
    return scipy.sparse.csr_array(parts, shape=xi.shape)


def check_examples(X: Any) -> Any:
    """Convert X to float64, dense or CSR, and check that it is finite and not empty."""
    check_integers(X)
    if scipy.sparse.issparse(X):
        xi = scipy.sparse.csr_array(X, dtype=np.float64)
        xi.sum_duplicates()
        values = xi.data
    else:
        xi = values = np.ascontiguousarray(X, dtype=np.float64) if np.ndim(X) else np.asarray(X)
    if xi.ndim != 2:
        raise ValueError(f"X must be a table of P examples with N inputs, but its shape is {xi.shape}.")
    if 0 in xi.shape:
        raise ValueError(
            f"X has shape {xi.shape}: at least one example of each class and one input are needed."
        )
    top = largest_magnitude(values.ravel())
    if math.isnan(top):
        raise ValueError("X contains NaN or infinity. Remove these examples or impute the values first.")
    if top > LARGEST:
        raise ValueError(
            f"X contains values up to {top:.1g}, whose squares overflow. Rescale X below {LARGEST}."
        )
    return xi


def check_integers(X: Any) -> None:
    """Refuse integers that float64 cannot represent: a proof would be about other numbers."""
    if scipy.sparse.issparse(X):
        if X.dtype.kind not in "iu":
            return
        X = scipy.sparse.csr_array(X).data
    values = X if type(X) is np.ndarray else np.asarray(X)
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8:
        return
    for value in values[(values > WHOLE) | (values < -WHOLE)].tolist():
        if int(float(value)) != value:
            raise ValueError(
                f"X contains the integer {value}, which float64 rounds to {int(float(value))}. Subtract an "
                "offset from this column, such as its smallest value."
            )


def _labels_to_signs(y: ArrayLike, P: int) -> NDArray[np.float64]:
    """Return +1 for the label that sorts last, -1 for the other."""
    labels = np.asarray(y)
    if labels.shape != (P,):
        raise ValueError(
            f"y must hold one label for each of the {P} examples, but its shape is {labels.shape}."
        )
    if labels.dtype.kind in "bif":
        # np.unique takes as long as the whole decision of a small set.
        S, numbers = np.empty(P), labels.astype(np.float64)
        if fill_signs(numbers, S) == 2:
            return S
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError("y contains NaN or infinity. Every example needs a label.")
    # Imported here: large runs never need it, and it costs one second and 100 MB.
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(labels)
    classes = np.unique(labels)
    if classes.size == 1:
        raise ValueError(f"y holds the one class {classes[0]!s} only, but two are needed.")
    if classes.size > 2:
        raise ValueError(
            f"y holds {classes.size} classes, but two are needed. Test one class against the rest: "
            f"y == {classes[0]!s}."
        )
    return np.where(labels == classes[1], 1.0, -1.0)
