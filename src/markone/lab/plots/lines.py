"""Means with 95 % error bars, and lines of theory."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from markone.lab.formatting import format_keys
from markone.lab.plots.drawn_figure import Drawn, Series
from markone.lab.plots.legends import add_legend, draw_marks, legend_handles
from markone.lab.plots.style import DASHES, display_text, line_style, numbered_style
from markone.lab.scenario import sharing_key
from markone.lab.statistics import Line, are_numbers, evenly_spaced_indices, measured_lines, without_keys
from markone.numerics.arrays import Floats
from markone.numerics.text import format_number
from markone.show.drawing import COLOURS, GREY

FINE = 160  # points of a theory line
HALVINGS = 4  # bisections of the intervals in which it jumps
CROWD = 50  # more marks than these on a line are drawn smaller
MOST_MARKS = 8000  # largest number of marks in a figure
LABEL_WIDTH = 34  # characters beside an axis of a single column
# With more lines than FEW_LINES a panel shows deviations from theory, clipped at MAX_PULL standard errors.
FEW_LINES, MAX_PULL = 4, 5.0


def draw_lines(
    drawn: Drawn,
    declaration: Any,
    points: Sequence[Any],
    figure: Any,
    width: float | None,
    given: Axes | None = None,
) -> None:
    """Draw lines on new axes of a figure, whose size is set, or on the given axes."""
    table = [measured_lines(declaration, points, figure, measure) for measure in figure.measures]
    labels = list(dict.fromkeys(format_keys(line.keys) for row in table for line in row))
    theories = [declaration.scenario_object.theories[name] for name in figure.theory]
    values = [x for row in table for line in row for x in line.x]
    # Positions of strings on the axis.
    place = None if are_numbers(values) else {x: float(k) for k, x in enumerate(dict.fromkeys(values))}
    if given is None and place is None and len(labels) > FEW_LINES:
        drawn.pulls = [pull for row in table for line in row if (pull := _pull_series(line, theories))]
    axes, lower = _make_axes(drawn, given)
    for row in table:
        for line in row:
            look = line_style(line, labels, figure.measures)
            drawn.means.append(_line_series(line))
            most = max(MOST_MARKS // sum(map(len, table)), CROWD)
            marks, kept = _draw_error_bars(axes, drawn.means[-1], place, look, most)
            drawn.lines.append(line)
            if given is None:
                marks.set_gid(f"marks-{len(drawn.lines)}")
                drawn.hover[f"marks-{len(drawn.lines)}"] = _mark_texts(line, figure.x, kept)
    drawn.remark = _thinning_remark(drawn.means)
    for k, theory in enumerate(theories):
        _draw_theory_lines(drawn, axes, declaration, points, figure, theory, DASHES[k % 4], labels)
    _label_line_axes(axes, figure, place, all(isinstance(x, int) for x in values))
    if lower is not None:
        _draw_pulls(axes, lower, drawn.pulls, labels)
    draw_marks(drawn, axes, declaration, table, figure, labels)
    places = list(dict.fromkeys(place.title for place in drawn.marks))
    titles = [theory.title for theory in theories]
    if given is None:
        add_legend(drawn, axes, figure, labels, titles, places, width)
    elif entries := legend_handles(figure, labels, titles, places):
        axes.legend(handles=entries)


def _make_axes(drawn: Drawn, given: Axes | None) -> tuple[Axes, Axes | None]:
    """Axes of the lines and, if there are deviations from theory, axes of these below."""
    if drawn.pulls:
        axes, lower = drawn.figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
        return axes, lower
    return given or drawn.figure.add_subplot(), None


def _line_series(line: Line) -> Series:
    intervals = np.array([estimate.clipped_interval() for estimate in line.estimates]).reshape(-1, 2)
    mean = np.array([estimate.mean for estimate in line.estimates])
    return Series(format_keys(line.keys), line.measure, line.x, mean, intervals[:, 0], intervals[:, 1])


def _thinning_remark(means: Sequence[Series]) -> str:
    """Sentence about points that are not drawn, or ""."""
    most, longest = max(MOST_MARKS // max(len(means), 1), CROWD), max((len(s.x) for s in means), default=0)
    return "" if longest <= most else f"Of {longest} points on a line {most} are drawn, evenly chosen."


def _draw_error_bars(
    axes: Axes, drawn: Series, place: dict[Any, float] | None, look: dict[str, Any], most: int
) -> tuple[Line2D, list[int]]:
    """Draw means and intervals at their true x, on which theory depends; open marks are on top. Return the
    marks and which of the means they are.
    """
    assert drawn.low is not None
    assert drawn.high is not None
    kept = evenly_spaced_indices(len(drawn.x), most)
    chosen = [drawn.x[k] for k in kept]
    x = [place[value] for value in chosen] if place else chosen
    mean, low, high = drawn.mean[kept], drawn.low[kept], drawn.high[kept]
    # A mean without an interval (one run) is a mark without a bar.
    bars = np.nan_to_num([mean - low, high - mean])
    small = min(1.0, (CROWD / max(len(x), 1)) ** 0.5)
    unit = small * rcParams["lines.markersize"] / 3.6
    size = {"markersize": 3.6 * unit, "markeredgewidth": 0.9 * unit, "elinewidth": 0.6 * unit}
    order = 2.1 if look["fillstyle"] == "full" else 2.2
    container = axes.errorbar(
        x, mean, yerr=np.maximum(bars, 0.0), linestyle="none", zorder=order, **size, **look
    )
    return container.lines[0], [k for k in kept if np.isfinite(drawn.mean[k])]


def _mark_texts(line: Line, x: str, kept: Sequence[int]) -> list[str]:
    keys = format_keys(line.keys)
    start = f"{keys}, {x}" if keys else x
    return [
        display_text(f"{start} = {format_number(line.x[k], 8)}: {line.measure} {line.estimates[k]}")
        for k in kept
    ]


def _pull_series(line: Line, theories: Sequence[Any]) -> Series | None:
    """Deviations of the means from a prediction, in standard errors; None without a prediction."""
    for theory in theories:
        if theory.measure == line.measure and theory.kind == "prediction":
            expected = theory.values(line.parameters)
            means = np.array([estimate.mean for estimate in line.estimates])
            errors = np.array([estimate.error for estimate in line.estimates])
            with np.errstate(divide="ignore", invalid="ignore"):
                deviations = np.where(errors > 0, (means - expected) / errors, np.nan)
            if np.isfinite(deviations).any():
                return Series(format_keys(line.keys), line.measure, line.x, deviations)
    return None


def _draw_pulls(upper: Axes, lower: Axes, found: Sequence[Series], labels: Sequence[str]) -> None:
    """Draw deviations from theory below the figure; those beyond MAX_PULL as triangles at the edge."""
    lower.axhspan(-2, 2, color="0.92", zorder=0)
    lower.axhline(0, color=GREY, linewidth=0.6)
    for series in found:
        which = labels.index(series.label)
        look = numbered_style(which)
        inside = np.clip(series.mean, -MAX_PULL, MAX_PULL)
        lower.plot(series.x, inside, linestyle="none", markersize=3.0, markeredgewidth=0.8, **look)
        beyond = np.abs(series.mean) > MAX_PULL
        for x, value in zip(np.asarray(series.x)[beyond], inside[beyond], strict=True):
            lower.plot(x, value, "^" if value > 0 else "v", color=look["color"], markersize=4)
    lower.set(xlabel=upper.get_xlabel(), ylabel="pull", ylim=(-1.15 * MAX_PULL, 1.15 * MAX_PULL))
    upper.set_xlabel("")
    upper.tick_params(labelbottom=False, which="both")


def _theory_grid(values: Sequence[Any], logarithmic: bool) -> list[Any]:
    """Grid for theory that includes the measured x; integers remain integers."""
    low, high = min(values), max(values)
    spaced = np.geomspace if logarithmic and low > 0 else np.linspace
    if all(isinstance(value, int) for value in values):
        whole: list[Any] = sorted({*values, *(round(float(x)) for x in spaced(low, high, FINE))})
        return whole
    return [float(x) for x in np.union1d(spaced(low, high, FINE), np.asarray(values, dtype=float))]


def _draw_theory_lines(
    drawn: Drawn,
    axes: Axes,
    declaration: Any,
    points: Sequence[Any],
    figure: Any,
    theory: Any,
    dash: str,
    labels: Sequence[str],
) -> None:
    """Draw theory for each line of marks in its colour; once in grey if it is the same for all."""
    curves = [
        curve
        for line in measured_lines(declaration, points, figure, theory.measure)
        if are_numbers(line.x)
        and (curve := _theory_series(line, figure, theory, declaration.scenario_object))
    ]
    same = len(curves) > 1 and all(
        np.array_equal(curve.mean, curves[0].mean, equal_nan=True) for curve in curves
    )
    for curve in curves[:1] if same else curves:
        which = labels.index(curve.label) if curve.label in labels else 0
        colour = GREY if same or len(labels) == 1 else COLOURS[which % len(COLOURS)]
        axes.plot(curve.x, curve.mean, dash, color=colour, zorder=1)
        drawn.theory.append(curve)


def _theory_series(line: Line, figure: Any, theory: Any, scenario: Any = None) -> Series | None:
    others = without_keys(line.parameters[0], figure.x)
    wanted = _theory_grid(line.x, bool(getattr(figure, "logx", False)))
    found: dict[Any, float] = {}
    for _ in range(1 + HALVINGS):
        values = theory.values([{**others, figure.x: x} for x in wanted])
        found |= dict(zip(wanted, values.tolist(), strict=True))
        found = dict(sorted(found.items()))
        if getattr(scenario, "depends_on", None) is None:
            wanted = _jump_midpoints(list(found), np.array(list(found.values())))
        else:
            wanted = step_midpoints(
                list(found), [sharing_key(scenario, {**others, figure.x: x}) for x in found]
            )
    values = np.array(list(found.values()))
    if not np.isfinite(values).any():
        return None
    return Series(format_keys(line.keys), theory.measure, list(found), values)


def _jump_midpoints(x: Sequence[Any], y: Floats) -> list[float]:
    """Midpoints of the intervals in which theory jumps, to draw steps as such."""
    if all(isinstance(value, int) for value in x) or not np.isfinite(y).any():
        return []
    steep = np.abs(np.diff(y)) > 0.02 * (np.nanmax(y) - np.nanmin(y))
    return [(x[k] + x[k + 1]) / 2 for k in range(len(steep)) if steep[k]]


def step_midpoints(x: Sequence[Any], decides: Sequence[str]) -> list[float]:
    """Midpoints of the intervals in which `depends_on` changes, to draw steps as such; none if the steps are
    finer than the grid."""
    changes = [k for k in range(len(x) - 1) if decides[k] != decides[k + 1]]
    if all(isinstance(value, int) for value in x) or len(changes) >= FINE - 1:
        return []
    return [(x[k] + x[k + 1]) / 2 for k in changes]


def _label_line_axes(axes: Axes, figure: Any, place: dict[Any, float] | None, whole: bool = False) -> None:
    """Set labels and ticks; `whole`: integer ticks on x."""
    ylabel = figure.ylabel or ", ".join(figure.measures)
    axes.set(xlabel=display_text(figure.xlabel or figure.x), ylabel=fill(display_text(ylabel), LABEL_WIDTH))
    if place:
        words = [display_text(str(value)) for value in place]
        # Horizontal labels would overlap.
        slanted: dict[str, Any] = (
            {"rotation": 25, "ha": "right"} if sum(map(len, words)) > LABEL_WIDTH else {}
        )
        axes.set_xticks(list(place.values()), words, **slanted)
        axes.margins(x=0.15)
    elif getattr(figure, "logx", False):
        _set_log_axis(axes, "x")
    elif whole:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if getattr(figure, "logy", False):
        _set_log_axis(axes, "y")


def _set_log_axis(axes: Axes, which: str) -> None:
    """Set a log scale with ticks 0.1, 1, 10; over less than two decades also 0.2, 0.5, 2, 5, 20, ..."""
    axes.set(**{f"{which}scale": "log"})
    axis, (low, high) = getattr(axes, f"{which}axis"), getattr(axes, f"get_{which}lim")()
    axis.set_major_formatter(FuncFormatter(lambda value, _: format_number(float(value), 6)))
    if high < 100 * low:
        axis.set_minor_locator(LogLocator(subs=(2.0, 5.0)))
        axis.set_tick_params(which="minor", pad=5.0)  # level with the longer major ticks
        axis.set_minor_formatter(FuncFormatter(lambda value, _: format_number(float(value), 6)))
    else:
        axis.set_minor_formatter(NullFormatter())
