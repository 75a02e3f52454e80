"""Base of all classifiers: validation of X and y, classes, one problem per class, warnings."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from markone.base.checks import check_labels, check_size, distinct_classes
from markone.base.convergence_warning import warn_not_converged
from markone.base.input_validation import is_plain_input, validate_data
from markone.base.scores import winning_labels
from markone.base.sklearn_compat import BaseEstimator, CachedParameterNames, ClassifierMixin
from markone.numerics.arrays import Array

# Default options of the validation of X and y in `fit`.
READ_OPTIONS: dict[str, Any] = {
    "accept_sparse": "csr",
    "dtype": [np.float64, np.float32],
    "order": "C",
    "reset": True,
}


class TrainingOutcome(Protocol):
    """Outcome of the training of one binary problem; the message is empty if it succeeded."""

    message: str


def collect_values(values: Sequence[Any]) -> Any:
    """Return the value of the only problem; else an array over the classes, or a list if shapes differ."""
    if len(values) == 1:
        return values[0]
    if isinstance(values[0], (float, int, str)):
        return np.array(values)
    return np.array(values) if len({np.shape(value) for value in values}) == 1 else list(values)


def structured_tables(rows: Sequence[Sequence[Any]], dtype: Any) -> Any:
    """Structured arrays of the rows of each problem, as a list if there are several.

    Not `recarray`, which skops cannot save.
    """
    found = [np.array(list(some), dtype=dtype) for some in rows]
    return found if len(found) > 1 else found[0]


class Classifier(CachedParameterNames, ClassifierMixin, BaseEstimator):
    """A classifier for any labels; one problem for two classes, one against the rest for more."""

    classes_: Array
    n_features_in_: int

    def _read_data(self, X: Any, y: Any, *, reset: bool = True, **options: Any) -> tuple[Any, Array]:
        options = READ_OPTIONS | {"reset": reset} | options if options or not reset else READ_OPTIONS
        if not is_plain_input(self, X, y, options):
            X, y = validate_data(self, X, y, **options)
            check_size(X.data if sparse.issparse(X) else X)
        check_labels(y)
        return X, y

    def _set_classes(self, y: Any) -> None:
        self.classes_ = distinct_classes(y, type(self).__name__)

    def _make_targets(self, y: Array) -> list[Array]:
        """S = +-1 for each binary problem: the second of two classes, or each class, is +1."""
        positive = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        return [np.where(y == label, 1.0, -1.0) for label in positive]

    def predict(self, X: Any) -> Array:
        """The label of each row of X."""
        return winning_labels(self.decision_function(X), self.classes_)

    def decision_function(self, X: Any) -> Array:
        """Score of the second of two classes, or of each of more classes, for each row of X."""
        raise NotImplementedError

    def _problem_name(self, k: int) -> str:
        """Description of the binary problem k."""
        return f"class {self.classes_.tolist()[k]!r} against the rest"

    def _warn(self, outcomes: Sequence[TrainingOutcome]) -> None:
        """Warn about the first problem that did not converge, with the number of others."""
        open_ = [k for k, outcome in enumerate(outcomes) if outcome.message]
        if not open_:
            return
        which = f" ({self._problem_name(open_[0])}" if len(outcomes) > 1 else ""
        if which:
            kind = "classes" if len(outcomes) == len(self.classes_) else "pairs"
            which += f"; {len(open_)} of {len(outcomes)} {kind} alike)" if len(open_) > 1 else ")"
        warn_not_converged(f"{type(self).__name__}{which} {outcomes[open_[0]].message}")
