"""Students whose cost is a sum over examples: each example may count more or less."""

from typing import Any, ClassVar

import numpy as np
from sklearn.utils import compute_class_weight

from markone.base.sklearn_compat import StrOptions, check_sample_weight, fit_context
from markone.numerics.arrays import Array
from markone.perceptron.base.student import Student

CLASS_WEIGHT: list[Any] = [dict, StrOptions({"balanced"}), None]


def example_weights(X: Any, y: Array, classes: Array, sample_weight: Any, class_weight: Any) -> Array | None:
    """sample_weight times class_weight, or None where neither is given."""
    if sample_weight is None and class_weight is None:
        return None
    weights = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    # Weighted counts in "balanced": giving an example the weight two is the same as giving it twice.
    of_class = compute_class_weight(class_weight, classes=classes, y=y, sample_weight=weights)
    weights = weights * of_class[np.searchsorted(classes, y)]
    present = np.unique(y[weights > 0])
    if len(present) < 2:
        raise ValueError(
            "Two classes at least must have examples of positive weight; "
            f"here the weights leave {len(present)} class(es)."
        )
    return weights


class WeightedStudent(Student):
    """A student that takes `sample_weight` in fit and `class_weight` as a parameter."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = Student._parameter_constraints | {
        "class_weight": CLASS_WEIGHT
    }
    class_weight: Any

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "WeightedStudent":
        """Train on X, y; an example of weight 2 counts like two equal examples, weight 0 not at all."""

        def weigh(X: Any, y: Array) -> Array | None:
            return example_weights(X, y, self.classes_, sample_weight, self.class_weight)

        self._fit(X, y, weigh)
        return self
