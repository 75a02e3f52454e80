"""Data on the leading eigenvectors of Lambda, scaled by sqrt(eigenvalue) or not   (Fig. 5.2 right)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.base.plot_style import draw_classes, draw_prototypes, single_axes
from markone.lvq.displays.plane import leading_eigenvectors
from markone.numerics.arrays import Array


@dataclass
class EigenvectorDisplay:
    """u_1'x and u_2'x of data and prototypes, as in the notes.

    If scaled, distances in the figure are those of the metric, and where one eigenvalue dominates Lambda the
    figure is nearly a line. If not scaled, both directions have equal weight.
    Use `EigenvectorDisplay.from_estimator` with a fitted GMLVQ.

    Parameters
    ----------
    points : array (P, 2)
        The data in the plane.
    codes : array (P,)
        Their class indices.
    prototypes : array (M, 2)
        The prototypes in the plane.
    of_class : array (M,)
        Their class indices.
    classes : array
        The labels.
    eigenvalues : array
        Eigenvalues of Lambda, the largest first.
    scaled : bool, default=False
        Whether coordinates are multiplied by sqrt(eigenvalue).

    Examples
    --------
    >>> from markone import GMLVQ
    >>> from markone.data import load
    >>> from markone.show import EigenvectorDisplay
    >>> iris = load("iris")
    >>> model = GMLVQ(max_iter=5).fit(iris.X, iris.y)
    >>> EigenvectorDisplay.from_estimator(model, iris.X, iris.y).points.shape
    (150, 2)
    """

    points: Array
    codes: Array
    prototypes: Array
    of_class: Array
    classes: Array
    eigenvalues: Array
    scaled: bool = False

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, *, scaled: bool = False, ax: Any = None
    ) -> "EigenvectorDisplay":
        """Display a fitted GMLVQ-like classifier with one matrix `lambda_`."""
        Lambda = np.asarray(getattr(model, "lambda_", np.empty(0)), dtype=float)
        if Lambda.ndim != 2:
            raise ValueError(
                f"{type(model).__name__} does not have a single matrix lambda_: use GMLVQ or GRLVQ."
            )
        values, vectors = leading_eigenvectors(Lambda)
        if len(values) < 2:
            raise ValueError("A single feature has one eigenvector: there is no plane to display.")
        plane = vectors[:, :2] * np.sqrt(values[:2]) if scaled else vectors[:, :2]
        codes = np.searchsorted(model.classes_, np.asarray(y))
        of_class = np.searchsorted(model.classes_, model.prototype_labels_)
        W = np.asarray(model.prototypes_, dtype=float)
        display = cls(
            np.asarray(X, dtype=float) @ plane, codes, W @ plane, of_class, model.classes_, values, scaled
        )
        return display.plot(ax=ax)

    def plot(self, *, ax: Any = None) -> "EigenvectorDisplay":
        self.ax_, self.figure_ = single_axes(ax, figsize=(4.6, 3.8))
        draw_classes(self.ax_, self.points, self.codes, self.classes, ms=4, alpha=0.8)
        draw_prototypes(self.ax_, self.prototypes, self.of_class, 12)
        factor = "$\\sqrt{\\lambda_%d}\\,$" if self.scaled else "%.0s"
        for k, set_label in ((1, self.ax_.set_xlabel), (2, self.ax_.set_ylabel)):
            set_label((factor % k) + f"$\\mathbf{{u}}_{k}\\cdot\\mathbf{{\\xi}}$")
        share = self.eigenvalues[:2] / self.eigenvalues.sum()
        self.ax_.set_title(f"eigenvalues {share[0]:.1%} and {share[1]:.1%} of the trace", fontsize="small")
        self.ax_.legend(fontsize="small")
        return self
