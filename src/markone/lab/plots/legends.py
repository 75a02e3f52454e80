"""Legends, placed where nothing is drawn, and vertical lines at thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.transforms import Bbox

from markone.lab.formatting import format_keys
from markone.lab.plots.drawn_figure import Drawn, Place
from markone.lab.plots.style import DASHES, FILLS, MARK_DASHES, display_text, numbered_style
from markone.lab.statistics import Line, are_numbers
from markone.show.drawing import COLOURS, DOUBLE, GREY, SINGLE

FEW = 5  # most entries of a legend in a single-column figure
REACH = 3  # free pixels around a legend


def add_legend(
    drawn: Drawn,
    axes: Axes,
    figure: Any,
    labels: Sequence[str],
    theories: Sequence[str],
    places: Sequence[str],
    width: float | None,
) -> None:
    """Add a legend beside the axes of a wide figure; in a narrow one inside, or on top if it covers data."""
    entries = legend_handles(figure, labels, theories, places)
    wide = width or (SINGLE if len(entries) <= FEW else DOUBLE)
    ratio = (0.72 if wide < 5 else 0.5) + (0.12 if drawn.pulls else 0.0)
    drawn.figure.set_size_inches(wide, wide * ratio)
    if not entries:
        return
    if wide >= 5:
        drawn.figure.legend(handles=entries, loc="outside right upper")
        return
    inside = axes.legend(handles=entries)
    drawn.figure.draw_without_rendering()
    if _covers_data(inside, axes):
        inside.remove()
        columns = add_legend_above(drawn, entries)
        lines = -(-len(entries) // columns)
        drawn.figure.set_size_inches(wide, wide * ratio + 0.14 * lines)
        # Smaller axes get other ticks, with longer numbers: the layout is computed twice.
        drawn.figure.draw_without_rendering()


def add_legend_above(drawn: Drawn, entries: Sequence[Line2D]) -> int:
    """Add a legend above the axes in as many columns as fit; return their number."""
    for columns in (3, 2, 1):
        made = drawn.figure.legend(handles=entries, loc="outside upper center", ncols=columns)
        if columns == 1 or made.get_window_extent().width <= drawn.figure.bbox.width:
            break
        made.remove()
    return columns


def legend_handles(
    figure: Any, labels: Sequence[str], theories: Sequence[str], places: Sequence[str]
) -> list[Line2D]:
    """Entries for lines (colour, mark), measures (fill) and theories (dashes), not for their combinations."""
    entries = []
    if len(labels) > 1:
        fill = None if len(figure.measures) == 1 else 0
        entries += [_legend_handle(label, numbered_style(k, fill)) for k, label in enumerate(labels)]
    if len(figure.measures) > 1 and len(labels) > 1:
        for k, m in enumerate(figure.measures):
            look = {"color": GREY, "marker": "o", "fillstyle": FILLS[k % len(FILLS)]}
            entries.append(_legend_handle(m, look))
    elif len(labels) == 1:
        entries += [_legend_handle(m, numbered_style(k)) for k, m in enumerate(figure.measures)]
    entries += [
        Line2D([], [], color=GREY, linestyle=DASHES[k % 4], label=display_text(title))
        for k, title in enumerate(theories)
    ]
    return entries + [
        Line2D([], [], color=GREY, linestyle=MARK_DASHES[k % len(MARK_DASHES)], label=display_text(title))
        for k, title in enumerate(places)
    ]


def _legend_handle(label: str, look: dict[str, Any]) -> Line2D:
    return Line2D([], [], linestyle="none", label=display_text(label), **look)


def _covers_data(found: Legend, axes: Axes) -> bool:
    """True if the legend covers anything drawn."""
    box = found.get_window_extent().padded(REACH)
    return any(_path_crosses_box(path, marks, box) for path, marks in _iterate_data_paths(axes))


def _iterate_data_paths(axes: Axes) -> Iterator[tuple[Path, bool]]:
    """Paths of curves and bars in pixels, and True for marks without a line."""
    for line in axes.lines:
        yield line.get_transform().transform_path(line.get_path()), line.get_linestyle() == "None"
    for collection in axes.collections:
        for path in collection.get_paths():
            yield collection.get_transform().transform_path(path), False


def _path_crosses_box(path: Path, marks: bool, box: Bbox) -> bool:
    vertices = np.asarray(path.vertices, dtype=np.float64)
    vertices = vertices[np.isfinite(vertices).all(axis=1)]
    if any(box.contains(float(x), float(y)) for x, y in vertices):
        return True
    return not marks and len(vertices) > 1 and bool(Path(vertices).intersects_bbox(box, filled=False))


def draw_marks(
    drawn: Drawn,
    axes: Axes,
    declaration: Any,
    table: Sequence[Sequence[Line]],
    figure: Any,
    labels: Sequence[str],
) -> None:
    """Draw a mark for each line in its colour; one in grey if it is the same for all."""
    for k, name in enumerate(getattr(figure, "marks", None) or []):
        dash = MARK_DASHES[k % len(MARK_DASHES)]
        mark = declaration.scenario_object.marks[name]
        found = _mark_places(mark, [line for row in table for line in row])
        same = len({place.x for place in found}) == 1
        for place in found[:1] if same else found:
            which = labels.index(place.label)
            colour = GREY if same or len(labels) == 1 else COLOURS[which % len(COLOURS)]
            axes.axvline(place.x, color=colour, linestyle=dash, linewidth=0.9, zorder=0.5)
            drawn.marks.append(place)


def _mark_places(mark: Any, lines: Sequence[Line]) -> list[Place]:
    """Positions of a mark within the measured range of each line."""
    found = {}
    for line in lines:
        if line.x and are_numbers(line.x):
            x = float(mark.function(line.parameters[0]))
            if min(line.x) <= x <= max(line.x):
                found[format_keys(line.keys)] = Place(format_keys(line.keys), mark.title, x)
    return list(found.values())
