"""Display of the regions of a machine in the plane (Fig 4.3), like scikit-learn's displays."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.base.parameters import documented
from markone.base.plot_style import single_axes
from markone.machines._units import COMMITTEE, PARITY
from markone.machines.units import Layer
from markone.numerics.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = {"committee": COMMITTEE, "parity": PARITY}
PLUS, MINUS = "#cfe3f2", "#fbe0cf"
POINTS = 400


def _output_of_hidden(sigma: Array, kind: int) -> Array:
    """The output of internal representations (..., K)."""
    return np.where(sigma.sum(axis=-1) >= 0, 1, -1) if kind == COMMITTEE else sigma.prod(axis=-1)


@documented
@dataclass
class MachineDisplay:
    """Regions of output +1 and -1, the units' planes, arrows into their half-space sigma = +1.

    A plane is drawn solid where it separates outputs, dotted where it does not: in a committee two other
    units may decide the vote, in a parity machine every plane separates everywhere.
    `MachineDisplay.from_estimator` draws a fitted machine.

    Attributes
    ----------
    ax_, figure_
        Matplotlib.axes.Axes, matplotlib.figure.Figure
        Where it was drawn.

    Examples
    --------
    >>> from markone import CommitteeMachine, MachineDisplay
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> display = MachineDisplay.from_estimator(CommitteeMachine(random_state=0).fit(X, y), X, y)
    >>> display.machine
    'committee'
    """

    layer: Annotated[Layer, "markone.machines.units.Layer: The hidden units."]
    machine: Annotated[str, '{"committee", "parity"}: How their signs are combined.']
    X: Annotated[Any, "array (n, 2) or None: Points to draw."] = None
    y: Annotated[Any, "array (n,) or None: Whether each is of class +1."] = None

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, *, ax: Any = None) -> "MachineDisplay":
        """Draw a fitted machine of two classes with two features, and the examples X, y."""
        check_is_fitted(estimator)
        if estimator.n_features_in_ != 2 or len(estimator.classes_) != 2:
            raise ValueError(
                f"Only a plane can be drawn: two features and two classes, not {estimator.n_features_in_} "
                f"features and {len(estimator.classes_)} classes."
            )
        machine = "committee" if estimator._kind == COMMITTEE else "parity"
        positive = None if y is None else np.asarray(y) == estimator.classes_[1]
        return cls(estimator._layers[0], machine, np.asarray(X, dtype=float), positive).plot(ax)

    @classmethod
    def from_planes(
        cls, weights: Any, thresholds: Any, machine: str, X: Any = None, *, ax: Any = None
    ) -> "MachineDisplay":
        """Draw the machine with weights (K, 2) and thresholds (K,); X is drawn with its outputs."""
        if machine not in KINDS:
            raise ValueError(f"machine is {machine!r}: choose 'committee' or 'parity'.")
        weights, thresholds = np.array(weights, dtype=float), np.array(thresholds, dtype=float)
        if weights.ndim != 2 or weights.shape[1] != 2 or thresholds.shape != (len(weights),):
            raise ValueError(
                f"Planes in two dimensions need weights (K, 2) and thresholds (K,), not {weights.shape} and "
                f"{thresholds.shape}."
            )
        if machine == "committee" and len(weights) % 2 == 0:
            raise ValueError(
                f"A committee needs an odd number of units to have a majority, not {len(weights)}."
            )
        layer = Layer.of_perceptrons(weights, thresholds)
        X = None if X is None else np.asarray(X, dtype=float)
        positive = None if X is None else _output_of_hidden(layer.hidden(X), KINDS[machine]) > 0
        return cls(layer, machine, X, positive).plot(ax)

    def plot(self, ax: "Axes | None" = None) -> "MachineDisplay":
        """Draw into `ax`, or into a new figure."""
        ax, self.figure_ = single_axes(ax, figsize=(4, 4))
        low, high = self._plot_limits()
        x1, x2 = np.meshgrid(*(np.linspace(low[j], high[j], POINTS) for j in range(2)))
        d = self.layer.distances(np.column_stack([x1.ravel(), x2.ravel()])).reshape(POINTS, POINTS, -1)
        sigma, kind = np.where(d >= 0, 1, -1), KINDS[self.machine]
        out = _output_of_hidden(sigma, kind)
        ax.contourf(x1, x2, out, levels=[-1.5, 0, 1.5], colors=[MINUS, PLUS])
        for k in range(len(self.layer)):
            other = sigma.copy()
            other[..., k] *= -1
            nearest = np.delete(np.abs(d), k, axis=-1).min(axis=-1, initial=np.inf)
            self._draw_plane(ax, x1, x2, d[..., k], _output_of_hidden(other, kind) != out, nearest)
        self._draw_points(ax)
        ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        self.ax_ = ax
        return self

    def _plot_limits(self) -> tuple[Array, Array]:
        if self.X is None:
            return np.array([-1.5, -1.5]), np.array([1.5, 1.5])
        low, high = self.X.min(axis=0), self.X.max(axis=0)
        margin = 0.12 * np.maximum(high - low, 1e-9)
        return low - margin, high + margin

    def _draw_plane(self, ax: Any, x1: Array, x2: Array, d: Array, separates: Array, others: Array) -> None:
        """Solid where the output changes across it, dotted elsewhere; one arrow towards sigma = +1."""
        for where, line, width in ((separates, "solid", 1.4), (~separates, "dotted", 1.0)):
            if np.any(where):
                look = {"colors": "0.2", "linestyles": line, "linewidths": width}
                ax.contour(x1, x2, np.where(where, d, np.nan), levels=[0.0], **look)
        self._draw_arrow(ax, x1, x2, d, others)

    def _draw_arrow(self, ax: Any, x1: Array, x2: Array, d: Array, others: Array) -> None:
        """Draw an arrow into the unit's half-space, where its plane is farthest from frame and others."""
        frame = np.minimum.reduce([x1 - x1.min(), x1.max() - x1, x2 - x2.min(), x2.max() - x2])
        crossed = np.zeros(d.shape, dtype=bool)
        crossed[:-1, :-1] = (d[:-1, :-1] >= 0) != (d[:-1, 1:] >= 0)
        crossed[:-1, :-1] |= (d[:-1, :-1] >= 0) != (d[1:, :-1] >= 0)
        if not crossed.any():
            return
        clearance = np.where(crossed, np.minimum(others, frame), -1.0)
        i, j = np.unravel_index(np.argmax(clearance), d.shape)
        slope = np.array([d[i, j + 1] - d[i, j], d[i + 1, j] - d[i, j]])
        step = slope * 0.07 * np.ptp(x1) / np.linalg.norm(slope)
        start = np.array([x1[i, j], x2[i, j]])
        arrow = {"arrowstyle": "-|>", "color": "0.2", "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", start + step, start, arrowprops=arrow)

    def _draw_points(self, ax: Any) -> None:
        if self.X is None or self.y is None:
            return
        # Neither black nor white, which a dark page would exchange: the regions below keep their colours.
        for which, fill in ((self.y, "#1b1b1b"), (~self.y, "snow")):
            ax.plot(*self.X[which].T, "o", color=fill, markeredgecolor="#1b1b1b", markersize=4, linestyle="")
