"""One measure over two parameters: a colour map or a surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.ticker import FuncFormatter, MaxNLocator

from markone.lab.formatting import format_keys
from markone.lab.plots.drawn_figure import Drawn, Series
from markone.lab.plots.style import display_text
from markone.lab.statistics import Line, are_numbers, measured_lines, without_keys
from markone.numerics.arrays import Floats
from markone.numerics.text import format_number
from markone.show.drawing import DOUBLE, SINGLE


@dataclass(frozen=True)
class Sheet:
    """Means z[y, x]; NaN where nothing was measured."""

    title: str
    measure: str
    x: list[Any]
    y: list[Any]
    z: Floats


def _build_sheets(declaration: Any, points: Sequence[Any], figure: Any) -> list[Sheet]:
    """One sheet per measure and per combination of all parameters but x and the first of `lines`."""
    if not figure.lines:
        raise ValueError(
            f"Figure {figure.name!r} is of kind {figure.kind!r} and needs a second axis: name it in `lines`."
        )
    found = []
    several = len(figure.measures) > 1
    for measure in figure.measures:
        rows: dict[str, list[Line]] = {}
        for line in measured_lines(declaration, points, figure, measure):
            rows.setdefault(format_keys(without_keys(line.keys, figure.lines[0])), []).append(line)
        for rest, row in rows.items():
            title = ", ".join(part for part in (measure if several else "", rest) if part)
            found.append(_build_sheet(title, measure, row, figure.lines[0]))
    return found


def _build_sheet(title: str, measure: str, row: Sequence[Line], key: str) -> Sheet:
    x = _order_values([value for line in row for value in line.x])
    y = _order_values([line.keys[key] for line in row])
    z = np.full((len(y), len(x)), np.nan)
    for line in row:
        for value, estimate in zip(line.x, line.estimates, strict=True):
            z[y.index(line.keys[key]), x.index(value)] = estimate.mean
    return Sheet(title, measure, x, y, z)


def _order_values(values: Sequence[Any]) -> list[Any]:
    return sorted(set(values)) if are_numbers(values) else list(dict.fromkeys(values))


def draw_map(drawn: Drawn, declaration: Any, points: Sequence[Any], figure: Any, width: float | None) -> None:
    found = _arrange_sheets(drawn, declaration, points, figure, width, 0.8)
    top = _largest_drawn_value(found)
    colours = _colour_scale(found, figure, top)
    for k, part in enumerate(found):
        axes = drawn.figure.add_subplot(1, len(found), k + 1)
        image = axes.pcolormesh(np.ma.masked_invalid(part.z), norm=colours, edgecolors="face", linewidth=0.1)
        _set_cell_ticks(axes, "x", part.x)
        _set_cell_ticks(axes, "y", part.y)
        _label_sheet_axes(axes, figure, part, k)
        if k == len(found) - 1:
            drawn.figure.colorbar(image, ax=axes, extend="max" if np.isfinite(top) else "neither")


def draw_surface(
    drawn: Drawn, declaration: Any, points: Sequence[Any], figure: Any, width: float | None
) -> None:
    found = _arrange_sheets(drawn, declaration, points, figure, width, 0.85)
    top, logarithmic = _largest_drawn_value(found), bool(getattr(figure, "logy", False))
    for k, part in enumerate(found):
        axes: Any = drawn.figure.add_subplot(1, len(found), k + 1, projection="3d")
        x, y = np.meshgrid(
            _surface_coordinates(part.x, bool(getattr(figure, "logx", False))),
            _surface_coordinates(part.y, is_geometric(part.y)),
        )
        z = np.minimum(part.z, top)
        size = {"rcount": len(part.y), "ccount": len(part.x)}
        axes.plot_surface(
            x, y, _log10_or_nan(z) if logarithmic else z, cmap="cividis", edgecolor="0.3", lw=0.3, **size
        )
        _label_sheet_axes(axes, figure, part, 0)
        # matplotlib has no logarithmic axes in 3D: logarithms are drawn, and labelled as powers of ten.
        _label_powers(axes.xaxis, bool(getattr(figure, "logx", False)) and are_numbers(part.x))
        _label_powers(axes.yaxis, is_geometric(part.y))
        _label_powers(axes.zaxis, logarithmic)


def _arrange_sheets(
    drawn: Drawn, declaration: Any, points: Sequence[Any], figure: Any, width: float | None, ratio: float
) -> list[Sheet]:
    """Compute the sheets, set the figure size for them side by side, and record what is drawn."""
    found = _build_sheets(declaration, points, figure)
    wide = width or (SINGLE if len(found) <= 1 else DOUBLE)
    drawn.figure.set_size_inches(wide, ratio * wide / max(len(found), 1) + 0.5)
    drawn.figure.suptitle(display_text(figure.ylabel or ", ".join(figure.measures)), fontsize=8, wrap=True)
    for part in found:
        cells = [(x, y, part.z[j, i]) for j, y in enumerate(part.y) for i, x in enumerate(part.x)]
        x, y, z = (list(column) for column in zip(*cells, strict=True))
        drawn.means.append(Series(part.title or part.measure, part.measure, x, np.array(z), y=y))
    if np.isfinite(top := _largest_drawn_value(found)):
        drawn.remark = f"Values above {format_number(top, 2)} are drawn there: some runs diverge."
    return found


def _finite_sheet_values(found: Sequence[Sheet]) -> Floats:
    return np.concatenate([part.z[np.isfinite(part.z)] for part in found] or [np.array([])])


def _largest_drawn_value(found: Sequence[Sheet]) -> float:
    """Largest drawn value: 1e3 medians if a value exceeds 1e6 medians, otherwise infinity."""
    values = _finite_sheet_values(found)
    middle = float(np.median(np.abs(values))) if len(values) else 0.0
    return 1e3 * middle if middle > 0 and values.max() > 1e6 * middle else np.inf


def _colour_scale(found: Sequence[Sheet], figure: Any, top: float) -> Normalize:
    """One colour scale for all sheets; `logy` makes it logarithmic."""
    values = np.minimum(_finite_sheet_values(found), top)
    positive = values[values > 0]
    if getattr(figure, "logy", False) and len(positive):
        return LogNorm(positive.min(), positive.max())
    return Normalize(values.min(), values.max()) if len(values) else Normalize(0, 1)


def _set_cell_ticks(axes: Axes, which: str, values: Sequence[Any]) -> None:
    """Set ticks at the cells, which are equally wide; at most eight are labelled."""
    step = -(-len(values) // 8)
    centres = np.arange(0, len(values), step) + 0.5
    names_ = [format_number(value, 3) for value in values[::step]]
    axes.set_xticks(centres, names_) if which == "x" else axes.set_yticks(centres, names_)


def _label_sheet_axes(axes: Axes, figure: Any, part: Sheet, k: int) -> None:
    ylabel = display_text(figure.lines[0]) if k == 0 else ""
    axes.set(xlabel=display_text(figure.xlabel or figure.x), ylabel=ylabel, title=display_text(part.title))


def is_geometric(values: Sequence[Any]) -> bool:
    """True for values such as 1, 3, 10, 30, which need a logarithmic axis."""
    if not are_numbers(values) or len(values) < 3 or min(values) <= 0:
        return False
    steps = np.diff(np.asarray(values, dtype=float))
    return bool(steps.max() > 10 * steps.min())


def _label_powers(axis: Any, logarithmic: bool) -> None:
    if logarithmic:
        axis.set_major_locator(MaxNLocator(4, integer=True))
        axis.set_major_formatter(FuncFormatter(lambda value, _: format_number(10.0**value, 6)))


def _log10_or_nan(values: Floats) -> Floats:
    """Logarithm; NaN, a gap in the surface, for values that are not positive."""
    return np.log10(np.where(values > 0, values, np.nan))


def _surface_coordinates(values: Sequence[Any], logarithmic: bool) -> Floats:
    if not are_numbers(values):
        return np.arange(len(values), dtype=float)
    numbers = np.asarray(values, dtype=float)
    return _log10_or_nan(numbers) if logarithmic else numbers
