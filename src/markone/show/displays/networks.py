"""Diagrams of networks (Figs. 1.5, 3.2, 4.2), and the states of a recall   (Fig. 1.4 right)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.base.plot_style import GREY, MINUS, PLUS, ink_colour, panel_figure, paper_colour, single_axes
from markone.numerics.arrays import Array
from markone.show.histories import recall_history


@dataclass
class NetworkDisplay:
    """Diagram of a layered network, from the inputs (bottom) to the output (top).

    Parameters
    ----------
    layers : sequence of int
        Units in each layer.
    weights : sequence of array (upper, lower) or None, default=None
        One matrix between successive layers, drawn by sign and size, or None for plain lines.
    fixed : int, default=0
        Number of topmost connection layers that are fixed (dashed).
    labels : sequence of str, default=()
        Text beside each layer.
    inside : sequence of str, default=()
        Text in the units of each layer.

    Examples
    --------
    >>> from markone.show import NetworkDisplay
    >>> len(NetworkDisplay([3, 2, 1], fixed=1).plot().places_)
    3
    """

    layers: Sequence[int]
    weights: Sequence[Array] | None = None
    fixed: int = 0
    labels: Sequence[str] = ()
    inside: Sequence[str] = ()
    places_: list[Array] = field(default_factory=list, init=False)

    @classmethod
    def from_estimator(cls, net: Any, *, ax: Any = None, most: int = 12) -> "NetworkDisplay":
        """Display a fitted feed-forward net or machine; of larger layers only the first `most` units."""
        weights = _weight_matrices(net)
        weights = [np.asarray(w)[:most, :most] for w in weights]
        layers = [weights[0].shape[1], *(w.shape[0] for w in weights)]
        return cls(layers, weights).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> "NetworkDisplay":
        self.ax_, self.figure_ = single_axes(ax, figsize=(4, 3.4))
        widest = max(self.layers)
        self.places_ = [
            np.column_stack([np.arange(n) - (n - 1) / 2, np.full(n, float(level) * max(widest, 3) / 3.2)])
            for level, n in enumerate(self.layers)
        ]
        for level in range(len(self.layers) - 1):
            self._draw_weights(level)
        for level, places in enumerate(self.places_):
            fill = "0.85" if level == 0 else paper_colour()
            size = float(np.clip(900 / widest, 60, 420))
            self.ax_.scatter(*places.T, s=size, facecolors=fill, edgecolors=ink_colour(), lw=1.2, zorder=3)
            if level < len(self.inside) and self.inside[level]:
                for place in places:
                    self.ax_.text(
                        *place, self.inside[level], ha="center", va="center", fontsize="small", zorder=4
                    )
            if level < len(self.labels) and self.labels[level]:
                right = (widest - 1) / 2 + 0.75
                self.ax_.text(
                    right, places[0, 1], self.labels[level], va="center", fontsize="small", color=ink_colour()
                )
        self.ax_.set_aspect("equal")
        self.ax_.set_axis_off()
        self.ax_.margins(0.08)
        if self.labels:
            # Text does not affect the automatic limits of axes.
            self.ax_.set_xlim(-widest / 2 - 0.3, widest * 1.05 + 0.5)
        return self

    def _draw_weights(self, level: int) -> None:
        below, above = self.places_[level], self.places_[level + 1]
        matrix = None if self.weights is None else self.weights[level]
        largest = 1.0 if matrix is None else float(np.abs(matrix).max() or 1.0)
        dashed = level >= len(self.layers) - 1 - self.fixed
        for i, upper in enumerate(above):
            for j, lower in enumerate(below):
                value = 0.5 if matrix is None else float(matrix[i, j]) / largest
                colour = GREY if matrix is None else (PLUS if value >= 0 else MINUS)
                self.ax_.plot(
                    *np.transpose([lower, upper]), color=colour, lw=0.3 + 1.6 * abs(value), zorder=1,
                    ls=(0, (4, 2)) if dashed else "-" if value >= 0 else (0, (3, 1)),
                )  # fmt: skip


def _weight_matrices(net: Any) -> list[Array]:
    for names in (("coefs_",), ("w_", "v_"), ("hidden_weights_", "output_weights_"), ("weights_",)):
        if all(hasattr(net, name) for name in names):
            found = [getattr(net, name) for name in names]
            if names == ("coefs_",):
                return [np.asarray(w).T for w in found[0]]
            first = np.atleast_2d(found[0])
            second = np.atleast_2d(found[1]) if len(found) > 1 else np.ones((1, len(first)))
            return [first, second]
    raise ValueError(
        f"{type(net).__name__} has no weights that could be drawn: give a fitted net or machine, or "
        "the sizes of the layers: NetworkDisplay([5, 3, 1]).plot()."
    )


@dataclass
class RecallDisplay:
    """The states of a Hopfield network during recall, as images.

    Use `RecallDisplay.from_estimator` with a fitted `Hopfield` and a start.

    Parameters
    ----------
    states : array (T, N)
        States after each sweep, +1 or -1.
    energy : array (T,)
        Energy H of each state.
    overlap : array (T,)
        Overlap with the pattern nearest to the final state.
    shape : tuple of int
        Rows and columns of the image.
    status : str, default=""
        Status at the end of the recall.

    Examples
    --------
    >>> from markone import Hopfield
    >>> from markone.show import RecallDisplay
    >>> memory = Hopfield(random_state=0).fit([[1, 1, -1, 1, 1, -1, -1, -1, -1]])
    >>> RecallDisplay.from_estimator(memory, [1, -1, -1, 1, 1, -1, -1, -1, -1]).shape
    (3, 3)
    """

    states: Array
    energy: Array
    overlap: Array
    shape: tuple[int, int]
    status: str = ""

    @classmethod
    def from_estimator(
        cls,
        memory: Any,
        x: Any,
        *,
        shape: tuple[int, int] | None = None,
        most: int = 6,
        ax: Any = None,
        figure: Any = None,
    ) -> "RecallDisplay":
        """Display a recall of a fitted `Hopfield` from x; shape of the patterns: a square if not given."""
        history = recall_history(memory, x, shape=shape)
        states, shape = history.states["cells"], history.settings["shape"]
        m = history.states.get("overlap", np.full(len(states), np.nan))
        keep = np.unique(np.round(np.linspace(0, len(states) - 1, min(most, len(states)))).astype(int))
        status = history.settings["status"].removeprefix("ends with: ")
        energy = history.states["energy"]
        return cls(states[keep], energy[keep], m[keep], shape, status).plot(ax=ax, figure=figure)

    def plot(self, *, ax: Any = None, figure: Any = None) -> "RecallDisplay":
        T = len(self.states)
        self.figure_ = panel_figure(ax, figure, figsize=(1.7 * T, 2.4))
        self.axes_ = np.atleast_1d(self.figure_.subplots(1, T))
        self.ax_ = self.axes_[0]
        self.images_ = []
        for k, (panel, state) in enumerate(zip(self.axes_, self.states, strict=True)):
            picture = panel.imshow(
                state.reshape(self.shape), cmap="gray_r", vmin=-1, vmax=1, interpolation="nearest"
            )
            self.images_.append(picture)
            panel.set(xticks=[], yticks=[])
            for spine in panel.spines.values():
                spine.set_color(ink_colour())
            panel.set_title("start" if k == 0 else f"m = {self.overlap[k]:.2f}", fontsize="small")
            panel.set_xlabel(f"H = {self.energy[k]:.1f}", fontsize="small")
        return self
