"""Training histories of fitted estimators: recorded, or reconstructed from fitted attributes."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.history import History, history_of_estimator
from markone.numerics.arrays import Array
from markone.perceptron.version_space.bayes_point import walk_history
from markone.show.replay import growth_history


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
    with warnings.catch_warnings():
        # The first fit has warned already.
        warnings.simplefilter("ignore")
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
