"""The record that `theory.solve` returns; finite N: the laws that are known, and estimates by simulation."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.perceptron.theory import adaline_at_n

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


def explain(solution: Any) -> str:
    """Describe which equations a solution fulfils, where they hold and where points are missing.

    Parameters
    ----------
    solution : Solution, BayesCurve or OnlineCurve
        From `theory.solve`, `twin`, `bayes` or `online`.

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
    if not isinstance(solution, Solution):
        return f"{solution.family}\n{solution.equations}"
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


def correct_for_size(solution: Solution, N: int, arguments: tuple[Any, ...]) -> Solution:
    """The solution at N inputs where its law is known: least squares without penalty."""
    loss, penalty, teacher, noise, inputs, intercept = arguments
    if not N >= 2:
        raise ValueError(f"N is {N}: the number of inputs must be at least 2.")
    plain = loss == "square" and inputs is None and not intercept and not isinstance(penalty, dict)
    if plain and not np.any(penalty) and np.ndim(noise) == 0 and teacher in ("sign", "linear"):
        alpha = solution.alpha
        if teacher == "sign":
            known = alpha * N >= 1
            error = np.full(alpha.shape, np.nan)
            error[known] = adaline_at_n.generalization_error(alpha[known], float(noise), N=N)
            label = noise + (1 - 2 * noise) * error
            return replace(
                solution, epsilon_rule=error, epsilon_g=label, note=f"epsilon_g: exact mean at N = {N}"
            )
        P = np.round(alpha * N)
        with np.errstate(divide="ignore", invalid="ignore"):
            mse = np.where(P > N + 1, noise * N / (P - N - 1), np.nan)
        return replace(solution, mse=mse, note=f"mse: exact mean at N = {N}, for P > N + 1")
    return replace(
        solution, note=f"N to infinity; the deviation at N = {N} is not known, see theory.extrapolate"
    )


def extrapolate(simulate: Callable[[int], ArrayLike], N: int) -> tuple[Array, Array]:
    """Estimate the limit N -> infinity of a mean from simulations of N and 2N inputs, with its error.

    The deviation b/N cancels in 2 X(2N) - X(N); what is left is of order 1/N^2 away from transitions.

    Parameters
    ----------
    simulate : function (N) -> array-like
        Results of independent runs with N inputs, at least two: runs along the first axis.
    N : int
        The smaller size.

    Returns
    -------
    tuple of ndarray
        The estimate and its standard error.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import theory
    >>> rng = np.random.default_rng(0)
    >>> value, error = theory.extrapolate(lambda N: 0.3 + 1 / N + 0.01 * rng.normal(size=400), 50)
    >>> bool(abs(value - 0.3) < 4 * error)
    True
    """
    runs = [np.asarray(simulate(size), dtype=float) for size in (N, 2 * N)]
    if any(one.ndim == 0 or one.shape[0] < 2 for one in runs):
        raise ValueError("simulate(N) must return the results of at least two runs.")
    means = [one.mean(axis=0) for one in runs]
    errors = [one.std(axis=0, ddof=1) / np.sqrt(one.shape[0]) for one in runs]
    return np.asarray(2 * means[1] - means[0]), np.hypot(2 * errors[1], errors[0])
