"""Display of a recall: states from a noisy start to the stored pattern   (Fig. 1.4 right)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.base.plot_style import ink_colour, panel_figure
from markone.numerics.arrays import Array
from markone.show.histories import recall_history


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
