"""Systems of finite N: the laws that are known, and an estimate from simulations of two sizes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.perceptron.theory import adaline_at_n
from markone.perceptron.theory.engine.solution import Solution


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
