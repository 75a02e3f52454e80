"""The Bayes point: the centre of mass of version space   (3.37, 3.38)."""

from dataclasses import field
from numbers import Integral
from typing import Annotated, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.base.history import History, steps_without_examples
from markone.base.input_validation import validate_data
from markone.base.parameters import Count, Jobs, Record
from markone.base.sklearn_compat import Interval
from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.version_space.gibbs import SampledStudent, narrow_space_message
from markone.perceptron.version_space.sampled_space import Sample


class BayesPoint(SampledStudent):
    """The mean of many students from version space: no perceptron generalizes better on average.

    The teacher may be anywhere in version space; the centre of mass is closest on average. For large N its
    outputs are those of the majority of version space, which is Bayes optimal. Its error on a rule is
    `markone.theory.curve("bayes")`.

    Parameters
    ----------
    n_students : int
        Number of averaged students, from two independent chains. The overlap with the teacher is below its
        limit by a factor of about 1 - (1-q)/(2 q n_students).
    turns : int
        Quarter turns of the trajectory between two students.
    burn_in : int
        Quarter turns before the first.
    n_jobs : int or None
        Threads for the chains of all classes; -1 is all cores. The result does not depend on it.
    record : {"updates", "presentations"} or None
        Keep each sampled student and the running mean in `history_`. Both values record all students.

    Attributes
    ----------
    coef_, intercept_ : array
        The centre of mass, with |w| < 1: the shorter, the larger version space.
    overlap_ : float
        q, the mean overlap of two students (of one with the teacher), unbiased from two half samples. The
        square root is the Bayes point's overlap with the teacher for many students.
    expected_error_ : float
        Its generalization error for isotropic inputs, estimated without any test data.
    effective_size_ : float
        Number of independent students that would give the same precision.
    sample_ : Sample
        All students; one sample for each class if there are more than two.
    history_ : History, or a list of one for each class
        The sampled students, if `record` is set.

    Examples
    --------
    >>> from markone import BayesPoint
    >>> from markone.data import teacher_examples
    >>> xi, S, _ = teacher_examples(200, 50, seed=0)
    >>> bool(0.8 < BayesPoint(fit_intercept=False, random_state=0).fit(xi, S).overlap_ < 0.95)
    True
    """

    overlap_: float | Array = field(init=False)
    expected_error_: float | Array = field(init=False)
    effective_size_: float | Array = field(init=False)

    n_students: Annotated[int, Interval(Integral, 2, None, closed="left")] = 200
    turns: Count = 1
    burn_in: Annotated[int, Interval(Integral, 0, None, closed="left")] = 20
    n_jobs: Jobs = None
    record: Record = None

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        space, message = self._version_space(problem)
        sample = space.sample(
            self.n_students, turns=self.turns, burn_in=self.burn_in, seed=problem.seed, n_jobs=self.n_jobs
        )
        message = message or narrow_space_message(sample.cut)
        turns = self.burn_in + self.turns * len(sample.halves[0])
        extra = {
            "sample_": sample,
            "overlap_": sample.overlap,
            "expected_error_": sample.bayes_error,
            "effective_size_": sample.effective_size,
            "noise_": space.noise,
        }
        walked = None
        if self.record is not None:
            settings = {"fit_intercept": self.fit_intercept, "intercept_scaling": self.intercept_scaling}
            students = np.asarray(sample.students, dtype=np.float64)
            walked = walk_history(students, problem.X, problem.S, type(self).__name__, settings)
        return Trained(
            sample.centre, None, turns, sample.hits, not message, message, extra=extra, history=walked
        )

    def votes(self, X: Any) -> Array:
        """Fraction of the students that predict classes_[1] (each class, if there are more).

        An example with a fraction near 1/2 would be informative.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        samples = [self.sample_] if isinstance(self.sample_, Sample) else self.sample_
        shares = [sample.votes(self._append_clamped_input(X)) for sample in samples]
        return shares[0] if len(shares) == 1 else np.column_stack(shares)


def walk_history(students: Array, xi: Any, S: Array, student: str, settings: dict[str, Any]) -> History:
    """History with row k: the mean "w" of the first k students, the k-th "student", change of the mean."""
    zero = np.zeros(students.shape[1])
    means = np.cumsum(students, axis=0) / np.arange(1, len(students) + 1)[:, None]
    w = np.vstack([zero, means])
    table = steps_without_examples(len(w))
    table["change"][1:] = np.linalg.norm(np.diff(w, axis=0), axis=1)
    states = {"w": w, "student": np.vstack([zero, students])}
    return History(table, states, xi, S, student, 1, len(students), settings)
