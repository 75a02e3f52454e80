"""Initial prototypes: class means, k-means in each class, random examples, or given vectors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from markone.lvq.distances.row_statistics import (
    class_mean,
    count_distinct_rows,
    feature_variances,
    is_sparse,
    sparse_row_keys,
)
from markone.numerics.arrays import Array
from markone.numerics.text import format_count as count_of

# "Independent random variations" of coinciding class means, in units of the class's standard deviation.
SMALL = 0.1


def counts_per_class(prototypes_per_class: Any, classes: Array) -> list[int]:
    """Number of prototypes of each class, from one number, a list, or a mapping label -> number."""
    if np.ndim(prototypes_per_class) == 0 and not isinstance(prototypes_per_class, Mapping):
        return [int(prototypes_per_class)] * len(classes)
    if isinstance(prototypes_per_class, Mapping):
        counts = _named_counts(prototypes_per_class, classes)
    else:
        counts = np.ravel(prototypes_per_class).tolist()
    if len(counts) != len(classes):
        raise ValueError(
            f"prototypes_per_class lists {count_of(len(counts), 'number')} for {len(classes)} classes. "
            f"Give one for each of {classes.tolist()}, in this order."
        )
    if any(not isinstance(count, int | float) or not 1 <= count < np.inf or count % 1 for count in counts):
        raise ValueError(f"Each class needs at least one prototype; prototypes_per_class gives {counts}.")
    return [int(count) for count in counts]


def _named_counts(prototypes_per_class: Mapping[Any, Any], classes: Array) -> list[Any]:
    """Numbers of a mapping label -> number, in the order of the classes."""
    given = {str(label): np.asarray(count).item() for label, count in prototypes_per_class.items()}
    missing = [label for label in classes.tolist() if str(label) not in given]
    if missing:
        raise ValueError(
            f"prototypes_per_class names no number for class {missing[0]!r}. Give one for each of "
            f"{classes.tolist()}, or one number for all."
        )
    return [given[str(label)] for label in classes.tolist()]


def _prototypes_from_means(X: Array, weights: Array | None, count: int, rng: np.random.RandomState) -> Array:
    """The class mean; several prototypes start around it at random, since equal ones would stay equal."""
    mean = class_mean(X, weights)
    if count == 1:
        return mean[None]
    deviation = np.sqrt(feature_variances(X, None)) if is_sparse(X) else np.nanstd(X, axis=0)
    return mean + SMALL * deviation * rng.standard_normal((count, X.shape[1]))


def _check_distinct(found: int, count: int) -> None:
    if found < count:
        raise ValueError(
            f"{count} prototypes were requested for a class that has only {found} distinct examples. "
            "Lower prototypes_per_class."
        )


def _prototypes_from_kmeans(X: Array, weights: Array | None, count: int, rng: np.random.RandomState) -> Array:
    """Centres of k-means in the class, missing values replaced by the class mean."""
    mean = class_mean(X, weights)
    if count == 1:
        return mean[None]
    X = X if is_sparse(X) else np.where(np.isnan(X), mean, X)
    # Counted first instead of catching a warning: warning filters are not thread-safe.
    _check_distinct(count_distinct_rows(X), count)
    return KMeans(count, n_init=3, random_state=rng).fit(X, sample_weight=weights).cluster_centers_


def _prototypes_from_examples(
    X: Array, weights: Array | None, count: int, rng: np.random.RandomState
) -> Array:
    """Random examples of the class, without replacement.

    Where some are equal or have weights, distinct ones are drawn in proportion to their weight.
    """
    labels = sparse_row_keys(X) if is_sparse(X) else X
    _, first, of = np.unique(labels, axis=0, return_index=True, return_inverse=True)
    if weights is None and len(first) == len(of):
        chosen = X[rng.choice(len(of), count, replace=False)]
    else:
        _check_distinct(len(first), count)
        share = np.bincount(of.ravel(), weights)
        chosen = X[first[rng.choice(len(first), count, replace=False, p=share / share.sum())]]
    vectors: Any = chosen
    vectors = vectors.toarray() if is_sparse(vectors) else vectors
    return np.where(np.isnan(vectors), class_mean(X, weights), vectors)


STARTS: dict[str, Callable[[Array, Array | None, int, np.random.RandomState], Array]] = {
    "means": _prototypes_from_means,
    "kmeans": _prototypes_from_kmeans,
    "examples": _prototypes_from_examples,
    "toolbox": lambda X, weights, count, rng: np.repeat(class_mean(X, weights)[None], count, axis=0),
}


def first_prototypes(
    X: Array,
    y: Array,
    classes: Array,
    counts: Sequence[int],
    how: str = "kmeans",
    weights: Array | None = None,
    rng: np.random.RandomState | None = None,
) -> tuple[Array, Array]:
    """Prototypes (M, N) and their labels (M,), as indices into `classes`; so are the labels y."""
    rng = rng or np.random.RandomState(0)
    blocks = []
    for k, count in enumerate(counts):
        mine = y == k
        found = int(mine.sum())
        if found < count:
            raise ValueError(
                f"Class {classes.tolist()[k]!r} has {found} example(s) of positive weight, but {count} "
                "prototype(s) were requested for it. Lower prototypes_per_class or give more examples."
            )
        blocks.append(STARTS[how](X[mine], None if weights is None else weights[mine], count, rng))
    W = np.vstack(blocks)
    if np.isnan(W).any():
        # The feature is missing in all examples of the class: use the mean of all classes.
        common = class_mean(X, weights)
        if np.isnan(common).any():
            raise ValueError(
                f"Feature {int(np.flatnonzero(np.isnan(common))[0])} of X has no observed value, only NaN. "
                "Remove such features."
            )
        W = np.where(np.isnan(W), common, W)
    if how == "toolbox":
        # W times random 0.99 .. 1.01 by element: the start of the GMLVQ toolbox (MATLAB's order of numbers).
        W = W * (0.99 + 0.02 * rng.random_sample(W.T.shape).T)
    return np.ascontiguousarray(W, dtype=X.dtype), np.repeat(np.arange(len(counts)), counts)


def given_prototypes(vectors: Any, labels: Any, classes: Array, N: int, dtype: Any) -> tuple[Array, Array]:
    """Validated vectors of the user: one label each, every class represented."""
    W = np.array(vectors, dtype=dtype, ndmin=2)
    if labels is None:
        raise ValueError("initial_prototypes needs initial_labels: the class of each of its rows.")
    labels = np.asarray(labels)
    if W.shape != (len(labels), N) or not np.isfinite(W).all():
        raise ValueError(
            f"initial_prototypes must be finite, with one row for each of the {len(labels)} initial_labels "
            f"and {N} columns like X; its shape is {W.shape}."
        )
    unknown, missing = np.setdiff1d(labels, classes), np.setdiff1d(classes, labels)
    if len(unknown) or len(missing):
        what = f"lacks {missing.tolist()[0]!r}" if len(missing) else ""
        what = f"holds {unknown.tolist()[0]!r}, which is no class of y" if len(unknown) else what
        raise ValueError(f"initial_labels {what}; the classes are {classes.tolist()}.")
    return W, np.searchsorted(classes, labels)
