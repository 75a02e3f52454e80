"""Panels with two classes in the plane and the boundary w1 x1 + w2 x2 = theta of a unit.

Drawing uses only methods of the given figure: matplotlib is not imported here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.numerics.arrays import Floats
from markone.numerics.text import format_number
from markone.show.drawing import COLOURS

MAX_COLUMNS = 4
MAX_OUTPUT = 1.5  # larger outputs are shaded like this one: a linear unit's targets are +-1


@dataclass(frozen=True)
class Panel:
    """Points (P, 2) of classes S = +-1; w = (theta, w1, w2) of an optional unit, hard or linear."""

    title: str
    X: Floats
    S: Floats
    w: Floats | None = None
    hard: bool = False


def draw_panels(
    figure: Any, panels: Sequence[Panel], draw: Callable[[Any, Panel], None], columns: int = MAX_COLUMNS
) -> None:
    """Draw panels side by side with equal scales, at most four in a row; the figure grows with the rows."""
    columns = min(len(panels), columns, MAX_COLUMNS)
    rows = -(-len(panels) // columns)
    width, height = figure.get_size_inches()
    figure.set_size_inches(width * columns / MAX_COLUMNS, height * rows)
    for k, panel in enumerate(panels):
        axes = figure.add_subplot(rows, columns, k + 1)
        reach = 1.1 * float(np.abs(panel.X).max())
        axes.set(xlim=(-reach, reach), ylim=(-reach, reach), box_aspect=1)
        axes.set(xlabel="x1", ylabel="x2" if k % columns == 0 else "")
        draw(axes, panel)


def draw_scatter(axes: Any, panel: Panel) -> None:
    """Draw class +1 as blue discs, class -1 as orange squares."""
    for sign, colour, marker in ((1.0, COLOURS[0], "o"), (-1.0, COLOURS[1], "s")):
        own = panel.X[sign == panel.S]
        # A white rim separates points from the shading and from each other, also in dark pages.
        look = {"color": colour, "markersize": 2.8, "markeredgecolor": "white", "markeredgewidth": 0.3}
        axes.plot(*own.T, marker, label=f"{sign:+.0f}", **look)
    axes.set_title(panel.title)


def draw_decision(axes: Any, panel: Panel) -> None:
    """Draw the points over the unit's output, with rings around those on the wrong side."""
    assert panel.w is not None
    w, title = panel.w, panel.title
    length = float(np.abs(w).max())
    # Only the direction is needed for the line, and the square of a diverged w may overflow.
    unit = w / length if np.isfinite(length) and length > 0 else np.zeros(3)
    if np.any(unit):
        _shade_output(axes, unit, length, panel.hard)
        # Draw w1 x1 + w2 x2 = theta; nothing if w1 = w2 = 0.
        theta, normal = unit[0], unit[1:]
        square = float(normal @ normal)
        if square > 0:
            nearest = theta * normal / square
            axes.axline(nearest, nearest + np.array([-normal[1], normal[0]]), color="black", linewidth=1.0)
    draw_scatter(axes, panel)
    side = np.where(panel.X @ unit[1:] - unit[0] >= 0, 1.0, -1.0)
    wrong = panel.X[side != panel.S]
    axes.plot(*wrong.T, "o", color="black", fillstyle="none", markersize=5, markeredgewidth=0.5)
    axes.set_title(f"{title}\n{_error_summary(length, len(wrong), len(panel.S))}")


def _error_summary(length: float, wrong: int, P: int) -> str:
    if not np.isfinite(length):
        return "diverged: no line"
    text = f"{wrong} of {P} wrong"
    return f"{text}\n|w| = {format_number(length, 1)}" if length > 1e3 else text


def _shade_output(axes: Any, unit: Floats, length: float, hard: bool) -> None:
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    x1, x2 = np.meshgrid(np.linspace(left, right, 121), np.linspace(low, high, 121))
    y = unit[1] * x1 + unit[2] * x2 - unit[0]
    # Clipped before scaling, since a diverged w would overflow; just inside the last level.
    y = np.sign(y) if hard else np.clip(y, -MAX_OUTPUT / length, MAX_OUTPUT / length) * length * (1 - 1e-9)
    levels = [-MAX_OUTPUT, 0.0, MAX_OUTPUT] if hard else np.linspace(-MAX_OUTPUT, MAX_OUTPUT, 13)
    axes.contourf(
        x1, x2, y, levels=levels, cmap="RdBu", alpha=0.45, vmin=-2 * MAX_OUTPUT, vmax=2 * MAX_OUTPUT
    )
