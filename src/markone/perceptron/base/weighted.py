"""Students whose cost is a weighted sum over examples."""

from typing import Any, Self

from markone.base.parameters import ClassWeight
from markone.base.sklearn_compat import fit_context
from markone.base.weights import example_weights
from markone.numerics.arrays import Array
from markone.perceptron.base.student import Student


class WeightedStudent(Student):
    """A student with `sample_weight` in `fit` and the parameter `class_weight`.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        Weight of each class; multiplies `sample_weight`.
    """

    class_weight: ClassWeight = None

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on X, y; an example of weight 2 counts as two equal examples, one of weight 0 is ignored."""

        def weigh(X: Any, y: Array) -> Array | None:
            return example_weights(X, y, self.classes_, sample_weight, self.class_weight)

        return self._read_and_fit(X, y, weigh)
