"""Students with `partial_fit`: they learn batch by batch and keep only the weights."""

from dataclasses import field
from typing import Any, Self

import numpy as np

from markone.base.checks import check_known_labels, check_same_classes
from markone.base.sklearn_compat import check_partial_fit_first_call, fit_context
from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.student import Student

# Attributes of a single training set, deleted by `partial_fit`.
SINGLE_FIT_ATTRIBUTES = (
    "embedding_",
    "stability_",
    "stability_bounds_",
    "converged_",
    "mse_",
    "trace_",
    "history_",
)


class IncrementalStudent(Student):
    """A student with `partial_fit`; subclasses define how one batch changes the weights (`_learn`)."""

    n_seen_: int = field(init=False)

    def _learn_batch(self, problem: Problem, w: Array) -> Trained:
        raise NotImplementedError

    def _store_stream_state(self, P: int) -> None:
        self.n_seen_ = int(np.max(self.n_iter_)) * P

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Train on one more batch; the first call needs all labels as `classes`."""
        if getattr(self, "class_weight", None) is not None:
            raise ValueError("partial_fit takes no class_weight: a stream has no class frequencies. Use fit.")
        check_same_classes(classes, getattr(self, "classes_", None))
        first = check_partial_fit_first_call(self, classes)
        X, y = self._read_data(X, y, reset=first)
        check_known_labels(y, self.classes_)
        problems = self._make_problems(self._append_clamped_input(X), y, None)
        if first:
            self._set_weights([Trained(np.zeros(p.N)) for p in problems])
            self.n_iter_, self.n_seen_, self.n_updates_ = 0, 0, np.zeros(len(problems), dtype=int)
        trained = [self._learn_batch(p, w) for p, w in zip(problems, self._weights(), strict=True)]
        self._set_weights(trained)
        self.n_iter_ = self.n_iter_ + 1
        self.n_seen_ += len(y)
        self.n_updates_ = self.n_updates_ + np.array([t.n_updates for t in trained])
        for name in SINGLE_FIT_ATTRIBUTES:
            self.__dict__.pop(name, None)
        # History of this batch only.
        self._set_history([t.history for t in trained if t.history is not None])
        return self
