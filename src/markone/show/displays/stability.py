"""Stability display: the distribution of stabilities (3.41), with the one of theory for N -> infinity.

Theory has inputs N(0, 1) and no threshold. Examples whose field t is below kappa have stability kappa and are
the support vectors; all others keep t. Random labels: t is standard normal (Gardner 1988). Labels of a rule:
t has the density 2 phi(t) Phi(t R/sqrt(1 - R^2)), R the overlap with the teacher.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.base.plot_style import GREY, MINUS, PLUS, ink_colour, single_axes
from markone.numerics.arrays import Array
from markone.numerics.gaussian import phi
from markone.perceptron.theory import capacity, max_stability
from markone.perceptron.theory.rule import field_density

KINDS = ("labels", "rule")
REACH = 5.0


class Distribution(NamedTuple):
    """Values t above kappa, the density there, kappa, and the fraction of examples at kappa."""

    t: Array
    density: Array
    kappa: float
    mass: float


def stability_distribution(kind: str, alpha: float) -> Distribution:
    """Distribution for P = alpha N examples with random "labels", or with those of a "rule"."""
    if kind not in KINDS:
        raise ValueError(
            f"theory is {kind!r}: choose {' or '.join(map(repr, KINDS))}, or give (kappa, density)."
        )
    curves = capacity if kind == "labels" else max_stability
    kappa = float(curves.stability(alpha))
    if not np.isfinite(kappa):
        raise ValueError(f"alpha = P/N is {alpha:g}: beyond 2 random labels are not separable.")
    t = np.linspace(kappa, max(kappa, 0.0) + REACH, 400)
    theta = np.pi * np.asarray(max_stability.generalization_error(alpha))
    density = phi(t) if kind == "labels" else np.asarray(field_density(t, theta))
    return Distribution(t, density, kappa, float(curves.support_vectors(alpha)) / alpha)


@dataclass
class StabilityDisplay:
    """The stabilities of all examples, sorted or as a histogram.

    Use `StabilityDisplay.from_estimator` with a fitted student.

    Parameters
    ----------
    stabilities : array (P,)
        kappa^mu.
    bounds : tuple of float or None, default=None
        kappa of the student, and the proved upper bound of kappa_max.
    theory : Distribution, tuple of array or None, default=None
        Curve over the histogram: (kappa, density), or the distribution of the theory.
    name : str, default=""
        Name of the student.

    Examples
    --------
    >>> from markone import AdaTron
    >>> from markone.data import two_classes
    >>> from markone.show import StabilityDisplay
    >>> xi, S, _ = two_classes("dense", 20)
    >>> bool(StabilityDisplay.from_estimator(AdaTron().fit(xi, S), xi, S).stabilities.min() > 0)
    True
    """

    stabilities: Array
    bounds: tuple[float, float] | None = None
    theory: Distribution | tuple[Array, Array] | None = None
    name: str = ""

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, kind: str = "sorted", theory: Any = None, ax: Any = None
    ) -> "StabilityDisplay":
        """Display a fitted student of two classes and its training examples.

        kind : "sorted" or "histogram". theory : curve over the histogram, (kappa, density), or the theory of
        optimal stability for N to infinity, inputs N(0, 1) and no threshold: "labels" drawn at random, or
        those of a "rule".
        """
        check_is_fitted(estimator)
        if len(estimator.classes_) != 2:
            raise ValueError(f"Stabilities are defined for two classes, not {len(estimator.classes_)}.")
        S = np.where(np.asarray(y) == estimator.classes_[1], 1, -1)
        E = S * np.asarray(estimator.decision_function(X))
        length = _weight_length(estimator)
        kappa = E / length if length > 0 else np.full(len(S), np.nan)
        low, high = getattr(estimator, "stability_bounds_", (float(kappa.min()), np.inf))
        bounds = (float(low), float(high))
        if isinstance(theory, str):
            theory = stability_distribution(theory, len(S) / estimator.n_features_in_)
        return cls(kappa, bounds, theory, type(estimator).__name__).plot(kind=kind, ax=ax)

    def plot(self, *, kind: str = "sorted", ax: Any = None) -> "StabilityDisplay":
        if kind not in ("sorted", "histogram"):
            raise ValueError(f"kind is {kind!r}: choose 'sorted' or 'histogram'.")
        self.ax_, self.figure_ = single_axes(ax, figsize=(5, 3.4))
        if kind == "sorted":
            kappa = np.sort(self.stabilities)
            colours = np.where(kappa > 0, PLUS, MINUS)
            self.bars_ = self.ax_.bar(np.arange(1, len(kappa) + 1), kappa, color=colours, width=0.85)
            self.ax_.axhline(0, color=ink_colour(), lw=0.8)
            self.ax_.set(xlabel="examples, sorted by stability", ylabel="stability $\\kappa^\\mu$")
        else:
            self._draw_histogram()
        if self.bounds:
            self._draw_bounds("h" if kind == "sorted" else "v", *self.bounds)
        return self

    def _draw_histogram(self) -> None:
        self.bars_ = self.ax_.hist(self.stabilities, bins="auto", density=True, color=PLUS, alpha=0.75)
        if self.theory is not None:
            label = "theory"
            if isinstance(self.theory, Distribution):
                label = f"theory, and {self.theory.mass:.0%} at $\\kappa$ = {self.theory.kappa:.3g}"
                self.ax_.axvline(self.theory.kappa, color=ink_colour(), lw=1.2, ls=":")
            self.ax_.plot(*self.theory[:2], color=ink_colour(), lw=1.6, label=label)
            self.ax_.legend(fontsize="small")
        self.ax_.set(xlabel="stability $\\kappa^\\mu$", ylabel="density")

    def _draw_bounds(self, direction: str, low: float, high: float) -> None:
        """Draw the proved interval of the optimal stability as a grey strip."""
        span, line = (getattr(self.ax_, f"ax{direction}{kind}") for kind in ("span", "line"))
        text = f"$\\kappa$ = {low:.3g}"
        if np.isfinite(high):
            span(low, high, color=GREY, alpha=0.25, lw=0)
            line(high, color=GREY, lw=1, ls="--")
            text += f" $\\leq \\kappa_{{max}} \\leq$ {high:.3g}"
        line(low, color=ink_colour(), lw=1.2)
        self.ax_.set_title(f"{self.name}  {text}", fontsize="small")


def _weight_length(estimator: Any) -> float:
    """|w| in the (augmented) input space, or |W| in feature space; 1 where potentials are normalized."""
    if getattr(estimator, "normalize", False):
        return 1.0
    # Kernel students store their lengths; for weights they are computed.
    lengths = getattr(estimator, "_lengths", None)
    if isinstance(lengths, np.ndarray):
        return float(lengths[0])
    return float(np.linalg.norm(estimator._weights()[0]))
