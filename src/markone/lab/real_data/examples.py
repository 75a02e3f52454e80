"""The real sets as arrays; handwritten digits are semeion where it is at hand, scikit-learn's elsewhere."""

from functools import cache
from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from markone.data import find_semeion, load
from markone.numerics.arrays import Array

SETS = ("semeion", "digits")


def _resolve(name: str) -> str:
    """The name that is stored with the results is that of the data used, never "handwritten"."""
    if name == "handwritten":
        return "digits" if find_semeion() is None else "semeion"
    if name not in SETS:
        raise ValueError(f"data = {name!r}: it must be semeion, digits, or handwritten (the first at hand)")
    return name


Handwriting = Annotated[str, AfterValidator(_resolve)]


@cache
def examples(name: str) -> tuple[Array, Array]:
    """Inputs (P, N) and labels (P,) of a set that has a name, in the order of the file."""
    table = load(name)
    X, y = np.ascontiguousarray(table.X, dtype=float), np.asarray(table.y, dtype=int)
    X.setflags(write=False)
    y.setflags(write=False)
    return X, y


def side(name: str) -> int:
    """Pixels along one side of an image."""
    return int(np.sqrt(examples(name)[0].shape[1]))
