"""Tiling-like learning: a parity machine grows until it makes no error   (4.9), (Biehl and Opper 1991).

Each new unit is trained to say -1 exactly where the machine so far is wrong. Where the student finds
nothing that helps, a grandmother unit corrects at least one example, so P units are always enough for
distinct inputs. (4.9) calls Q_m the number of errors and uses it as the number of right answers; here it
is the number of errors.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from markone.machines.grandmother import constant, grandmother
from markone.machines.students import best_unit
from markone.machines.units import Layer
from markone.machines.whole import Built
from markone.numerics.arrays import Array
from markone.numerics.text import plain

GROWTH = np.dtype([("unit", int), ("kind", "U11"), ("errors", int), ("validation_errors", float)])


@dataclass(frozen=True)
class GrowthOptions:
    """When to stop: errors gone, `most` units, or `patience` units without fewer validation errors."""

    student: Any
    most: int | None
    patience: int
    scale: float


@dataclass
class Part:
    """One part of the examples and the machine's answers to it so far; without units it says +1."""

    X: Array
    S: Array

    def __post_init__(self) -> None:
        self.answer = np.ones(len(self.S))

    @property
    def wrong(self) -> NDArray[np.bool_]:
        return np.asarray(self.answer != self.S)

    def with_unit(self, unit: Layer) -> Array:
        return self.answer * unit.hidden(self.X)[:, 0]


def grow(learned: Part, held_out: Part | None, options: GrowthOptions, seed: int) -> Built:
    """Add units; with examples held out, keep the first units that do best on them."""
    rng = np.random.RandomState(seed)
    layer, growth, waiting = Layer.empty(learned.X.shape[1], options.scale), [], 0
    best, kept = np.inf, 0
    most = len(learned.S) if options.most is None else options.most
    while (learned.wrong.any() or not len(layer)) and len(layer) < most and waiting < options.patience:
        kind, unit = next_unit(learned, options, int(rng.randint(2**31 - 1)))
        if unit is None and len(layer):
            break
        unit = constant(learned.X.shape[1], 1, options.scale) if unit is None else unit
        layer, learned.answer = layer + unit, learned.with_unit(unit)
        score = float(learned.wrong.sum())
        if held_out is not None:
            held_out.answer = held_out.with_unit(unit)
            score = float(held_out.wrong.sum())
        better = score < best
        best, kept, waiting = (score, len(layer), 0) if better else (best, kept, waiting + 1)
        growth.append((len(layer), kind, learned.wrong.sum(), score if held_out is not None else np.nan))
    left = growth[kept - 1][2]
    message = "" if left == 0 or options.most is not None or held_out is not None else why_not(left)
    return Built(layer.first(kept), len(growth), 0, left == 0, message, [], growth)


def next_unit(part: Part, options: GrowthOptions, seed: int) -> tuple[str, Layer | None]:
    """The student's unit if it leaves fewer errors, else a grandmother; None if neither can help."""
    wrong = part.wrong
    if wrong.all() or not wrong.any():
        return "constant", constant(part.X.shape[1], -1 if wrong.all() else 1, options.scale)
    labels = np.where(wrong, -1, 1)
    unit = best_unit(options.student, part.X, labels, seed, options.scale)
    if np.sum(part.with_unit(unit) != part.S) < wrong.sum():
        return "student", unit
    return "grandmother", grandmother(part.X, wrong, options.scale)


def why_not(left: int) -> str:
    return (
        f"stopped with {left} examples wrong that lie closer to others of the other class than numbers tell. "
        "Scale X to values of about one, or give n_units or validation_fraction to live with the errors."
    )


def refuse_contradictions(X: Array, y: Array) -> None:
    """Equal inputs with different labels cannot be reproduced by any machine: say which rows."""
    # -0.0 and 0.0 are the same input.
    _, place = np.unique(X + 0.0, axis=0, return_inverse=True)
    order = np.argsort(place.ravel(), kind="stable")
    same = np.diff(place.ravel()[order]) == 0
    clash = np.flatnonzero(same & (y[order][1:] != y[order][:-1]))
    if len(clash):
        a, b = order[clash[0]], order[clash[0] + 1]
        raise ValueError(
            f"Rows {a} and {b} of X are equal, but their labels are {plain(y[a])!r} and {plain(y[b])!r} "
            f"({len(clash)} such pairs): no machine can reproduce both. Give n_units or "
            "validation_fraction to live with errors."
        )
