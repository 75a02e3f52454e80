"""A classifier that says how stable it is, and how stable it could be at the most."""

from typing import Any

import numpy as np

from markone.base.classifier import Classifier, collect, tables
from markone.base.history import History
from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Trained

TRACE = np.dtype([("epoch", int), ("errors", int), ("stability", float), ("norm", float), ("mse", float)])


class Certified(Classifier):
    """Fitted attributes that every student has: plain numbers for two classes, one per class for more."""

    stability_: float | Array
    stability_bounds_: tuple[float, float] | Array
    converged_: bool | Array
    n_updates_: int | Array
    n_iter_: int | Array
    embedding_: Array
    trace_: Any
    history_: History | list[History]

    def _set_outcome(self, trained: list[Trained], bounds: list[tuple[float, float]]) -> None:
        self.stability_ = collect([low for low, _ in bounds])
        self.stability_bounds_ = collect(bounds)
        self.converged_ = collect([t.converged for t in trained])
        self.n_updates_ = collect([t.n_updates for t in trained])
        self.n_iter_ = collect([t.n_epochs for t in trained])
        if all(t.x is not None for t in trained):
            self.embedding_ = collect([t.x for t in trained])
        for name in trained[0].extra:
            setattr(self, name, collect([t.extra[name] for t in trained]))
        if any(t.trace for t in trained):
            self.trace_ = tables([t.trace for t in trained], TRACE)
        self._set_history([t.history for t in trained if t.history is not None])

    def _set_history(self, histories: list[History]) -> None:
        self.__dict__.pop("history_", None)
        if histories:
            self.history_ = histories if len(histories) > 1 else histories[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
