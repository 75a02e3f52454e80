"""Training histories of fitted estimators: recorded, or reconstructed after training."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.history import History, history_of_estimator, steps_without_examples
from markone.base.plot_style import square_around, square_extent
from markone.numerics.arrays import Array
from markone.perceptron.version_space.bayes_point import walk_history

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
    table, rows = steps_without_examples(len(cells)), len(cells)
    return History(table, states, np.empty((0, 2)), np.empty(0), "Hopfield", 1, rows - 1, settings)


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
    centre, reach = square_around(X)
    step = 2 * reach / CELLS
    x = centre[0] - reach + step * (np.arange(CELLS) + 0.5)
    y = centre[1] + reach - step * (np.arange(CELLS) + 0.5)
    return square_extent(X), np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def history_of(model: Any, X: Any = None, y: Any = None, *, which: int = 0) -> History:
    """Return the `History` of a fitted estimator.

    Students fitted with `record="updates"` have a recorded history. Given X and y it is also available for
    `BayesPoint` (its walk through version space), a grown `ParityMachine` (its units), and prototype
    classifiers, which are trained again with `record="updates"`. ValueError if there is none.

    Parameters
    ----------
    model : fitted estimator
        The student.
    X, y : array or None, default=None
        The examples.
    which : int, default=0
        Index of the binary problem, for several classes.

    Returns
    -------
    History
        The steps.

    Examples
    --------
    >>> from markone import Rosenblatt
    >>> from markone.show import history_of
    >>> student = Rosenblatt(record="updates").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> history_of(student).student
    'Rosenblatt'
    """
    if isinstance(model, History):
        return model
    if hasattr(model, "sample_") and not hasattr(model, "history_"):
        return _version_space_history(model, X, y)
    if X is not None and y is not None and not hasattr(model, "history_"):
        if hasattr(model, "prototypes_per_class") and hasattr(model, "record"):
            return _recorded_again(model, X, y)
        if hasattr(model, "growth_"):
            return growth_history(model, X, y)
    return history_of_estimator(model, which)


def _recorded_again(model: Any, X: Any, y: Any) -> History:
    """History of a prototype classifier trained again on the same path."""
    if not isinstance(model.random_state, (int, np.integer)):
        raise ValueError(
            f"random_state is {model.random_state!r}: set an integer, so that {type(model).__name__} "
            "trained again follows the same path."
        )
    with warnings.catch_warnings(action="ignore"):  # the first fit has warned already
        recorded: History = clone(model).set_params(record="updates").fit(X, y).history_
    return recorded


def _version_space_history(model: Any, X: Any, y: Any) -> History:
    """The centre of mass as a function of the number of averaged students of version space   (3.38)."""
    if X is None or y is None:
        raise ValueError(
            f"Give X and y: {type(model).__name__} stores its sampled students, not the examples."
        )
    if isinstance(model.sample_, list):
        raise ValueError(f"{type(model).__name__} has one walk for each of several classes; fit two classes.")
    students = np.asarray(model.sample_.students, dtype=float)
    S = np.where(np.asarray(y) == model.classes_[1], 1.0, -1.0)
    xi = model._append_clamped_input(np.asarray(X, dtype=float))
    settings = {"fit_intercept": model.fit_intercept, "intercept_scaling": model.intercept_scaling}
    return walk_history(students, xi, S, type(model).__name__, settings)


def split_inputs_weights(history: History) -> tuple[Array, Array, Array]:
    """(X, W, offsets): inputs without the clamped one, their weights, and w0 after each row."""
    xi = history.xi.toarray() if hasattr(history.xi, "toarray") else np.asarray(history.xi)
    W = history.w
    if not history.settings.get("fit_intercept", False):
        return np.asarray(xi, dtype=float), W, np.zeros(len(W))
    scale = float(history.settings.get("intercept_scaling", 1.0))
    return np.asarray(xi[:, :-1], dtype=float), W[:, :-1], W[:, -1] * scale
