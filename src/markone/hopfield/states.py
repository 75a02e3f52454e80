"""States of the network: conversion from and to the user's two values, and the results of a recall."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from markone.base.parameters import documented
from markone.numerics.arrays import Array
from markone.numerics.text import format_count


def two_values(X: Array, name: str) -> Array:
    """The two values that stand for -1 and +1; where X shows only one of them, +-1 or 0/1 is assumed."""
    found = np.unique(X)
    if len(found) == 2:
        return found
    if len(found) == 1:
        for pair in ([-1, 1], [0, 1]):
            if found[0] in pair:
                return np.array(pair).astype(X.dtype)
    shown = ", ".join(f"{value}" for value in found[:4]) + (", ..." if len(found) > 4 else "")
    raise ValueError(
        f"{name} stores states of two values, but X holds {format_count(len(found), 'value')} ({shown}). "
        "Binarise X, or set threshold: larger values then count as +1."
    )


def to_states(X: Array, values: Array, threshold: float | None) -> Array:
    """S = +-1 as int8, C-contiguous; ValueError if X holds other values than `values`."""
    if threshold is not None:
        if X.dtype.kind not in "biuf":
            raise ValueError(f"threshold = {threshold} needs numbers, but X holds {X[0, 0]!r}: leave it out.")
        return np.where(threshold < X, 1, -1).astype(np.int8)
    up = values[1] == X
    strange = X[~(up | (values[0] == X))]
    if strange.size:
        raise ValueError(
            f"X holds {strange[0]}, but the stored patterns have the values {values[0]} and {values[1]}. "
            "Use the same two values."
        )
    return np.where(up, 1, -1).astype(np.int8)


def to_values(S: Array, values: Array) -> Any:
    """Convert S = +-1 to the user's values."""
    return values[(S > 0).astype(np.intp)]


@documented
@dataclass(frozen=True)
class Recall:
    """The final state of each start, the nearest stored pattern and the overlap with it.

    Examples
    --------
    >>> from markone import Hopfield
    >>> memory = Hopfield(random_state=0).fit([[1, 1, 1, -1, -1, -1]])
    >>> memory.recall([[1, 1, -1, -1, -1, -1]]).status.tolist()
    ['fixed point']
    """

    states: Annotated[Array, "array (n, N): The final states."]
    index: Annotated[Array, "array (n,): Index of the nearest stored pattern; -1 if nothing is stored."]
    overlap: Annotated[Array, "array (n,): The overlap with that pattern; NaN if nothing is stored."]
    status: Annotated[
        Array, 'array (n,) of str: "fixed point", "cycle of two" (parallel), "max_iter" or "thermal" (T > 0).'
    ]
    n_iter: Annotated[Array, "array (n,): Sweeps or steps used."]


@documented
@dataclass(frozen=True)
class Trajectory:
    """One run, step by step, the start included.

    Examples
    --------
    >>> from markone import Hopfield
    >>> memory = Hopfield(random_state=0).fit([[1, 1, 1, -1, -1, -1]])
    >>> run = memory.trajectory([1, 1, -1, -1, -1, -1])
    >>> run.status, bool(run.energy[-1] < run.energy[0])
    ('fixed point', True)
    """

    states: Annotated[Array, "array (t + 1, N): The states."]
    energy: Annotated[Array, "array (t + 1,): H of (1.10)."]
    overlaps: Annotated[Array, "array (t + 1, P): Overlaps with the stored patterns."]
    status: Annotated[str, "str: How it ended, as in `Recall`."]
