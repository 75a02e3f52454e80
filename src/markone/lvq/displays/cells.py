"""Voronoi cells in two dimensions: nearest prototypes beside nearest neighbours   (Fig. 5.1)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lvq.displays.style import axes_and_figure, class_colour, class_marker
from markone.lvq.inspect.borders import without_names
from markone.numerics.arrays import Array


@dataclass
class CellsDisplay:
    """Predictions on a grid over two features, the data, and the prototypes if the classifier has any.

    `CellsDisplay.from_estimator` plots a fitted classifier.

    Parameters
    ----------
    x, y : array (n, n)
        The grid.
    answers : array (n, n)
        Class index at each point of the grid.
    nearest : array (n, n) or None
        Index of the nearest prototype.
    points : array (P, 2)
        The data.
    codes : array (P,)
        Their class indices.
    classes : array
        The labels.
    prototypes : array (M, 2) or None
        The prototypes.
    of_class : array (M,) or None
        Their class indices.

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

    x: Array
    y: Array
    answers: Array
    nearest: Array | None
    points: Array
    codes: Array
    classes: Array
    prototypes: Array | None
    of_class: Array | None

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
        margin = 0.08 * (high - low)
        x, v = (np.linspace(a, b, resolution) for a, b in zip(low - margin, high + margin, strict=True))
        grid = np.stack(np.meshgrid(x, v), axis=-1).reshape(-1, 2)
        model = without_names(model)
        answers = np.searchsorted(model.classes_, model.predict(grid)).reshape(resolution, resolution)
        W, c, nearest = None, None, None
        if hasattr(model, "prototypes_"):
            W, c = model.prototypes_, np.searchsorted(model.classes_, model.prototype_labels_)
            nearest = model.distances(grid).argmin(axis=1).reshape(resolution, resolution)
        codes = np.searchsorted(model.classes_, np.asarray(y))
        return cls(x, v, answers, nearest, X, codes, model.classes_, W, c).plot(ax=ax, title=title)

    def plot(self, *, ax: Any = None, title: str = "") -> "CellsDisplay":
        from matplotlib.colors import ListedColormap

        self.ax_, self.figure_ = axes_and_figure(ax)
        shades = ListedColormap([class_colour(c) for c in range(len(self.classes))])
        top = max(len(self.classes) - 1, 1)
        self.ax_.pcolormesh(
            self.x, self.y, self.answers, cmap=shades, vmin=0, vmax=top, alpha=0.2, rasterized=True
        )
        if self.nearest is not None:
            for j in range(int(self.nearest.max()) + 1):
                self.ax_.contour(
                    self.x, self.y, self.nearest == j, levels=[0.5], colors="0.45", linewidths=0.7
                )
        for c, name in enumerate(self.classes):
            x, y = self.points[self.codes == c].T
            self.ax_.plot(
                x, y, class_marker(c), color=class_colour(c), ms=3.5, mew=0, ls="none", label=str(name)
            )
        if self.prototypes is not None and self.of_class is not None:
            for w, c in zip(self.prototypes, self.of_class, strict=True):
                self.ax_.plot(
                    *w,
                    class_marker(c),
                    color=class_colour(c),
                    ms=11,
                    mec=self.ax_.xaxis.label.get_color(),
                    mew=1.5,
                )
        self.ax_.set_title(title, fontsize="small")
        return self
