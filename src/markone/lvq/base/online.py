"""Base class of on-line rules: LVQ1, OLVQ1, LVQ2.1, LVQ3 and Matrix LVQ1.

A subclass defines one epoch (`_single_pass`). The base class has the loop over epochs: order, stopping, which
state is kept, and continued training (`partial_fit`).
"""

from collections.abc import Mapping
from dataclasses import field
from numbers import Real
from typing import Annotated, Any, Self

import numpy as np
from sklearn.utils import check_random_state

from markone.base.parameters import COUNT, Count, NotNegative, Parameters, Positive, Record
from markone.base.sklearn_compat import Interval, StrOptions, fit_context
from markone.lvq.base.classifier import GivenPrototypes, PrototypeClassifier, one_thread
from markone.lvq.base.initialisation import first_prototypes
from markone.lvq.base.partial_fit import extended_prototypes, read_batch
from markone.lvq.base.recording import finished_history, online_keeper, record_epoch
from markone.lvq.distances.row_statistics import count_distinct_rows, is_sparse
from markone.lvq.solvers.objective import TRACE
from markone.lvq.solvers.online._many_prototypes import lvq_epoch_of_many
from markone.lvq.solvers.online._winner_takes_all import lvq_epoch
from markone.lvq.solvers.online.online_training import SCHEDULES, OnlineTraining
from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array

# "auto": one prototype per class if class means have at most this fraction of errors, else several.
FEW_ERRORS, SEVERAL = 0.05, 3
# Number of rows checked for distinct examples of a class.
SOME = 100
NO_RATES = np.empty(0)


class OnlineLVQ(GivenPrototypes, PrototypeClassifier):
    """A nearest prototype classifier that learns from one example after another.

    Parameters
    ----------
    prototypes_per_class : int, list, mapping label -> int, or "auto"
        "auto" is one where the class means misclassify at most 5 % of the examples, else three.
    eta : float
        Learning rate of the first epoch.
    order : {"shuffled", "random", "cyclic"}
        Order of presentation: a new permutation each epoch, random with replacement (the notes), or cyclic.
    max_iter : int
        Maximum number of epochs; reaching it gives no warning.
    tol : float
        Stop after an epoch that moved no prototype by more than tol times the spread of the data.
    keep : {"best", "last"}
        The prototypes with the fewest errors on the training examples after any epoch, the start included
        (as the pocket of (4.2)), or those of the last epoch.
    record : {"updates", "presentations"} or None
        Keep in `history_` each step that moved a prototype, or each step: example, Psi d(w*, xi) before and
        after, how far prototypes moved; all prototypes and the errors after it.

    Attributes
    ----------
    n_iter_ : int
        Epochs used (with `partial_fit`: calls).
    trace_ : structured array
        Fields step, cost and errors of each epoch: mean of Psi d(w*, xi) and number of wrong winners.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.
    """

    prototypes_per_class: Annotated[Any, COUNT, Mapping, "array-like", StrOptions({"auto"})] = "auto"
    eta: Annotated[float, Interval(Real, 0, 1, closed="neither")] = 0.05
    order: Annotated[str, StrOptions(set(ORDERS))] = "shuffled"
    max_iter: Count = 30
    tol: NotNegative = 1e-4
    keep: Annotated[str, StrOptions({"best", "last"})] = "best"
    record: Record = None
    n_iter_: int = field(init=False)

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        """One epoch; returns the mean of Psi d(w*, xi) and the wrong winners, before each update."""
        raise NotImplementedError

    def _compiled_epoch(
        self,
        rule: int,
        training: OnlineTraining,
        order: int,
        window: float = 0.0,
        epsilon: float = 0.0,
        rates: Any = NO_RATES,
    ) -> tuple[float, int]:
        """Compiled epoch of the rule with this number."""
        rate = (
            float(self.eta),
            SCHEDULES[getattr(self, "schedule", "constant")],
            float(getattr(self, "tau", 1.0)),
        )
        at = (training.t, float(window), float(epsilon), order, training.turn, training.state)
        if training.has_many_prototypes:
            cost, wrong = lvq_epoch_of_many(rule, *training.compiled_arguments(), rates, *rate, *at)
        else:
            cost, wrong = lvq_epoch(rule, *training.compiled_arguments(), rates, *rate, *at, training.missing)
        return float(cost), int(wrong)

    def _init_state(self, training: OnlineTraining) -> None:
        """Set up state before the first epoch of a fit."""

    def _extend_state(self, training: OnlineTraining) -> None:
        """Extend the state to prototypes that `partial_fit` has added."""

    def _copy_state(self, training: OnlineTraining) -> Any:
        """Copy of the trained state."""
        return training.w.copy()

    def _restore_state(self, training: OnlineTraining, kept: Any) -> None:
        training.w = kept

    def _error_weight(self, training: OnlineTraining) -> float:
        return training.error_weight()

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on X, y. An example of weight 2 moves prototypes twice as far, one of weight 0 not at all."""
        X, y = self._read_data(X, y)
        X, y, weights = self._apply_weights(X, self._set_classes(y), sample_weight)
        with one_thread(X, len(self.classes_)):
            W, c = self._place_prototypes(X, y, weights)
            training = self._make_training(X, y, weights, W, c)
            self._init_state(training)
            self.__dict__.pop("history_", None)
            self._run_epochs(training)
        self._set_fitted(training, X.dtype)
        self.n_iter_ = len(training.trace)
        self.trace_ = np.array(training.trace, dtype=TRACE)
        self._refuse_divergence(self.trace_["cost"])
        return self

    def _make_training(self, X: Array, y: Array, weights: Array | None, W: Array, c: Array) -> OnlineTraining:
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        weight = np.ones(len(y)) if weights is None else weights
        w = np.array(W, dtype=np.float64, order="C")
        # A read-only array is another numba type, and compiling takes longer than copying.
        X = X if is_sparse(X) or X.flags.writeable else X.copy()
        missing = not is_sparse(X) and bool(np.isnan(X).any())
        state = np.array([seed], dtype=np.uint64)
        return OnlineTraining(
            X, y.astype(np.int64), weight, w, c.astype(np.int64), np.arange(len(y)), state, 0.0, missing
        )

    def _place_prototypes(self, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array]:
        if not isinstance(self.prototypes_per_class, str) or self.initial_prototypes is not None:
            return super()._place_prototypes(X, y, weights)
        C = len(self.classes_)
        W, c = first_prototypes(X, y, self.classes_, [1] * C, "means", weights)
        training = self._make_training(X, y, weights, W, c)
        if training.error_weight() <= FEW_ERRORS * training.weight.sum():
            return W, c
        counts = [min(SEVERAL, count_distinct_rows(X[y == k][:SOME])) for k in range(C)]
        rng = check_random_state(self.random_state)
        return first_prototypes(X, y, self.classes_, counts, self.initial, weights, rng)

    def _run_epochs(self, training: OnlineTraining) -> None:
        """Epochs until the prototypes move by less than `tol` or `max_iter` is reached."""
        best = self._copy_state(training)
        fewest = self._error_weight(training) if self.keep == "best" else np.inf
        still = min(self.tol, 1e150) ** 2 * training.total_variance()
        keeper = None if self.record is None else online_keeper(self, training)
        for epoch in range(self.max_iter):
            training.t, before = float(epoch), training.w.copy()
            if keeper is None:
                cost, wrong = self._single_pass(training, ORDERS[self.order])
            else:
                cost, wrong = record_epoch(self, training, ORDERS[self.order], keeper, epoch + 1)
            training.trace.append((epoch + 1, cost, wrong))
            if self.keep == "best" and (errors := self._error_weight(training)) < fewest:
                best, fewest = self._copy_state(training), errors
            if ((training.w - before) ** 2).sum(axis=1).max() <= still:
                break
        if keeper is not None:
            self.history_ = finished_history(self, keeper, training.xi, training.y)
        if self.keep == "best":
            self._restore_state(training, best)

    def _set_fitted(self, training: OnlineTraining, dtype: Any) -> None:
        self._set_prototypes(training.w.astype(dtype), training.c)

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Train on one more batch, each row once in the given order; pass all labels as `classes` first.

        A call counts as one epoch in the schedule. A class gets its prototypes in the first batch that
        contains it, if they are not given as `initial_prototypes`.
        """
        first, X, y, weights = read_batch(self, X, y, classes, sample_weight)
        with one_thread(X, len(self.classes_)):
            W, c = extended_prototypes(self, X, y, weights)
        training = self._make_training(X, y, weights, W, c)
        training.t = 0.0 if first else float(self.n_iter_)
        if first:
            self._init_state(training)
        else:
            self._extend_state(training)
        if self.record is None:
            self._single_pass(training, ORDERS["cyclic"])
        else:
            keeper = online_keeper(self, training)
            record_epoch(self, training, ORDERS["cyclic"], keeper, 1 if first else self.n_iter_ + 1)
            self.history_ = finished_history(self, keeper, training.xi, training.y)
        self._set_fitted(training, X.dtype)
        self.n_iter_ = 1 if first else self.n_iter_ + 1
        self.__dict__.pop("trace_", None)
        return self


class RateSchedule(Parameters):
    """A decreasing learning rate.

    Parameters
    ----------
    schedule : {"inverse", "exponential", "constant"}
        eta / (1 + t/tau), eta exp(-t/tau) or eta after t epochs.
    tau : float
        Time of the schedule, in epochs.
    """

    schedule: Annotated[str, StrOptions(set(SCHEDULES))] = "inverse"
    tau: Positive = 10.0
