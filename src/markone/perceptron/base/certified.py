"""Base class of classifiers with a proven stability and bounds on the optimal one."""

from typing import Any

import numpy as np

from markone.base.classifier import Classifier, collect_values, structured_tables
from markone.base.history import History
from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Trained
from markone.perceptron.separable.two_classes import check_integers

TRACE = np.dtype([("epoch", int), ("errors", int), ("stability", float), ("norm", float), ("mse", float)])


def _fitted_attributes(trained: Trained, bounds: tuple[float, float]) -> dict[str, Any]:
    """Fitted attributes of one binary problem."""
    found = {
        "stability_": bounds[0],
        "stability_bounds_": bounds,
        "converged_": trained.converged,
        "n_updates_": trained.n_updates,
        "n_iter_": trained.n_epochs,
    }
    if trained.x is not None:
        found["embedding_"] = trained.x
    return found | trained.extra


class Certified(Classifier):
    """Fitted attributes common to all students: scalars for two classes, one value per class for more."""

    stability_: float | Array
    stability_bounds_: tuple[float, float] | Array
    converged_: bool | Array
    n_updates_: int | Array
    n_iter_: int | Array
    embedding_: Array
    trace_: Any
    history_: History | list[History]

    def _read_data(self, X: Any, y: Any, **options: Any) -> Any:
        """Validated X and y; integers that float64 would round are refused: proofs would be about others."""
        found = super()._read_data(X, y, **options)
        if not (type(X) is np.ndarray and X.dtype.kind == "f"):
            check_integers(X)
        return found

    def _set_outcome(self, trained: list[Trained], bounds: list[tuple[float, float]]) -> None:
        rows = [_fitted_attributes(*pair) for pair in zip(trained, bounds, strict=True)]
        if len(rows) > 1:
            shared = [name for name in rows[0] if all(name in row for row in rows)]
            rows[0] = {name: collect_values([row[name] for row in rows]) for name in shared}
        self.__dict__.update(rows[0])
        if any(t.trace for t in trained):
            self.trace_ = structured_tables([t.trace for t in trained], TRACE)
        self._set_history([t.history for t in trained if t.history is not None])

    def _set_history(self, histories: list[History]) -> None:
        self.__dict__.pop("history_", None)
        if histories:
            self.history_ = histories if len(histories) > 1 else histories[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
