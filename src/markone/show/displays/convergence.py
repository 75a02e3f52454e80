"""Display of the convergence proof: M, R, Q and kappa of a run against their bounds   (3.22, 3.26, 3.29)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.base.history import History
from markone.base.plot_style import GREY, MINUS, PLUS, ink_colour, panel_figure
from markone.numerics.arrays import Array
from markone.perceptron.measures import convergence_bound, squared_input_lengths, stability
from markone.show.histories import history_of


@dataclass
class ConvergenceDisplay:
    """R = w.w* with |w*| = 1, Q = |w|^2 and kappa over the number of updates M, with their bounds.

    R >= eta kappa* M/N (3.22), Q <= eta (2c + eta Gamma) M/N (3.26), M <= M* (3.29).
    Use `ConvergenceDisplay.from_estimator` with a student that recorded its history.

    Parameters
    ----------
    M : array
        Updates so far.
    R, Q, kappa : array
        Measured values.
    R_bound, Q_bound : array
        Bounds of the proof.
    M_bound : float
        M*.
    kappa_best : float
        The optimal stability.
    student : str, default=""
        Name of the student.
    holds : bool, default=True
        Whether the bounds apply: Rosenblatt's rule from w = 0.

    Examples
    --------
    >>> from markone import Rosenblatt
    >>> from markone.data import two_classes
    >>> from markone.show import ConvergenceDisplay
    >>> xi, S, _ = two_classes("dense", 20)
    >>> display = ConvergenceDisplay.from_estimator(Rosenblatt(record="updates").fit(xi, S))
    >>> bool((display.R >= display.R_bound - 1e-9).all() and (display.Q <= display.Q_bound + 1e-9).all())
    True
    """

    M: Array
    R: Array
    Q: Array
    kappa: Array
    R_bound: Array
    Q_bound: Array
    M_bound: float
    kappa_best: float
    student: str = ""
    holds: bool = True

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, solution: Any = None, which: int = 0, ax: Any = None, figure: Any = None
    ) -> "ConvergenceDisplay":
        """Display a student with a recorded history. solution: weights of any solution w* (clamped input
        last); default: the perceptron of optimal stability, which gives the tightest bounds."""
        return cls.from_history(history_of(estimator, which=which), solution=solution, ax=ax, figure=figure)

    @classmethod
    def from_history(
        cls, history: History, *, solution: Any = None, ax: Any = None, figure: Any = None
    ) -> "ConvergenceDisplay":
        w_star = _optimal_weights(history) if solution is None else np.asarray(solution, dtype=float)
        w_star = w_star / np.linalg.norm(w_star)
        N, best = history.w.shape[1], stability(w_star, history.xi, history.S)
        holds = history.student == "Rosenblatt" and not np.any(history.w[0])
        # In other rules eta and c have another meaning or do not exist; no bounds are drawn.
        eta, c = (float(history.settings[name]) for name in ("eta", "c")) if holds else (1.0, 0.0)
        M = history["updates"].astype(float)
        Gamma = float(squared_input_lengths(history.xi).max()) / N
        display = cls(
            M,
            history.w @ w_star,
            history.Q,
            history.kappa,
            eta * max(best, 0.0) * M / N,
            eta * (2 * c + eta * Gamma) * M / N,
            convergence_bound(history.xi, history.S, w_star, c, eta),
            best,
            history.student,
            holds,
        )
        return display.plot(ax=ax, figure=figure)

    def plot(self, *, ax: Any = None, figure: Any = None) -> "ConvergenceDisplay":
        self.figure_ = panel_figure(ax, figure, figsize=(8.5, 2.9))
        self.axes_ = self.figure_.subplots(1, 3)
        self.ax_ = self.axes_[0]
        self._draw_panel(self.axes_[0], self.R, self.R_bound, "R = w·w*", "≥ (3.22)")
        self._draw_panel(self.axes_[1], self.Q, self.Q_bound, "Q = |w|²", "≤ (3.26)")
        last = self.axes_[2]
        last.plot(self.M, self.kappa, color=PLUS, label="κ(w)")
        last.axhline(self.kappa_best, color=MINUS, ls="--", lw=1.2, label="κ of w*")
        last.axhline(0, color=GREY, lw=0.6)
        last.set(xlabel="updates M", title="stability κ")
        last.legend(fontsize="small")
        bound = f"M = {self.M[-1]:.0f} ≤ M* = {self.M_bound:.3g} (3.29)" if np.isfinite(self.M_bound) else ""
        if not self.holds:
            bound = f"{self.student}: the bounds are those of Rosenblatt's rule from w = 0"
        self.figure_.suptitle(bound, fontsize="medium", color=ink_colour())
        return self

    def _draw_panel(self, ax: Any, value: Array, bound: Array, title: str, sign: str) -> None:
        ax.plot(self.M, value, color=PLUS, label=title.split(" ")[0])
        if self.holds:
            ax.plot(self.M, bound, color=MINUS, ls="--", lw=1.2, label=f"bound {sign}")
        ax.set(xlabel="updates M", title=title)
        ax.legend(fontsize="small")


def _optimal_weights(history: History) -> Array:
    import warnings

    from markone.perceptron.students.adatron import AdaTron

    with warnings.catch_warnings():
        # If the examples are not separable the lower bounds are zero.
        warnings.simplefilter("ignore")
        w: Array = AdaTron(fit_intercept=False).fit(history.xi, history.S).coef_[0]
    return w if np.any(w) else np.ones_like(w)
