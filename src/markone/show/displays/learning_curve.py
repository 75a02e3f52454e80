"""Measured learning curves eps_g(alpha) of any students, with theory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.plot_style import COLOURS, MARKS, single_axes
from markone.data import teacher_examples
from markone.numerics.arrays import Array
from markone.numerics.statistics import standard_error
from markone.perceptron.measures import generalization_error, overlap


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
        ratios = np.asarray(alpha, dtype=float)
        if ratios.ndim != 1 or not len(ratios) or (ratios * N < 2).any():
            raise ValueError(f"alpha = {alpha!r}: give numbers with alpha N at least 2; N is {N}.")
        measured = {
            name: _measure_errors(student, ratios, N, repeats, noise, seed)
            for name, student in students.items()
        }
        lines = {name: _theory_curve(name, ratios, noise) for name in theory}
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
    import warnings

    table = np.empty((len(alpha), repeats))
    for i, ratio in enumerate(alpha):
        for k in range(repeats):
            xi, S, w_star = teacher_examples(round(ratio * N), N, noise, seed=(seed, i, k))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                w = clone(student).set_params(fit_intercept=False).fit(xi, S).coef_[0]
            assert w_star is not None  # these examples have a teacher
            table[i, k] = generalization_error(overlap(w, w_star))
    return table.mean(axis=1), np.array([standard_error(row) for row in table])


def _theory_curve(name: str, alpha: Array, noise: float) -> tuple[Array, Array]:
    from markone import theory

    curve = theory.curve(name)
    x = np.linspace(alpha.min(), alpha.max(), 60)
    values = curve(x, noise=noise) if noise > 0 else curve(x)
    return x, np.asarray(values, dtype=float)
