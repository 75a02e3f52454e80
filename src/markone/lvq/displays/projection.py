"""The right panel of Fig. 5.2: data and prototypes on the two leading eigenvectors of Lambda."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lvq.costs.rslvq import mixture_posteriors
from markone.lvq.displays.style import axes_and_figure, class_colour, class_marker
from markone.lvq.inspect.borders import class_indices, global_metric, mixture_width
from markone.numerics.arrays import Array


@dataclass
class ProjectionDisplay:
    """sqrt(eigenvalue) u'x for the two leading eigenvectors u, of the data and of the prototypes.

    `ProjectionDisplay.from_estimator` plots a fitted GMLVQ or another model with a metric.

    Parameters
    ----------
    points : array (P, 2)
        The data in the plane.
    y : array (P,)
        Their labels.
    prototypes : array (M, 2)
        The prototypes in the plane.
    of_class : array (M,)
        Their class indices.
    off : array (M,)
        Squared distance of each prototype from the plane through their centre: with it, regions are the
        predictions for inputs in that plane.
    classes : array
        The labels.
    share : float
        Fraction of the trace in the plane.
    sigma2 : float or None, default=None
        Width of the mixture if posteriors decide, else None.

    Examples
    --------
    >>> from markone import GMLVQ
    >>> from markone.data import load
    >>> from markone.lvq.displays import ProjectionDisplay
    >>> iris = load("iris")
    >>> model = GMLVQ(max_iter=5).fit(iris.X, iris.y)
    >>> bool(0.5 < ProjectionDisplay.from_estimator(model, iris.X, iris.y).share <= 1)
    True
    """

    points: Array
    y: Array
    prototypes: Array
    of_class: Array
    off: Array
    classes: Array
    share: float
    sigma2: float | None = None

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, *, ax: Any = None, regions: bool = True
    ) -> "ProjectionDisplay":
        """Plot data and prototypes of a fitted classifier with one metric."""
        Lambda = global_metric(model)
        plane, share = leading_plane(Lambda)
        X = model._read_rows(X)
        centre = model.prototypes_.mean(axis=0)
        # Missing values are replaced by the centre of the prototypes.
        points = (np.where(np.isnan(X), centre, X) - centre) @ plane.T
        codes = np.searchsorted(model.classes_, np.asarray(y))
        V = np.asarray(model.prototypes_ - centre, dtype=float)
        images = V @ plane.T
        off = np.maximum(((V @ Lambda) * V).sum(axis=1) - (images**2).sum(axis=1), 0.0)
        width = mixture_width(model)
        display = cls(points, codes, images, class_indices(model), off, model.classes_, share, width)
        return display.plot(ax=ax, regions=regions)

    def plot(self, *, ax: Any = None, regions: bool = True) -> "ProjectionDisplay":
        self.ax_, self.figure_ = axes_and_figure(ax)
        if regions:
            self._draw_regions()
        for c, name in enumerate(self.classes):
            x, y = self.points[self.y == c].T
            self.ax_.plot(
                x,
                y,
                class_marker(c),
                color=class_colour(c),
                ms=3.5,
                alpha=0.75,
                mew=0,
                label=str(name),
                ls="none",
            )
        for w, c in zip(self.prototypes, self.of_class, strict=True):
            self.ax_.plot(
                *w,
                class_marker(c),
                color=class_colour(c),
                ms=12,
                mec=self.ax_.xaxis.label.get_color(),
                mew=1.5,
            )
        self.ax_.set(xlabel="first eigenvector", ylabel="second eigenvector")
        self.ax_.set_title(f"{self.share:.1%} of the trace of $\\Lambda$", fontsize="small")
        self.ax_.legend(fontsize="small", loc="upper right")
        return self

    def answers(self, points: Array) -> Array:
        """Predicted class indices of points (n, 2) of the plane."""
        squares = np.stack([((points - w) ** 2).sum(axis=1) for w in self.prototypes], axis=1) + self.off
        if self.sigma2 is None:
            return self.of_class[squares.argmin(axis=1)]
        return mixture_posteriors(squares, self.of_class, self.sigma2).argmax(axis=1)

    def _draw_regions(self) -> None:
        from matplotlib.colors import ListedColormap

        everything = np.vstack([self.points, self.prototypes])
        low, high = everything.min(axis=0), everything.max(axis=0)
        # A metric of rank one has no extent in the second direction.
        margin = np.maximum(0.08 * (high - low), 0.03 * (high - low).max() + 1e-9)
        x, y = (np.linspace(a, b, 300) for a, b in zip(low - margin, high + margin, strict=True))
        grid = np.stack(np.meshgrid(x, y), axis=-1)
        shades = ListedColormap([class_colour(c) for c in range(len(self.classes))])
        region = self.answers(grid.reshape(-1, 2)).reshape(300, 300)
        top = max(len(self.classes) - 1, 1)
        self.ax_.pcolormesh(x, y, region, cmap=shades, vmin=0, vmax=top, alpha=0.13, rasterized=True)


def leading_plane(Lambda: Array) -> tuple[Array, float]:
    """Rows sqrt(eigenvalue) u' of the two leading eigenvectors, largest component positive; their share."""
    values, vectors = np.linalg.eigh(Lambda)
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    if len(values) == 1:
        values, vectors = np.r_[values, 0.0], np.hstack([vectors, np.zeros((1, 1))])
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])])
    plane = (np.sqrt(values) * vectors * np.where(signs == 0, 1.0, signs))[:, :2].T
    return plane, float(values[:2].sum() / values.sum())
