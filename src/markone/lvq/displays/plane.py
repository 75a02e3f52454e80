"""Displays of classes in a plane: Voronoi cells (Fig. 5.1), and leading eigenvectors of Lambda (Fig. 5.2)."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from markone.base.parameters import documented
from markone.base.plot_style import draw_classes, draw_prototypes, draw_regions, plane_axes, single_axes
from markone.lvq.costs.rslvq import mixture_posteriors
from markone.lvq.inspect.borders import class_indices, global_metric, mixture_width, without_names
from markone.numerics.arrays import Array


@documented
@dataclass
class CellsDisplay:
    """Predictions on a grid over two features, the data, and the prototypes if the classifier has any.

    `CellsDisplay.from_estimator` plots a fitted classifier.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> from markone.data import load
    >>> from markone.lvq.displays import CellsDisplay
    >>> iris = load("iris")
    >>> X = iris.X[:, 2:]
    >>> display = CellsDisplay.from_estimator(NearestPrototype().fit(X, iris.y), X, iris.y)
    >>> display.prototypes.shape
    (3, 2)
    """

    x: Annotated[Array, "array (n, n): The grid."]
    y: Annotated[Array, "array (n, n): The grid."]
    answers: Annotated[Array, "array (n, n): Class index at each point of the grid."]
    nearest: Annotated[Array | None, "array (n, n) or None: Index of the nearest prototype."]
    points: Annotated[Array, "array (P, 2): The data."]
    codes: Annotated[Array, "array (P,): Their class indices."]
    classes: Annotated[Array, "array: The labels."]
    prototypes: Annotated[Array | None, "array (M, 2) or None: The prototypes."]
    of_class: Annotated[Array | None, "array (M,) or None: Their class indices."]

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, *, ax: Any = None, resolution: int = 400, title: str = ""
    ) -> "CellsDisplay":
        """Plot any fitted classifier of two features; the cells of prototypes are outlined."""
        X = np.asarray(X, dtype=float)
        if X.ndim != 2 or X.shape[1] != 2:
            raise ValueError(
                f"Cells are drawn in a plane, X has shape {X.shape}: choose two features, or use "
                "ProjectionDisplay."
            )
        low, high = X.min(axis=0), X.max(axis=0)
        x, v, grid = plane_axes(low, high, 0.08 * (high - low), resolution)
        model = without_names(model)
        answers = np.searchsorted(model.classes_, model.predict(grid)).reshape(resolution, resolution)
        W, c, nearest = None, None, None
        if hasattr(model, "prototypes_"):
            W, c = model.prototypes_, np.searchsorted(model.classes_, model.prototype_labels_)
            nearest = model.distances(grid).argmin(axis=1).reshape(resolution, resolution)
        codes = np.searchsorted(model.classes_, np.asarray(y))
        return cls(x, v, answers, nearest, X, codes, model.classes_, W, c).plot(ax=ax, title=title)

    def plot(self, *, ax: Any = None, title: str = "") -> "CellsDisplay":
        self.ax_, self.figure_ = single_axes(ax)
        draw_regions(self.ax_, self.x, self.y, self.answers, len(self.classes), alpha=0.2)
        if self.nearest is not None:
            for j in range(int(self.nearest.max()) + 1):
                self.ax_.contour(
                    self.x, self.y, self.nearest == j, levels=[0.5], colors="0.45", linewidths=0.7
                )
        draw_classes(self.ax_, self.points, self.codes, self.classes, ms=3.5)
        if self.prototypes is not None and self.of_class is not None:
            draw_prototypes(self.ax_, self.prototypes, self.of_class, 11)
        self.ax_.set_title(title, fontsize="small")
        return self


@documented
@dataclass
class ProjectionDisplay:
    """u'x for the two leading eigenvectors u of Lambda, of the data and of the prototypes.

    Scaled by sqrt(eigenvalue), distances from the centre of the prototypes are those of the metric, and where
    one eigenvalue dominates the figure is nearly a line. Not scaled, both directions have equal weight.
    `ProjectionDisplay.from_estimator` plots a fitted GMLVQ or another model with a metric.

    Examples
    --------
    >>> from markone import GMLVQ
    >>> from markone.data import load
    >>> from markone.lvq.displays import ProjectionDisplay
    >>> iris = load("iris")
    >>> model = GMLVQ(max_iter=5).fit(iris.X, iris.y)
    >>> bool(0.5 < ProjectionDisplay.from_estimator(model, iris.X, iris.y).shares.sum() <= 1 + 1e-9)
    True
    """

    points: Annotated[Array, "array (P, 2): The data in the plane."]
    y: Annotated[Array, "array (P,): Their labels."]
    prototypes: Annotated[Array, "array (M, 2): The prototypes in the plane."]
    of_class: Annotated[Array, "array (M,): Their class indices."]
    off: Annotated[
        Array,
        "array (M,): Squared distance of each prototype from the plane through their centre: with it, "
        "regions are the predictions for inputs in that plane.",
    ]
    classes: Annotated[Array, "array: The labels."]
    shares: Annotated[Array, "array (2,): Fractions of the trace along the two directions."]
    sigma2: Annotated[float | None, "float or None: Width of the mixture if posteriors decide."] = None
    scaled: Annotated[bool, "Coordinates are times sqrt(eigenvalue); only then regions are drawn."] = True

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, *, ax: Any = None, regions: bool = True, scaled: bool = True
    ) -> "ProjectionDisplay":
        """Plot data and prototypes of a fitted classifier with one metric."""
        Lambda = global_metric(model)
        plane, shares = leading_plane(Lambda, scaled)
        X = model._read_rows(X)
        centre = model.prototypes_.mean(axis=0)
        # Missing values are replaced by the centre of the prototypes.
        X, origin = np.where(np.isnan(X), centre, X), centre if scaled else 0.0
        codes = np.searchsorted(model.classes_, np.asarray(y))
        V = np.asarray(model.prototypes_ - centre, dtype=float)
        images = (model.prototypes_ - origin) @ plane.T
        off = np.maximum(((V @ Lambda) * V).sum(axis=1) - ((V @ plane.T) ** 2).sum(axis=1), 0.0)
        points, of_class, width = (X - origin) @ plane.T, class_indices(model), mixture_width(model)
        display = cls(points, codes, images, of_class, off, model.classes_, shares, width, scaled)
        return display.plot(ax=ax, regions=regions)

    def plot(self, *, ax: Any = None, regions: bool = True) -> "ProjectionDisplay":
        self.ax_, self.figure_ = single_axes(ax)
        if regions and self.scaled:
            self._draw_regions()
        draw_classes(self.ax_, self.points, self.y, self.classes, ms=3.5, alpha=0.75)
        draw_prototypes(self.ax_, self.prototypes, self.of_class, 12)
        labels = [f"$\\mathbf{{u}}_{k}\\cdot\\mathbf{{\\xi}}$" for k in (1, 2)]
        x, y = ("first eigenvector", "second eigenvector") if self.scaled else labels
        shares = f"{self.shares[0]:.1%} and {self.shares[1]:.1%} of the trace of $\\Lambda$"
        self.ax_.set(xlabel=x, ylabel=y)
        self.ax_.set_title(shares, fontsize="small")
        self.ax_.legend(fontsize="small", loc="upper right")
        return self

    def answers(self, points: Array) -> Array:
        """Predicted class indices of points (n, 2) of the plane."""
        squares = np.stack([((points - w) ** 2).sum(axis=1) for w in self.prototypes], axis=1) + self.off
        if self.sigma2 is None:
            return self.of_class[squares.argmin(axis=1)]
        return mixture_posteriors(squares, self.of_class, self.sigma2).argmax(axis=1)

    def _draw_regions(self) -> None:
        everything = np.vstack([self.points, self.prototypes])
        low, high = everything.min(axis=0), everything.max(axis=0)
        # A metric of rank one has no extent in the second direction.
        margin = np.maximum(0.08 * (high - low), 0.03 * (high - low).max() + 1e-9)
        x, y, grid = plane_axes(low, high, margin, 300)
        region = self.answers(grid).reshape(300, 300)
        draw_regions(self.ax_, x, y, region, len(self.classes), alpha=0.13)


def leading_plane(Lambda: Array, scaled: bool = True) -> tuple[Array, Array]:
    """Rows u' of the two leading eigenvectors, times sqrt(eigenvalue) if scaled; shares of the trace.

    The largest component of an eigenvector is positive.
    """
    values, vectors = np.linalg.eigh(Lambda)
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(len(values))]
    vectors = vectors * np.where(largest < 0, -1.0, 1.0)
    if len(values) == 1:
        values, vectors = np.r_[values, 0.0], np.hstack([vectors, np.zeros((1, 1))])
    return ((np.sqrt(values) if scaled else 1.0) * vectors)[:, :2].T, values[:2] / values.sum()
