"""Displays of curves: the convergence proof (3.16-3.29), and learning curves of any students."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.history import History
from markone.base.plot_style import COLOURS, GREY, MARKS, MINUS, PLUS, ink_colour, panel_figure, single_axes
from markone.data import teacher_examples
from markone.numerics.arrays import Array
from markone.numerics.statistics import standard_error
from markone.perceptron.measures import (
    convergence_bound,
    generalization_error,
    overlap,
    squared_input_lengths,
    stability,
)
from markone.perceptron.students.adatron import AdaTron
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
        if solution is None:
            with warnings.catch_warnings(action="ignore"):  # not separable: the lower bounds are zero
                solution = AdaTron(fit_intercept=False).fit(history.xi, history.S).coef_[0]
            solution = solution if np.any(solution) else np.ones_like(solution)
        w_star = np.asarray(solution, dtype=float)
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
        panels = (
            (self.R, self.R_bound, "R = w·w*", "≥ (3.22)"),
            (self.Q, self.Q_bound, "Q = |w|²", "≤ (3.26)"),
        )
        for ax, (value, bound, title, sign) in zip(self.axes_, panels, strict=False):
            ax.plot(self.M, value, color=PLUS, label=title.split(" ")[0])
            if self.holds:
                ax.plot(self.M, bound, color=MINUS, ls="--", lw=1.2, label=f"bound {sign}")
            ax.set(xlabel="updates M", title=title)
            ax.legend(fontsize="small")
        last = self.axes_[2]
        last.plot(self.M, self.kappa, color=PLUS, label="κ(w)")
        last.axhline(self.kappa_best, color=MINUS, ls="--", lw=1.2, label="κ of w*")
        last.axhline(0, color=GREY, lw=0.6)
        last.set(xlabel="updates M", title="stability κ")
        last.legend(fontsize="small")
        text = f"M = {self.M[-1]:.0f} ≤ M* = {self.M_bound:.3g} (3.29)" if np.isfinite(self.M_bound) else ""
        if not self.holds:
            text = f"{self.student}: the bounds are those of Rosenblatt's rule from w = 0"
        self.figure_.suptitle(text, fontsize="medium", color=ink_colour())
        return self


@dataclass
class LearningCurveDisplay:
    """Generalization error measured at given alpha, with exact curves.

    `LearningCurveDisplay.from_estimators` measures and draws.

    Parameters
    ----------
    alpha : array
        Examples per weight.
    measured : dict of str to (means, standard errors)
        Results by student.
    theory : dict of str to (alpha, values)
        Curves by name.
    N : int, default=0
        Number of inputs.
    repeats : int, default=0
        Number of students per mean.
    noise : float, default=0.0
        Probability of a flipped label.

    Examples
    --------
    >>> from markone import Hebb
    >>> from markone.show import LearningCurveDisplay
    >>> display = LearningCurveDisplay.from_estimators(
    ...     {"Hebb": Hebb(fit_intercept=False)}, [1.0, 4.0], N=20, repeats=3, theory=["hebb"]
    ... )
    >>> sorted(display.theory), display.measured["Hebb"][0].shape
    (['hebb'], (2,))
    """

    alpha: Array
    measured: dict[str, tuple[Array, Array]]
    theory: dict[str, tuple[Array, Array]]
    N: int = 0
    repeats: int = 0
    noise: float = 0.0

    @classmethod
    def from_estimators(
        cls,
        students: Mapping[str, Any],
        alpha: Sequence[float],
        *,
        N: int = 50,
        repeats: int = 10,
        noise: float = 0.0,
        theory: Sequence[str] = (),
        seed: int = 0,
        ax: Any = None,
    ) -> "LearningCurveDisplay":
        """Train each student on `repeats` sets of P = round(alpha N) examples of a teacher.

        students : name -> estimator without threshold. theory : names of `markone.theory`.
        """
        from markone import theory as curves

        ratios = np.asarray(alpha, dtype=float)
        if ratios.ndim != 1 or not len(ratios) or (ratios * N < 2).any():
            raise ValueError(f"alpha = {alpha!r}: give numbers with alpha N at least 2; N is {N}.")
        measured = {
            name: _measure_errors(student, ratios, N, repeats, noise, seed)
            for name, student in students.items()
        }
        x, known = np.linspace(ratios.min(), ratios.max(), 60), {"noise": noise} if noise > 0 else {}
        lines = {name: (x, np.asarray(curves.curve(name)(x, **known), dtype=float)) for name in theory}
        return cls(ratios, measured, lines, N, repeats, noise).plot(ax=ax)

    @classmethod
    def from_estimator(cls, student: Any, alpha: Sequence[float], **options: Any) -> "LearningCurveDisplay":
        """One student, with the options of `from_estimators`."""
        return cls.from_estimators({type(student).__name__: student}, alpha, **options)

    def plot(self, *, ax: Any = None) -> "LearningCurveDisplay":
        self.ax_, self.figure_ = single_axes(ax, figsize=(5, 3.6))
        self.lines_ = {}
        for k, (name, (x, y)) in enumerate(self.theory.items()):
            (self.lines_[name],) = self.ax_.plot(x, y, color=COLOURS[k], lw=1.4, label=f"theory: {name}")
        for k, (name, (mean, error)) in enumerate(self.measured.items()):
            look = {"color": COLOURS[k], "marker": MARKS[k], "ls": "none", "ms": 4.5, "capsize": 2}
            self.lines_[name] = self.ax_.errorbar(self.alpha, mean, error, label=name, **look)
        self.ax_.set(xlabel="$\\alpha = P/N$", ylabel="$\\epsilon_g$", ylim=(0, 0.5))
        self.ax_.set_title(
            f"N = {self.N}, {self.repeats} repeats, label noise {self.noise:g}", fontsize="small"
        )
        self.ax_.legend(fontsize="small")
        return self


def _measure_errors(
    student: Any, alpha: Array, N: int, repeats: int, noise: float, seed: int
) -> tuple[Array, Array]:
    """Mean and standard error of eps_g at each alpha; students that did not converge are included."""
    table = np.empty((len(alpha), repeats))
    for i, ratio in enumerate(alpha):
        for k in range(repeats):
            xi, S, w_star = teacher_examples(round(ratio * N), N, noise, seed=(seed, i, k))
            with warnings.catch_warnings(action="ignore"):
                w = clone(student).set_params(fit_intercept=False).fit(xi, S).coef_[0]
            assert w_star is not None  # these examples have a teacher
            table[i, k] = generalization_error(overlap(w, w_star))
    return table.mean(axis=1), np.array([standard_error(row) for row in table])
