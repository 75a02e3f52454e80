"""Histories reconstructed after training for memories and grown machines."""

from typing import Any

import numpy as np

from markone.base.history import History, steps_without_examples
from markone.numerics.arrays import Array

CELLS = 36


def recall_history(
    memory: Any, x: Any, *, shape: tuple[int, int] | None = None, record: str | None = None
) -> History:
    """History of a recall of a fitted `Hopfield` from the start x, per sweep or (`record`) per neuron visit.

    States: "cells" (+-1), "energy", and "overlap" with the pattern nearest to the final state.

    Parameters
    ----------
    memory : fitted Hopfield
        The memory.
    x : array (N,)
        The start.
    shape : tuple of int or None, default=None
        Rows and columns of the image.
    record : {"updates", "presentations"} or None, default=None
        Record each visit that changed a neuron, or each visit, as in `Hopfield.steps`.

    Returns
    -------
    History
        One row per sweep (visit).

    Examples
    --------
    >>> from markone import Hopfield
    >>> from markone.show import recall_history
    >>> memory = Hopfield(random_state=0).fit([[1, 1, -1, 1, 1, -1, -1, -1, -1]])
    >>> recall_history(memory, [1, -1, -1, 1, 1, -1, -1, -1, -1]).states["overlap"].round(2).tolist()
    [0.78, 1.0, 1.0]
    """
    N = memory.n_features_in_
    side = round(np.sqrt(N))
    shape = shape or ((side, side) if side * side == N else (1, N))
    if shape[0] * shape[1] != N:
        raise ValueError(f"shape = {shape} does not match {N} neurons.")
    if record is not None:
        history: History = memory.steps(x, record)
        history.settings["shape"] = shape
        return history
    path = memory.trajectory(x)
    cells = np.where(np.asarray(path.states) == memory.values_[1], 1, -1)
    states = {"cells": cells, "energy": path.energy}
    if path.overlaps.shape[1]:
        states["overlap"] = path.overlaps[:, int(np.argmax(path.overlaps[-1]))]
    settings = {"shape": shape, "status": f"ends with: {path.status}"}
    steps = len(cells) - 1
    return History(
        steps_without_examples(len(cells)),
        states,
        np.empty((0, 2)),
        np.empty(0),
        "Hopfield",
        1,
        steps,
        settings,
    )


def growth_history(machine: Any, X: Any, y: Any) -> History:
    """History of a grown `ParityMachine` of two inputs, per unit: output regions ("cells") and "errors".

    Parameters
    ----------
    machine : fitted ParityMachine
        Grown by "tiling", with two inputs.
    X : array (P, 2)
        The examples.
    y : array (P,)
        Their labels.

    Returns
    -------
    History
        One row per unit.

    Examples
    --------
    >>> from markone import ParityMachine
    >>> from markone.show import growth_history
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> growth_history(ParityMachine(random_state=0).fit(X, y), X, y).states["errors"].tolist()
    [2, 1, 0]
    """
    X = np.asarray(X, dtype=float)
    growth = getattr(machine, "growth_", None)
    if growth is None or isinstance(growth, list) or X.shape[1] != 2:
        raise ValueError(
            "Growth is shown for ParityMachine(rule='tiling') with two classes and two inputs, not for "
            f"{type(machine).__name__} with {X.shape[1]} inputs."
        )
    S = np.where(np.asarray(y) == machine.classes_[1], 1, -1)
    extent, grid = plane_grid(X)
    layer = machine._layers[0]
    answers = np.cumprod(np.hstack([np.ones((len(grid), 1)), layer.hidden(grid)]), axis=1)
    learned = np.cumprod(np.hstack([np.ones((len(X), 1)), layer.hidden(X)]), axis=1)
    states = {"cells": answers.T, "errors": np.sum(learned.T != S, axis=1)}
    settings = {"shape": (CELLS, CELLS), "kind": "field", "extent": extent}
    rows = len(layer) + 1
    return History(steps_without_examples(rows), states, X, S, type(machine).__name__, 1, rows - 1, settings)


def plane_grid(X: Array) -> tuple[list[float], Array]:
    """Extent of a square around X and the centres of its grid cells, row by row from the top."""
    low, high = X.min(axis=0), X.max(axis=0)
    centre, reach = (low + high) / 2, 0.58 * float((high - low).max() or 1.0)
    step = 2 * reach / CELLS
    x = centre[0] - reach + step * (np.arange(CELLS) + 0.5)
    y = centre[1] + reach - step * (np.arange(CELLS) + 0.5)
    extent = [float(v) for v in (centre[0] - reach, centre[0] + reach, centre[1] - reach, centre[1] + reach)]
    return extent, np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
