"""Strips of panels for print, as Fig. 3.4."""

from typing import Any

import numpy as np

from markone.base.history import History
from markone.base.plot_style import (
    COLOURS,
    GREY,
    MARKS,
    MINUS,
    PLUS,
    THIRD,
    class_styles,
    draw_line,
    draw_vector,
    ink_colour,
)
from markone.numerics.arrays import Array
from markone.show.histories import split_inputs_weights


def draw_strip(
    film: dict[str, Any], history: History, rows: Array, *, figure: Any = None, columns: int = 6
) -> Any:
    """Draw one panel per row of the history, with its update as an arrow."""
    import matplotlib.pyplot as plt

    columns = min(columns, len(rows))
    lines = -(-len(rows) // columns)
    if figure is None:
        figure = plt.figure(figsize=(2.1 * columns, 2.3 * lines), layout="constrained")
    axes = np.atleast_1d(figure.subplots(lines, columns, squeeze=False).ravel())
    for ax in axes[len(rows) :]:
        ax.set_axis_off()
    for ax, k in zip(axes, rows, strict=False):
        draw_panel(ax, film, history, int(k))
    return figure


def draw_panel(ax: Any, film: dict[str, Any], history: History, row: int) -> None:
    """Draw the student before step `row`, the presented example, and the update."""
    from matplotlib.colors import ListedColormap

    ax.set(xticks=[], yticks=[], aspect="equal")
    ax.set_title(_panel_title(history, row), fontsize="small")
    if film["kind"] == "field":
        regions = _region_labels(film, history, row).reshape(film["shape"])
        shades = ListedColormap([MINUS, PLUS])
        ax.imshow(regions, cmap=shades, vmin=-1, vmax=1, alpha=0.2, extent=film["extent"])
    if film["kind"] == "memory":
        state = np.asarray(history.states["cells"][row]).reshape(film["shape"])
        ax.imshow(state, cmap="gray_r", vmin=-1, vmax=1)
        return
    left, right, bottom, top = film["extent"]
    ax.set(xlim=(left, right), ylim=(bottom, top))
    _draw_examples(ax, film, int(history["example"][row]))
    if film["kind"] == "plane":
        _draw_weights(ax, history, row, 0.5 * (right - left))
    elif film["kind"] == "prototypes":
        _draw_prototypes(ax, _find_frame(film, history, row))


def _region_labels(film: dict[str, Any], history: History, row: int) -> Array:
    """Outputs +-1 on the grid: recorded, or those of the first frame at or after this step."""
    if "cells" in history.states:
        return np.asarray(history.states["cells"][row])
    cells = _find_frame(film, history, row)["cells"]
    return np.where(np.frombuffer(cells.encode(), dtype=np.uint8) == ord("1"), 1, -1)


def _find_frame(film: dict[str, Any], history: History, row: int) -> dict[str, Any]:
    step = int(history["step"][row])
    found: dict[str, Any] = next(f for f in film["frames"] if f["step"] >= step)
    return found


def _panel_title(history: History, row: int) -> str:
    step = history.table[row]
    if step["step"] == 0:
        return "start"
    if step["example"] < 0:
        return f"step {step['step']}"
    verbs = ("flipped", "unchanged") if "energy" in history.states else ("learned", "correct")
    verb = verbs[0] if step["change"] != 0 else verbs[1]
    return f"t = {step['step']}: {verb}"


def _draw_examples(ax: Any, film: dict[str, Any], current: int) -> None:
    points = np.array(film["points"])
    if 0 <= current < len(points):
        ax.scatter(*points[current, :2], s=190, color="0.78", lw=0, zorder=1)
    if film["kind"] == "prototypes":
        for c in np.unique(points[:, 2]).astype(int):
            ax.plot(*points[points[:, 2] == c, :2].T, MARKS[c], color=COLOURS[c], ms=3, mew=0, alpha=0.7)
        return
    for c, (_, edge, mark, fill) in enumerate(class_styles()):
        own = points[points[:, 2] == c, :2]
        ax.scatter(*own.T, s=26, marker=mark, facecolors=fill, edgecolors=edge, lw=1.2, zorder=3)


def _draw_weights(ax: Any, history: History, row: int, reach: float) -> None:
    X, W, offsets = split_inputs_weights(history)
    if X.shape[1] != 2:
        from markone.show.projection import display_plane

        plane = display_plane(X, W[-1])
        draw_line(ax, plane.weights(W[row], offsets[row]), color=ink_colour(), lw=1.3)
        return
    before = W[max(row - 1, 0)] if history.complete else W[row]
    # In units of the inputs where the arrows fit, otherwise scaled.
    longest = float(np.linalg.norm(W, axis=1).max()) or 1.0
    scale = 1.0 if 0.2 * reach < longest < reach else 0.75 * reach / longest
    draw_line(
        ax, np.append(before, offsets[max(row - 1, 0)]), color=GREY if row else ink_colour(), lw=1.2, zorder=2
    )
    if np.any(before):
        draw_vector(ax, (0, 0), scale * before)
    if row and history["change"][row] != 0 and history.complete:
        draw_vector(ax, scale * before, scale * W[row], MINUS if history["change"][row] < 0 else THIRD, 1.5)


def _draw_prototypes(ax: Any, shown: dict[str, Any]) -> None:
    for x, y, c in shown["prototypes"]:
        ax.plot(x, y, MARKS[c], color=COLOURS[c], ms=10, mec=ink_colour(), mew=1.3)
