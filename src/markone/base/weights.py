"""Weights of examples: sample weight times class weight."""

from typing import Any

import numpy as np
from sklearn.utils import compute_class_weight

from markone.base.input_validation import as_numpy
from markone.base.sklearn_compat import check_sample_weight
from markone.numerics.arrays import Array


def example_weights(
    X: Any, y: Array, classes: Array, sample_weight: Any, class_weight: Any, least: int = 2
) -> Array | None:
    """Return sample_weight times class_weight, or None if neither is given.

    Examples of positive weight must remain of at least `least` classes (1 for a batch of partial_fit).
    """
    if sample_weight is None and class_weight is None:
        return None
    sample_weight = as_numpy(sample_weight, "sample_weight")
    weights = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    of_class = _class_weights(y, classes, weights, class_weight)
    weights = np.asarray(weights * of_class[np.searchsorted(classes, y)])
    left = len(np.unique(y[weights > 0]))
    if left < least:
        raise ValueError(
            f"{'Two classes' if least == 2 else 'One class'} at least must have examples of positive weight; "
            f"here the weights leave {left} class(es)."
        )
    return weights


def _class_weights(y: Array, classes: Array, weights: Array, class_weight: Any) -> Array:
    """Weight of each class; "balanced" uses weighted counts: weight 2 counts as two examples, 0 as none."""
    if class_weight != "balanced":
        given = np.asarray(compute_class_weight(class_weight, classes=classes, y=y))
        if not (given >= 0).all():
            raise ValueError(f"class_weight has {given.min():g}: weights must be 0 or larger.")
        return given
    found, used = np.zeros(len(classes)), weights > 0
    present = np.unique(y[used])
    if len(present):
        found[np.searchsorted(classes, present)] = compute_class_weight(
            "balanced", classes=present, y=y[used], sample_weight=weights[used]
        )
    return found
