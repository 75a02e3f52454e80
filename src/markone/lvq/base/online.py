"""On-line learning of prototypes: what LVQ1, OLVQ1, LVQ2.1, LVQ3 and Matrix LVQ1 share.

A student says how one pass over examples moves its prototypes (`_pass`). Here are the passes: in which
order, until when, which of the states met is kept, and how a stream goes on (`partial_fit`).
"""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state

from markone.base.sklearn_compat import fit_context
from markone.lvq.base.classifier import PrototypeClassifier
from markone.lvq.base.constraints import FALLING, ONLINE
from markone.lvq.base.initial import first_prototypes
from markone.lvq.base.partial_fit import placed, read_batch
from markone.lvq.base.recording import finished, on_line, one_by_one
from markone.lvq.base.threads import one_thread
from markone.lvq.distances.sparse_rows import distinct, is_sparse
from markone.lvq.solvers.base import TRACE
from markone.lvq.solvers.online._side_by_side import one_epoch_of_many
from markone.lvq.solvers.online._winner_takes_all import one_epoch
from markone.lvq.solvers.online.lesson import SCHEDULES, Lesson
from markone.numerics._orders import ORDERS
from markone.numerics.arrays import Array

# "auto": one prototype per class where the class means leave this fraction of errors or less, else several.
FEW_ERRORS, SEVERAL = 0.05, 3
# Rows looked at to see whether a class has several distinct examples.
SOME = 100
NO_RATES = np.empty(0)


class OnlineLVQ(PrototypeClassifier):
    """A nearest prototype classifier that learns from one example after another."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = ONLINE | FALLING
    prototypes_per_class: Any
    initial_prototypes: Any
    random_state: Any
    eta: float
    schedule: str
    tau: float
    order: str
    max_iter: int
    tol: float
    keep: str
    record: str | None
    n_iter_: int

    def _pass(self, lesson: Lesson, order: int) -> tuple[float, int]:
        """One epoch: mean of Psi d(w*, xi) and wrong winners, as met on the way."""
        raise NotImplementedError

    def _epoch(
        self,
        rule: int,
        lesson: Lesson,
        order: int,
        window: float = 0.0,
        epsilon: float = 0.0,
        rates: Any = NO_RATES,
    ) -> tuple[float, int]:
        """The compiled pass, by the rule of this number."""
        how = (
            float(self.eta),
            SCHEDULES[getattr(self, "schedule", "constant")],
            float(getattr(self, "tau", 1.0)),
        )
        at = (lesson.t, float(window), float(epsilon), order, lesson.turn, lesson.state)
        if lesson.many:
            cost, wrong = one_epoch_of_many(rule, *lesson.data(), rates, *how, *at)
        else:
            cost, wrong = one_epoch(rule, *lesson.data(), rates, *how, *at, lesson.missing)
        return float(cost), int(wrong)

    def _begin(self, lesson: Lesson) -> None:
        """What a student sets up before the first pass of a fit."""

    def _widen(self, lesson: Lesson) -> None:
        """What a student does with prototypes that a stream has placed since the last pass."""

    def _snapshot(self, lesson: Lesson) -> Any:
        """What must be kept of a good state."""
        return lesson.w.copy()

    def _restore(self, lesson: Lesson, kept: Any) -> None:
        lesson.w = kept

    def _errors(self, lesson: Lesson) -> float:
        return lesson.errors()

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on X, y. An example of weight 2 moves prototypes twice as far, one of weight 0 not at all."""
        X, y = self._read(X, y)
        X, y, weights = self._weigh(X, self._set_classes(y), sample_weight)
        with one_thread(X, len(self.classes_)):
            W, c = self._start(X, y, weights)
            lesson = self._lesson(X, y, weights, W, c)
            self._begin(lesson)
            self.__dict__.pop("history_", None)
            self._train(lesson)
        self._set_lesson(lesson, X.dtype)
        self.n_iter_ = len(lesson.trace)
        self.trace_ = np.array(lesson.trace, dtype=TRACE)
        return self

    def _lesson(self, X: Array, y: Array, weights: Array | None, W: Array, c: Array) -> Lesson:
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        weight = np.ones(len(y)) if weights is None else weights
        w = np.array(W, dtype=np.float64, order="C")
        # A read-only array is another type to the compiler, and compiling takes longer than copying.
        X = X if is_sparse(X) or X.flags.writeable else X.copy()
        missing = not is_sparse(X) and bool(np.isnan(X).any())
        state = np.array([seed], dtype=np.uint64)
        return Lesson(
            X, y.astype(np.int64), weight, w, c.astype(np.int64), np.arange(len(y)), state, 0.0, missing
        )

    def _start(self, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array]:
        if not isinstance(self.prototypes_per_class, str) or self.initial_prototypes is not None:
            return super()._start(X, y, weights)
        C = len(self.classes_)
        W, c = first_prototypes(X, y, self.classes_, [1] * C, "means", weights)
        lesson = self._lesson(X, y, weights, W, c)
        if lesson.errors() <= FEW_ERRORS * lesson.weight.sum():
            return W, c
        counts = [min(SEVERAL, distinct(X[y == k][:SOME])) for k in range(C)]
        rng = check_random_state(self.random_state)
        return first_prototypes(X, y, self.classes_, counts, self.initial, weights, rng)

    def _train(self, lesson: Lesson) -> None:
        """Epochs until the prototypes rest or the time is up."""
        best, fewest = self._snapshot(lesson), self._errors(lesson) if self.keep == "best" else np.inf
        still = min(self.tol, 1e150) ** 2 * lesson.spread()
        keeper = None if self.record is None else on_line(self, lesson)
        for epoch in range(self.max_iter):
            lesson.t, before = float(epoch), lesson.w.copy()
            if keeper is None:
                cost, wrong = self._pass(lesson, ORDERS[self.order])
            else:
                cost, wrong = one_by_one(self, lesson, ORDERS[self.order], keeper, epoch + 1)
            lesson.trace.append((epoch + 1, cost, wrong))
            if self.keep == "best" and (errors := self._errors(lesson)) < fewest:
                best, fewest = self._snapshot(lesson), errors
            if ((lesson.w - before) ** 2).sum(axis=1).max() <= still:
                break
        if keeper is not None:
            self.history_ = finished(self, keeper, lesson.xi, lesson.y)
        if self.keep == "best":
            self._restore(lesson, best)

    def _set_lesson(self, lesson: Lesson, dtype: Any) -> None:
        self._set_prototypes(lesson.w.astype(dtype), lesson.c)

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from one more batch, each row once, in the order given; all labels as `classes` at first.

        A call counts as one epoch in the schedule. A class gets its prototypes in the batch that shows it
        first, if they are not given as `initial_prototypes`.
        """
        first, X, y, weights = read_batch(self, X, y, classes, sample_weight)
        with one_thread(X, len(self.classes_)):
            W, c = placed(self, X, y, weights)
        lesson = self._lesson(X, y, weights, W, c)
        lesson.t = 0.0 if first else float(self.n_iter_)
        if first:
            self._begin(lesson)
        else:
            self._widen(lesson)
        if self.record is None:
            self._pass(lesson, ORDERS["cyclic"])
        else:
            keeper = on_line(self, lesson)
            one_by_one(self, lesson, ORDERS["cyclic"], keeper, 1 if first else self.n_iter_ + 1)
            self.history_ = finished(self, keeper, lesson.xi, lesson.y)
        self._set_lesson(lesson, X.dtype)
        self.n_iter_ = 1 if first else self.n_iter_ + 1
        self.__dict__.pop("trace_", None)
        return self
