"""One batch of a stream, read and checked: what every `partial_fit` of this room begins with."""

from typing import Any

import numpy as np

from markone.base.sklearn_compat import check_partial_fit_first_call
from markone.lvq.base.classifier import PrototypeDoor
from markone.numerics.arrays import Array


def read_batch(
    model: PrototypeDoor, X: Any, y: Any, classes: Any, sample_weight: Any
) -> tuple[bool, Array, Array, Array | None]:
    """Whether the prototypes are still to be placed; rows, class indices, weights.

    A batch that was refused leaves no prototypes behind, so that the next one is the first again.
    """
    check_partial_fit_first_call(model, classes)
    first = not hasattr(model, "prototypes_")
    X, y = model._read(X, y, reset=first)
    check_known(model.classes_, y)
    X, index, weights = model._weigh(X, np.searchsorted(model.classes_, y), sample_weight, least=1)
    if first and getattr(model, "initial_prototypes", None) is None:
        check_all_there(model.classes_, index)
    return first, X, index, weights


def check_known(classes: Array, y: Array) -> None:
    unknown = np.setdiff1d(y, classes)
    if len(unknown):
        raise ValueError(
            f"y holds the label {unknown.tolist()[0]!r}, which is not among the classes seen first: "
            f"{classes.tolist()}. Pass all labels as `classes` in the first call of partial_fit."
        )


def check_all_there(classes: Array, index: Array) -> None:
    absent = np.setdiff1d(np.arange(len(classes)), index)
    if len(absent):
        raise ValueError(
            f"The first batch holds no example of class {classes[absent].tolist()[0]!r}, so that its "
            "prototypes have no place. Begin with a batch that shows every class, or give "
            "initial_prototypes."
        )
