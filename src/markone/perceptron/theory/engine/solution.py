"""The record that `theory.solve` returns."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array

COLUMNS = ("epsilon_g", "epsilon_rule", "epsilon_t", "loss", "mse", "mse_t", "R", "m", "q", "norm", "b", "V")


@dataclass(frozen=True)
class Solution:
    """A learning curve and its order parameters; arrays of the shape of the arguments, NaN where not ok.

    Parameters
    ----------
    alpha : ndarray
        Examples per weight.
    epsilon_g : ndarray
        Probability of a wrong label on a new example, labels with the teacher's noise; NaN for regression.
    epsilon_rule : ndarray
        arccos(R)/pi, the disagreement with a teacher without noise and threshold; NaN for other worlds.
    epsilon_t : ndarray
        Fraction of wrong training examples.
    loss : ndarray
        Mean loss of the training examples, without penalty.
    mse : ndarray
        Mean squared difference of the fields of student and linear teacher; NaN for labels.
    mse_t : ndarray
        Mean squared residual on training examples; NaN for labels.
    R : ndarray
        Cosine of the angle between the fields of student and teacher.
    m : ndarray
        Covariance of the two fields (two Gaussians: w.mu).
    q : ndarray
        Variance of the student's field.
    norm : ndarray
        Length of w.
    b : ndarray
        Intercept.
    V : ndarray
        Response of a field to a force on it.
    support : ndarray
        Fraction of training examples with a slope of the loss.
    nonzero : ndarray
        Fraction of weights that are not zero.
    ok : ndarray
        True where a root was found.
    reason : ndarray
        Why not, else an empty text.
    family : str
        Which equations were solved.
    note : str
        What holds at finite N.
    again : function, optional
        Solves for the same student and world at other alpha; used by `at`.
    """

    alpha: Array
    epsilon_g: Array
    epsilon_rule: Array
    epsilon_t: Array
    loss: Array
    mse: Array
    mse_t: Array
    R: Array
    m: Array
    q: Array
    norm: Array
    b: Array
    V: Array
    support: Array
    nonzero: Array
    ok: Array
    reason: Array
    family: str = ""
    note: str = "N to infinity"
    again: Callable[..., Any] | None = field(default=None, repr=False, compare=False)

    def at(self, alpha: ArrayLike) -> "Solution":
        """The same student and world at other alpha."""
        if self.again is None:
            raise ValueError("This solution does not know its student and world: call theory.solve.")
        found: Solution = self.again(alpha)
        return found

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each point."""
        import pandas as pd

        names = [one.name for one in fields(self) if one.name not in ("family", "note", "again")]
        return pd.DataFrame({name: np.ravel(getattr(self, name)) for name in names})


def explain(solution: Solution) -> str:
    """Describe which equations a solution fulfils, where they hold and where points are missing.

    Parameters
    ----------
    solution : Solution
        From `theory.solve` or `theory.twin`.

    Returns
    -------
    str
        A few lines of text.

    Examples
    --------
    >>> from markone import theory
    >>> print(theory.explain(theory.solve(2.0, loss="hinge")).splitlines()[0])
    loss hinge, teacher sign, independent inputs, l2
    """
    ok = np.ravel(solution.ok)
    lines = [
        solution.family,
        "N, P -> infinity at fixed alpha = P/N; exact for a convex loss; finite N deviates by O(1/N).",
        f"  This record: {solution.note}.",
        "  m_hat = alpha <g dP/dz>, q_hat = alpha <g^2>, V_hat = -alpha <dg/dh>, g = -l'(E) after learning,",
        "  and m, q, V are moments of W = argmin V_hat W^2/2 - B W + penalty, B ~ N(m_hat W*, q_hat).",
        f"{ok.sum()} of {ok.size} points solved.",
    ]
    reasons = sorted({str(reason) for reason in np.ravel(solution.reason) if reason})
    return "\n".join([*lines, *reasons])
