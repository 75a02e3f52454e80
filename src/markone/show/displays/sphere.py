"""Display of the stability on the sphere of students, with its maximum   (Fig. 3.8 right)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.base.plot_style import MINUS, PLUS, annotate_point, ink_colour, paper_colour, single_axes
from markone.numerics.arrays import Array
from markone.perceptron.version_space.sphere import view_basis

PIXELS = 400


@dataclass
class SphereDisplay:
    """kappa(w) of all students w on the visible half of the sphere (N = 3), and its maximum.

    Use `SphereDisplay.from_examples` or `from_estimator`.

    Parameters
    ----------
    xi : array (P, 3)
        The inputs.
    S : array (P,)
        Their labels, +1 or -1.
    best : array (3,)
        The student of optimal stability.
    kappa : float
        Its stability.
    view : array (3,)
        Viewing direction.

    Examples
    --------
    >>> from markone.show import SphereDisplay
    >>> display = SphereDisplay.from_examples([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [1, 1, 1])
    >>> round(display.kappa, 4)
    0.5774
    """

    xi: Array
    S: Array
    best: Array
    kappa: float
    view: Array

    @classmethod
    def from_examples(
        cls, xi: ArrayLike, S: ArrayLike, *, view: ArrayLike | None = None, ax: Any = None, levels: int = 4
    ) -> "SphereDisplay":
        """Display separable examples in three dimensions, no threshold; view: viewing direction."""
        X, labels = np.asarray(xi, dtype=float), np.asarray(S, dtype=float)
        if X.ndim != 2 or X.shape[1] != 3 or labels.shape != (len(X),):
            raise ValueError(f"The sphere needs examples of three inputs, but xi has shape {X.shape}.")
        from markone.perceptron.students.adatron import AdaTron

        # Without threshold (xi, S) and (-xi, -S) are equivalent: alternating signs give two classes.
        sign = np.where(np.arange(len(X)) % 2, 1.0, -1.0)
        student = AdaTron(fit_intercept=False).fit(X * (labels * sign)[:, None], sign)
        best = student.coef_[0] / np.linalg.norm(student.coef_[0])
        # A view slightly from the side, since one along `best` looks flat.
        side = np.cross(best, np.eye(3)[int(np.argmin(np.abs(best)))])
        front = best + 0.35 * side / np.linalg.norm(side) if view is None else np.asarray(view, dtype=float)
        display = cls(X, labels, best, float(student.stability_), front / np.linalg.norm(front))
        return display.plot(ax=ax, levels=levels)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **options: Any) -> "SphereDisplay":
        """Display w of a fitted perceptron of three inputs without threshold.

        options : those of `from_examples`.
        """
        if getattr(estimator, "fit_intercept", False) or len(estimator.classes_) != 2:
            name = type(estimator).__name__
            raise ValueError(f"The sphere needs two classes and no threshold: {name}(fit_intercept=False).")
        S = np.where(np.asarray(y) == estimator.classes_[1], 1.0, -1.0)
        display = cls.from_examples(X, S, **options)
        w = np.asarray(estimator.coef_[0], dtype=float)
        spot = display.basis @ (w / np.linalg.norm(w))
        # A point on the hidden side of the sphere has an open marker.
        fill = PLUS if spot[2] >= 0 else "none"
        display.ax_.plot(*spot[:2], "o", color=PLUS, mfc=fill, ms=8, mew=1.2)
        annotate_point(display.ax_, spot[:2], "$\\mathbf{w}$", None, (-14, -14))
        return display

    @property
    def basis(self) -> Array:
        """Rows: unit vectors to the right, upwards, and towards the viewer."""
        return view_basis(self.view)

    def stability(self, w: Array) -> Array:
        """min_mu S^mu w . xi^mu of unit vectors (..., 3)."""
        return np.asarray((w @ (self.xi * self.S[:, None]).T).min(axis=-1))

    def plot(self, *, ax: Any = None, levels: int = 4) -> "SphereDisplay":
        self.ax_, self.figure_ = single_axes(ax, figsize=(4, 4))
        x, y = np.meshgrid(*[np.linspace(-1, 1, PIXELS)] * 2)
        depth = 1 - x * x - y * y
        w = np.stack([x, y, np.sqrt(np.maximum(depth, 0))], axis=-1) @ self.basis
        kappa = np.where(depth > 0, self.stability(w), np.nan)
        top = self.kappa
        self.ax_.contourf(x, y, kappa, levels=[-100, 0], colors=["0.72"])
        steps = np.linspace(0, top, levels + 1)[:-1]
        self.ax_.contourf(
            x, y, kappa, levels=[*steps, top * 1.001], cmap="YlGn", vmin=-0.2 * top, vmax=1.3 * top
        )
        self.ax_.contour(
            x, y, kappa, levels=steps, colors=ink_colour(), linewidths=[1.6] + [0.7] * (levels - 1)
        )
        spot = self.basis @ self.best
        self.ax_.plot(*spot[:2], "*", color=MINUS, ms=13, mec=paper_colour(), mew=0.6)
        annotate_point(self.ax_, spot[:2], "$\\mathbf{w}_{max}$", None, (9, 9))
        edge = np.linspace(0, 2 * np.pi, 200)
        self.ax_.plot(np.cos(edge), np.sin(edge), color=ink_colour(), lw=1)
        self.ax_.set(aspect="equal", xlim=(-1.05, 1.05), ylim=(-1.05, 1.05))
        self.ax_.set_axis_off()
        self.ax_.set_title(f"lines of equal $\\kappa$; $\\kappa_{{max}}$ = {top:.3g}", fontsize="small")
        return self
