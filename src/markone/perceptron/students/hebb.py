"""Hebb's rule: every example is embedded once with the same strength   (1.6, 1.11)."""

from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.base.incremental import IncrementalStudent
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.weighted import WeightedStudent


class Hebb(IncrementalStudent, WeightedStudent):
    """w = (1/N) sum_mu S^mu xi^mu: the sum of the examples, in one pass, without correction of errors.

    Attributes
    ----------
    embedding_ : array (P,)
        x^mu, the weight of each example.

    Examples
    --------
    >>> from markone import Hebb
    >>> student = Hebb(fit_intercept=False).fit([[1.0, 1.0], [1.0, -1.0], [-1.0, 0.0]], [1, 1, -1])
    >>> student.coef_.tolist(), student.predict([[2.0, 5.0]]).tolist()
    ([[1.5, 0.0]], [1])
    """

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        x = np.ones(problem.P) if problem.weights is None else problem.weights
        return Trained(problem.weights_from_strengths(x), x, n_updates=int(np.count_nonzero(x)))

    def _learn_batch(self, problem: Problem, w: Array) -> Trained:
        return Trained(w + problem.weights_from_strengths(np.ones(problem.P)), n_updates=problem.P)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # No error is ever corrected: the mean of the examples can be a poor classifier.
        tags.classifier_tags.poor_score = True
        return tags
