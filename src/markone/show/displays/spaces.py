"""Stability on the sphere of students (Fig. 3.8 right); maps to three dimensions   (4.16, 4.17, Fig. 4.4)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.base.plot_style import (
    MINUS,
    PLUS,
    annotate_point,
    class_styles,
    ink_colour,
    panel_figure,
    paper_colour,
    plane_axes,
    single_axes,
)
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


PlaneMap = Callable[[Array], Array]
VIEWS = ((22, -60), (12, -8))


def dietrich_map(X: Array) -> Array:
    """Psi = (x1^2, sqrt(2) x1 x2, x2), the toy example of section 4.3, with W = (1, 1, -1)."""
    return np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1]])


@dataclass
class FeatureSpaceDisplay:
    """Points in the plane, their images Psi, and the boundary W . Psi = theta in both spaces.

    Use `FeatureSpaceDisplay.from_estimator` or `from_map`.

    Parameters
    ----------
    points : array (P, 2)
        The points.
    S : array (P,)
        Their labels, +1 or -1.
    images : array (P, 3)
        Psi of each point.
    W : array (3,)
        Weights in feature space.
    theta : float
        The threshold.
    map : function
        (n, 2) -> (n, 3).

    Examples
    --------
    >>> import numpy as np
    >>> from markone.data import two_classes
    >>> from markone.show import FeatureSpaceDisplay
    >>> def squares(x):
    ...     return np.column_stack([x, (x**2).sum(axis=1)])
    >>> xi, S, _ = two_classes("rings", 30)
    >>> FeatureSpaceDisplay.from_map(squares, [0, 0, 1], xi, S, theta=1.0).images.shape
    (30, 3)
    """

    points: Array
    S: Array
    images: Array
    W: Array
    theta: float
    map: PlaneMap

    @classmethod
    def from_map(
        cls,
        map: PlaneMap,
        W: ArrayLike,
        X: Any,
        S: Any,
        *,
        theta: float = 0.0,
        ax: Any = None,
        figure: Any = None,
    ) -> "FeatureSpaceDisplay":
        """map : (n, 2) -> (n, 3); W : the normal of the plane; S : labels +-1."""
        X, S, normal = np.asarray(X, dtype=float), np.asarray(S), np.asarray(W, dtype=float)
        if X.ndim != 2 or X.shape[1] != 2:
            raise ValueError(f"The map takes points of the plane, but X has shape {X.shape}: give (P, 2).")
        images = np.asarray(map(X), dtype=float)
        if images.shape != (len(X), 3) or normal.shape != (3,):
            raise ValueError(
                f"Only three dimensions can be drawn: Psi has shape {images.shape}, W {normal.shape}."
            )
        return cls(X, S, images, normal, float(theta), map).plot(ax=ax, figure=figure)

    @classmethod
    def from_estimator(
        cls, estimator: Any, map: PlaneMap, X: Any, y: Any, *, ax: Any = None, figure: Any = None
    ) -> "FeatureSpaceDisplay":
        """Display a student of two classes fitted on map(X)."""
        S = np.where(np.asarray(y) == estimator.classes_[1], 1, -1)
        theta = -float(estimator.intercept_[0])
        return cls.from_map(map, estimator.coef_[0], X, S, theta=theta, ax=ax, figure=figure)

    def plot(self, *, ax: Any = None, figure: Any = None) -> "FeatureSpaceDisplay":
        self.figure_ = panel_figure(ax, figure, figsize=(9.5, 3.2))
        self.ax_ = self.figure_.add_subplot(1, 3, 1)
        self._draw_plane(self.ax_)
        self.axes_ = [self.ax_]
        for k, (height, turn) in enumerate(VIEWS):
            space = self.figure_.add_subplot(1, 3, k + 2, projection="3d")
            self._draw_space(space, height, turn)
            self.axes_.append(space)
        return self

    def _draw_plane(self, ax: Any) -> None:
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        x, y, grid = plane_axes(low, high, 0.08 * (high - low), 200)
        f = (np.asarray(self.map(grid)) @ self.W - self.theta).reshape(200, 200)
        ax.contour(x, y, f, levels=[0.0], colors=ink_colour(), linewidths=1.4)
        for sign, edge, mark, fill in class_styles():
            ax.scatter(
                *self.points[sign == self.S].T, s=16, marker=mark, facecolors=fill, edgecolors=edge, lw=0.9
            )
        ax.set(xlabel="$\\xi_1$", ylabel="$\\xi_2$", box_aspect=1)

    def _draw_space(self, ax: Any, height: float, turn: float) -> None:
        low, high = self.images.min(axis=0), self.images.max(axis=0)
        # The plane as a function of two coordinates, chosen so that its slope is smallest.
        up = int(np.argmax(np.abs(self.W) * (high - low)))
        along = [j for j in range(3) if j != up]
        a, b = np.meshgrid(*(np.linspace(low[j], high[j], 24) for j in along))
        c = (self.theta - self.W[along[0]] * a - self.W[along[1]] * b) / self.W[up]
        c = np.where((c >= low[up]) & (c <= high[up]), c, np.nan)
        surface: list[Any] = [None, None, None]
        surface[along[0]], surface[along[1]], surface[up] = a, b, c
        # Points behind the plane are drawn first: matplotlib compares mean depths only.
        tilt, angle = np.deg2rad(height), np.deg2rad(turn)
        eye = np.array([np.cos(tilt) * np.cos(angle), np.cos(tilt) * np.sin(angle), np.sin(tilt)])
        near = (self.images @ self.W > self.theta) == (self.W @ (eye * (high - low)) > 0)
        ax.computed_zorder = False
        ax.plot_surface(*surface, color="#E69F00", alpha=0.3, lw=0, zorder=2)
        for sign, edge, mark, fill in class_styles():
            for side, layer in ((~near, 1), (near, 3)):
                own = self.images[(sign == self.S) & side]
                style = {"facecolors": fill, "edgecolors": edge, "lw": 0.8, "depthshade": False}
                ax.scatter(*own.T, s=14, marker=mark, zorder=layer, **style)
        ax.view_init(height, turn)
        ax.set_box_aspect(None, zoom=0.92)  # the labels are outside the box and would be cut
        for j, axis in enumerate((ax.xaxis, ax.yaxis, ax.zaxis)):
            axis.set_label_text(f"$\\Psi_{j + 1}$")
            axis.labelpad = -10
            axis.set_rotate_label(False)
            axis.set_ticklabels([])
            axis.set_pane_color((0.5, 0.5, 0.5, 0.08))
