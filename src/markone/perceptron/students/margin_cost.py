"""The cost functions H^[k] of section 4.1.1, minimised by their gradient."""

from dataclasses import field
from numbers import Integral
from typing import Annotated

import numpy as np
from scipy.optimize import minimize

from markone.base.parameters import Count, Positive
from markone.base.sklearn_compat import Options
from markone.numerics.arrays import Array
from markone.perceptron.base.parameters import WarmStart
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.weighted import WeightedStudent
from markone.perceptron.measures import training_errors

# k = 1 has a kink at E = c. It is smoothed over a width that decreases in stages to c times the last value.
WIDTHS = tuple(10.0**-k for k in range(0, 7))


class MarginCost(WarmStart, WeightedStudent):
    """Minimise H^[k](w) = sum_mu (c - E^mu)^k Theta[c - E^mu].

    In the literature k = 1 is called the perceptron cost and k = 2 the adatron cost; neither is the
    algorithm of that name. If the data are separable any w with all E >= c has cost zero: the stability
    is not maximised, see `AdaTron`.

    Parameters
    ----------
    k : {1, 2}
        Power of the cost.
    c : float
        Potential below which an example contributes to the cost. c must be positive (c = 0 is solved by
        w = 0); its value only sets the scale of w.
    tol : float
        Stop when the largest component of the gradient per example is below tol (L-BFGS).
    max_iter : int
        Maximum number of iterations (for k = 1, in each of seven stages).

    Attributes
    ----------
    cost_ : float
        Value of H^[k] reached.
    n_errors_ : int
        Errors on the training examples.
    embedding_ : array (P,)
        x^mu = k (c - E)_+^(k-1) scaled to sum to one: for inseparable data |sum x S xi| -> 0
        shows that every perceptron has errors.

    Examples
    --------
    >>> from markone import MarginCost
    >>> from markone.data import two_classes
    >>> xi, S, _ = two_classes("dense", 40)
    >>> student = MarginCost(k=2).fit(xi, S)
    >>> student.converged_, student.n_errors_
    (True, 0)
    """

    cost_: float | Array = field(init=False)
    n_errors_: int | Array = field(init=False)

    k: Annotated[int, Options(Integral, {1, 2})] = 2
    c: Positive = 1.0
    tol: Positive = 1e-8
    max_iter: Count = 1000

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        w = np.zeros(problem.N) if start is None else start.w
        weights = np.ones(problem.P) if problem.weights is None else problem.weights
        with np.errstate(over="ignore"):
            at_zero = float(weights.sum() * np.float64(self.c) ** self.k)
        if not np.isfinite(at_zero):
            raise ValueError(f"The cost is not finite with c = {self.c:g}: choose c nearer to one.")
        options = {"maxiter": self.max_iter, "gtol": self.tol * float(weights.sum())}
        options |= {"ftol": 0.0, "maxcor": 20}
        iterations, slopes = 0, np.zeros(problem.P)

        def cost(w: Array, width: float) -> tuple[float, Array]:
            gap = self.c - problem.local_potentials(w)
            value, slope = _squared_hinge(gap) if self.k == 2 else _rounded_hinge(gap, width * self.c)
            slopes[:] = weights * slope
            return float(weights @ value), -np.asarray(problem.X.T @ (slopes * problem.S), dtype=np.float64)

        for width in WIDTHS if self.k == 1 else (1.0,):
            best = minimize(cost, w, args=(width,), jac=True, method="L-BFGS-B", options=options)
            w, iterations = best.x, iterations + best.nit
        cost(w, WIDTHS[-1])
        extra = {"cost_": float(weights @ np.maximum(self.c - problem.local_potentials(w), 0) ** self.k)}
        extra["n_errors_"] = training_errors(w, problem.X, problem.S)
        x = slopes / slopes.sum() if slopes.any() else None
        message = "" if best.nit < self.max_iter else self._nonconvergence_message(extra["cost_"], best.jac)
        return Trained(w, x, max(1, iterations), iterations, not message, message, extra=extra)

    def _nonconvergence_message(self, cost: float, gradient: Array) -> str:
        return (
            f"stopped after max_iter = {self.max_iter} iterations with H = {cost:.6g} and a gradient up to "
            f"{np.abs(gradient).max():.3g}. Raise max_iter, or scale the inputs."
        )


def _squared_hinge(gap: Array) -> tuple[Array, Array]:
    """(gap)_+^2 and its slope."""
    positive = np.maximum(gap, 0.0)
    return positive**2, 2.0 * positive


def _rounded_hinge(gap: Array, width: float) -> tuple[Array, Array]:
    """(gap)_+ with the kink at 0 replaced by a parabola over 0 .. width; never above (gap)_+."""
    slope = np.clip(gap / width, 0.0, 1.0)
    return slope * (gap - 0.5 * slope * width), slope
