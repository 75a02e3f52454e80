"""ROC curves of several folds, averaged: the mean tpr at every fpr, and a band (vertical averaging)."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from markone.base.parameters import PositiveClass, documented
from markone.base.plot_style import single_axes
from markone.base.sklearn_compat import safe_indexing
from markone.evaluation.roc_curves.curve import Roc, discriminant, roc
from markone.numerics.arrays import Array


@documented
@dataclass(frozen=True)
class AveragedRoc:
    """Mean and standard deviation of tpr over folds on a grid of fpr, and the area of each fold.

    Examples
    --------
    >>> from markone.evaluation import averaged_roc
    >>> average = averaged_roc([([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), ([0, 1], [0.2, 0.9])])
    >>> average.areas.tolist()
    [0.75, 1.0]
    """

    fpr: Annotated[Array, "array: The grid."]
    mean: Annotated[Array, "array: Mean and standard deviation of tpr over folds there."]
    sd: Annotated[Array, "array: Mean and standard deviation of tpr over folds there."]
    areas: Annotated[Array, "array: The area of each fold."]
    curves: Annotated[list[Roc], "list of Roc: The curve of each fold."]

    @property
    def standard_error(self) -> Array:
        return np.asarray(self.sd / np.sqrt(len(self.curves)))

    def at(self, threshold: float) -> tuple[float, float]:
        """Mean fpr and tpr over the folds with this threshold."""
        fpr, tpr = np.mean([curve.at(threshold) for curve in self.curves], axis=0)
        return float(fpr), float(tpr)


def tpr_at_fpr(curve: Roc, fpr: Array) -> Array:
    """tpr at the given fpr; where the curve is vertical, its upper end."""
    last = np.append(np.diff(curve.fpr) > 0, True)
    return np.asarray(np.interp(fpr, curve.fpr[last], curve.tpr[last]))


@documented
def averaged_roc(
    folds: Iterable[tuple[ArrayLike, ArrayLike]], *, positive: PositiveClass = None, points: int = 101
) -> AveragedRoc:
    """Average the ROC of (y, g) over folds at `points` values of fpr from 0 to 1.

    Parameters
    ----------
    folds : iterable of (y, g)
        Labels and discriminant of each fold.
    points : int, default=101
        Number of points of the grid of fpr.

    Returns
    -------
    AveragedRoc
        The mean curve and its spread.

    Examples
    --------
    >>> from markone.evaluation import averaged_roc
    >>> average = averaged_roc([([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), ([0, 1], [0.2, 0.9])], points=3)
    >>> average.fpr.tolist(), average.mean.tolist()
    ([0.0, 0.5, 1.0], [0.75, 1.0, 1.0])
    """
    curves = [roc(y, g, positive=positive) for y, g in folds]
    if not curves:
        raise ValueError("There are no folds to average.")
    grid = np.linspace(0, 1, points)
    heights = np.array([tpr_at_fpr(curve, grid) for curve in curves])
    sd = heights.std(axis=0, ddof=1) if len(curves) > 1 else np.full(points, np.nan)
    return AveragedRoc(grid, heights.mean(axis=0), sd, np.array([c.area for c in curves]), curves)


@documented
@dataclass
class AveragedRocDisplay:
    """Plot of the averaged ROC, with a band of one standard deviation over folds.

    Attributes
    ----------
    line_, band_, chance_, point_
        Matplotlib artists
        Set by `plot`.
    ax_, figure_
        Matplotlib.axes.Axes, matplotlib.figure.Figure
        Axes and figure of the plot.

    Examples
    --------
    >>> from markone.evaluation import AveragedRocDisplay, averaged_roc
    >>> average = averaged_roc([([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), ([0, 1], [0.2, 0.9])])
    >>> AveragedRocDisplay(average, name="two folds").plot().ax_.get_xlabel()
    'false positive rate'
    """

    average: Annotated[AveragedRoc, "AveragedRoc: What `averaged_roc` returns."]
    _: KW_ONLY
    name: Annotated[str | None, "str or None: Label of the line."] = None

    @classmethod
    def from_predictions(
        cls,
        pairs: Iterable[tuple[ArrayLike, ArrayLike]],
        *,
        positive: Any = None,
        name: str | None = None,
        ax: Any = None,
        **look: Any,
    ) -> "AveragedRocDisplay":
        """From (y, g) of every fold."""
        return cls(averaged_roc(pairs, positive=positive), name=name).plot(ax=ax, **look)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        cv: Any = 10,
        positive: Any = None,
        name: str | None = None,
        ax: Any = None,
        **look: Any,
    ) -> "AveragedRocDisplay":
        """Fit clones of the estimator on every split of `cv`."""
        X, y = indexable(X, np.asarray(y))
        positive = np.unique(y)[-1] if positive is None else positive
        pairs = []
        for train, test in check_cv(cv, y, classifier=True).split(X, y):
            fitted = clone(estimator).fit(safe_indexing(X, train), y[train])
            pairs.append((y[test], discriminant(fitted, safe_indexing(X, test), positive=positive)))
        name = type(estimator).__name__ if name is None else name
        return cls.from_predictions(pairs, positive=positive, name=name, ax=ax, **look)

    def plot(
        self,
        *,
        ax: Any = None,
        folds: bool = False,
        chance: bool = True,
        threshold: float | None = None,
        **line: Any,
    ) -> "AveragedRocDisplay":
        """Draw into `ax`, or into a new figure; `folds` adds a thin curve per fold, `threshold` a filled
        circle at its rates: with 0 the unmodified classifier, as in Fig 6.3."""
        self.ax_, self.figure_ = single_axes(ax)
        a = self.average
        spread = f" ± {a.areas.std(ddof=1):.3f}" if len(a.curves) > 1 else ""
        label = f"{self.name + ': ' if self.name else ''}area {a.areas.mean():.3f}{spread}"
        self.line_ = self.ax_.plot(np.append(0, a.fpr), np.append(0, a.mean), **({"label": label} | line))[0]
        low, high = np.clip(a.mean - a.sd, 0, 1), np.clip(a.mean + a.sd, 0, 1)
        colour = self.line_.get_color()
        self.band_ = self.ax_.fill_between(a.fpr, low, high, color=colour, alpha=0.2, lw=0)
        for curve in a.curves if folds else []:
            self.ax_.plot(curve.fpr, curve.tpr, color=colour, lw=0.5, alpha=0.4)
        rates = [] if threshold is None else [self.average.at(threshold)]
        self.point_ = self.ax_.plot(*zip(*rates, strict=True), "o", color=colour)[0] if rates else None
        self.chance_ = self.ax_.plot([0, 1], [0, 1], "k--", lw=0.8)[0] if chance else None
        self.ax_.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
        self.ax_.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))
        self.ax_.legend(loc="lower right", frameon=False)
        return self
