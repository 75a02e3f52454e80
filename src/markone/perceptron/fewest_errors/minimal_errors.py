"""The student with the fewest errors, with a proof that no other has fewer   (4.1)."""

from dataclasses import field
from typing import Annotated

import numpy as np
from scipy import sparse

from markone.base.parameters import POSITIVE, Count
from markone.numerics.arrays import Array
from markone.perceptron.base.parameters import RandomOrder
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.student import Student
from markone.perceptron.fewest_errors.minimum import Minimum, minimise_errors, right_rows
from markone.perceptron.fewest_errors.tree import deadline_or_nodes
from markone.perceptron.students.pocket import Pocket

POCKET_EPOCHS = 100


class MinimalErrors(RandomOrder, Student):
    """The minimum of H_err (4.1), the number of training errors, with a proof.

    Branch and bound: each infeasible subset of the examples contains an error of any student, so disjoint
    subsets are a lower bound; one of them is the next branch. All subsets used are proven to be infeasible,
    rounding errors included, those with exactly dependent rows in integers. `Pocket` and random coordinate
    descent [1]_ give the first upper bound. The problem is NP-hard: the time grows exponentially with the
    number of errors and with N.

    Parameters
    ----------
    time_limit : float or None
        Seconds for each binary problem; None is no limit. A result that is proven does not depend on it.
    max_iter : int
        Largest number of nodes of the search.
    verbose : bool
        Print the bounds whenever the lower one has been raised.

    Attributes
    ----------
    n_errors_ : int
        Errors of this student on the training examples; a potential of 0 is an error.
    errors_bounds_ : tuple of int
        Proven bounds (lower, upper) on the fewest errors of any student. The upper one is `n_errors_`.
    proved_ : bool
        True if the bounds agree: no student has fewer errors. Also `converged_`.
    n_iter_ : int
        Nodes searched.

    Notes
    -----
    The weights are those of optimal stability on the examples that are right. Rows that are zero in all
    inputs, without a threshold, are errors here, though `predict` returns the class +1 (1.5).

    References
    ----------
    .. [1] :cite:`li2007`

    Examples
    --------
    >>> from markone import MinimalErrors
    >>> student = MinimalErrors(random_state=0).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> student.errors_bounds_, student.proved_
    ((1, 1), True)
    """

    n_errors_: int | Array = field(init=False)
    errors_bounds_: tuple[int, int] | Array = field(init=False)
    proved_: bool | Array = field(init=False)

    time_limit: Annotated[float | None, POSITIVE, None] = 10.0
    max_iter: Count = 10_000_000
    verbose: bool = False

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        goes_on = deadline_or_nodes(self.time_limit, self.max_iter)
        pocket = Pocket(max_iter=POCKET_EPOCHS)._train(problem, None)
        X = problem.X.toarray() if sparse.issparse(problem.X) else problem.X
        Z = np.array(problem.S[:, None] * X, dtype=np.float64, order="C")
        clamped = self._clamped_value() if self.fit_intercept else 1.0
        w = pocket.w.copy()
        if self.fit_intercept:
            # The number of errors does not depend on the value of the clamped input.
            Z[:, -1], w[-1] = problem.S, w[-1] * clamped
        found = minimise_errors(Z, w, problem.seed, goes_on, _print_bounds if self.verbose else None)
        w = found.w.copy()
        w[-1] /= clamped
        # Counted for the intercept returned, which may be rounded.
        upper = problem.P - int(right_rows(Z, np.r_[w[:-1], w[-1] * clamped]).sum())
        proved = found.lower == upper
        extra = {"n_errors_": upper, "errors_bounds_": (found.lower, upper), "proved_": proved}
        message = (
            f"stopped after {found.n_nodes} nodes: this student has {upper} errors, and at least "
            f"{found.lower} are proven to be necessary. Raise time_limit or max_iter, or use the student."
        )
        return Trained(w, None, max(found.n_nodes, 1), 0, proved, "" if proved else message, extra=extra)


def _print_bounds(found: Minimum) -> None:
    bounds = f"{found.lower} <= fewest errors <= {found.upper}"
    print(f"MinimalErrors: {bounds} after {found.n_nodes} nodes", flush=True)
