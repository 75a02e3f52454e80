"""Figures of the reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from markone.evaluation import AveragedRoc, confusion_percent
from markone.numerics.arrays import Array
from markone.numerics.text import format_number
from markone.show.drawing import COLOURS, DOUBLE, GREY, SINGLE, new_axes
from markone.tables.inspect.model_summary import SortedInputs
from markone.tables.inspect.validation_diagnostics import Reliability
from markone.tables.report.blocks import COLOURED_CURVES, MAX_BAR_LINES, MAX_INPUT_BARS, NAMED_CURVES
from markone.tables.report.formats import format_fit_time, shorten_name, shorten_names
from markone.tables.scoring import MEASURE_NAMES, Coverage, Interval

MOST_LINES = 8


def _draw_roc(found: dict[str, AveragedRoc]) -> Figure:
    """Draw all curves; of more than COLOURED_CURVES, those with the least area have a name and a colour."""
    order = sorted(found, key=lambda label: _area_under_curve(found[label]))
    named = list(found) if len(found) <= COLOURED_CURVES else order[:NAMED_CURVES]
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.7, linestyle=":")
        for label in (label for label in found if label not in named):
            curve = found[label]
            axes.plot([0, *curve.fpr], [0, *curve.mean], color=GREY, linewidth=0.5, alpha=0.6)
        legend = dict(zip(found, shorten_names(list(found), 20), strict=True))
        for k, label in enumerate(named):
            curve, colour = found[label], COLOURS[k % len(COLOURS)]
            name = legend[label] if len(found) > 1 else None
            axes.plot([0, *curve.fpr], [0, *curve.mean], color=colour, label=name)
            low, high = np.clip([curve.mean - curve.sd, curve.mean + curve.sd], 0, 1)
            if len(found) <= 3:
                axes.fill_between(curve.fpr, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.set(xlabel="false positives", ylabel="true positives", xlim=(-0.01, 1.01), ylim=(-0.01, 1.02))
        axes.set_aspect("equal")
        if len(found) > 1:
            axes.legend(loc="lower right")
    figure: Figure = axes.figure
    return figure


def _area_under_curve(curve: AveragedRoc) -> float:
    return float(np.trapezoid(np.r_[0.0, curve.mean], np.r_[0.0, curve.fpr]))


def _draw_confusion(classes: list[str], counts: Array) -> Figure:
    """Confusion matrix in per cent of the rows of each class, as Fig. 6.4 of the notes."""
    shares = confusion_percent(counts)
    K = len(classes)
    size = min(SINGLE + 0.28 * max(K - 3, 0), DOUBLE)
    names = shorten_names(classes, 16)
    # Font size such that four digits fit into a cell.
    letters = min(7.0, 72 * 0.7 * size / K / 2.5)

    with new_axes((size, size * 0.85)) as axes:
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=110)
        for i in range(K if K <= 20 else 0):
            for j in range(K):
                colour = "white" if shares[i, j] > 60 else "#1b1b1b"
                text = f"{shares[i, j]:.{1 if K < 8 else 0}f}" if shares[i, j] else "0"
                axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=letters)
        every = max(1, -(-K // 40))
        wide = max(map(len, names)) * K > 30
        turn = {"rotation": 90 if K > 12 else 45, "ha": "center" if K > 12 else "right"} if wide else {}
        axes.set_xticks(range(0, K, every), names[::every], fontsize=min(letters + 1, 8), **turn)
        axes.set_yticks(range(0, K, every), names[::every], fontsize=min(letters + 1, 8))
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set(xlabel="predicted", ylabel="true class")
    figure: Figure = axes.figure
    return figure


def _draw_reliability(found: Reliability) -> Figure:
    """Observed frequency against predicted probability."""
    said = [b.said for b in found.bins]
    true = [b.true.mean for b in found.bins]
    low = [b.true.mean - b.true.low for b in found.bins]
    high = [b.true.high - b.true.mean for b in found.bins]
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.7, linestyle=":")
        axes.errorbar(said, true, yerr=[low, high], marker="o", color=COLOURS[0], elinewidth=0.8)
        axes.set(
            xlabel="predicted probability", ylabel="observed share", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02)
        )
        axes.set_aspect("equal")
    figure: Figure = axes.figure
    return figure


def _draw_grid_search(search: Mapping[str, Any], ylabel: str) -> Figure:
    """Score of the search against the first parameter, one line per value of the others."""
    tried, mean, sd = (search[key] for key in ("tried", "mean", "sd"))
    first = next(iter(tried[0]))
    lines: dict[str, list[int]] = {}
    for k, point in enumerate(tried):
        name = ", ".join(f"{key} = {format_number(v)}" for key, v in point.items() if key != first)
        lines.setdefault(name, []).append(k)
    values = [point[first] for point in tried]
    numeric = all(isinstance(v, int | float) and np.isfinite(v) for v in values)
    ratio = numeric and min(values) > 0 and max(values) / min(values) >= 20

    with new_axes((SINGLE * 1.2, SINGLE * 0.8)) as axes:
        for c, (name, rows) in enumerate(list(lines.items())[:MOST_LINES]):
            x = [values[k] if numeric else str(values[k]) for k in rows]
            look = {"marker": "o", "color": COLOURS[c % len(COLOURS)], "label": name or None}
            axes.errorbar(x, mean[rows], yerr=sd[rows], linewidth=0.9, elinewidth=0.7, **look)
        axes.set(xlabel=first, ylabel=ylabel)
        if ratio:
            axes.set_xscale("log")
        elif numeric and all(isinstance(v, int) for v in values):
            axes.set_xticks(sorted(set(values)))
        if len(lines) > 1:
            axes.legend()
    figure: Figure = axes.figure
    return figure


def _draw_input_bars(content: SortedInputs) -> Figure:
    """Draw the largest weights or relevances: bars, or a heat map for many classes."""
    if content.has_errors:
        return _draw_bars_with_errors(content)
    return _draw_grouped_bars(content) if len(content.values) <= MAX_BAR_LINES else _draw_heat_map(content)


def _draw_grouped_bars(content: SortedInputs) -> Figure:
    values = content.values[:, :MAX_INPUT_BARS]
    L, N = values.shape
    thick = 0.8 / L
    names = shorten_names(content.lines, 40)

    with new_axes((5.0, 0.8 + N * max(0.2, 0.11 * L))) as axes:
        for k in range(L):
            places = np.arange(N) + (k - (L - 1) / 2) * thick
            axes.barh(places, values[k], thick * 0.9, color=COLOURS[k % len(COLOURS)], label=names[k])
            if content.low is not None and content.high is not None:
                axes.hlines(places, content.low[k, :N], content.high[k, :N], color=GREY, linewidth=1.0)
        _label_inputs(axes, content, N)
        if L > 1:
            axes.legend(loc="best")
    figure: Figure = axes.figure
    return figure


def _draw_bars_with_errors(content: SortedInputs) -> Figure:
    """Draw the largest weights with their standard errors."""
    values = content.values[:, :MAX_INPUT_BARS]
    N = values.shape[1]
    with new_axes((5.0, 0.8 + 0.22 * N)) as axes:
        axes.barh(range(N), values[0], 0.7, xerr=values[1], color=COLOURS[0], error_kw={"elinewidth": 0.8})
        _label_inputs(axes, content, N)
    figure: Figure = axes.figure
    return figure


def _label_inputs(axes: Any, content: SortedInputs, N: int) -> None:
    names = shorten_names(content.features[:N], 30)
    axes.set_yticks(range(N), names)
    axes.tick_params(axis="y", length=0)
    axes.axvline(0, color=GREY, linewidth=0.6)
    axes.set(xlabel=content.title, ylim=(N - 0.4, -0.6))


def _draw_heat_map(content: SortedInputs) -> Figure:
    """Heat map: a row per input, a column per class, red for negative and blue for positive weights."""
    values = content.values[:, :MAX_INPUT_BARS].T
    N, L = values.shape
    most = float(np.abs(values).max()) or 1.0
    lines = shorten_names([line.removesuffix(" against the rest") for line in content.lines], 16)
    inputs = shorten_names(content.features[:N], 30)
    # Space for the rotated class names below and the input names at the left.
    below, beside = 0.075 * max(map(len, lines)), 0.075 * max(map(len, inputs))
    with new_axes((min(1.6 + beside + 0.3 * L, 8.0), 0.9 + below + 0.22 * N)) as axes:
        shown = axes.imshow(values, cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
        axes.set_yticks(range(N), inputs)
        every = max(1, -(-L // 40))
        axes.set_xticks(range(0, L, every), lines[::every], rotation=90)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.figure.colorbar(shown, ax=axes, shrink=0.6)
    figure: Figure = axes.figure
    return figure


def _draw_importance(found: dict[str, Interval], title: str) -> Figure:
    """Draw the largest permutation importances."""
    top = list(found.items())[:MAX_INPUT_BARS]
    N = len(top)
    with new_axes((5.0, 0.8 + 0.22 * N)) as axes:
        axes.barh(range(N), [each.mean for _, each in top], 0.7, color=COLOURS[0])
        axes.hlines(range(N), [e.low for _, e in top], [e.high for _, e in top], color=GREY, linewidth=1.0)
        axes.set_yticks(range(N), shorten_names([name for name, _ in top], 30))
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color=GREY, linewidth=0.6)
        axes.set(xlabel=title, ylim=(N - 0.4, -0.6))
    figure: Figure = axes.figure
    return figure


def _draw_true_against_predicted(y: Array, predicted: Array, target: str) -> Figure:
    ends = [min(y.min(), predicted.min()), max(y.max(), predicted.max())]
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot(ends, ends, color=GREY, linewidth=0.7, linestyle=":")
        axes.plot(predicted, y, ".", color=COLOURS[0], markersize=_marker_size(len(y)), alpha=0.6, mew=0)
        axes.set(xlabel="predicted when left out", ylabel=f"true {shorten_name(target, 30)}")
    figure: Figure = axes.figure
    return figure


def _draw_residuals(y: Array, predicted: Array, width: float) -> Figure:
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.axhline(0, color=GREY, linewidth=0.7, linestyle=":")
        axes.plot(
            predicted, y - predicted, ".", color=COLOURS[0], markersize=_marker_size(len(y)), alpha=0.6, mew=0
        )
        for side in (-width, width):
            axes.axhline(side, color=COLOURS[1], linewidth=0.9)
        axes.set(xlabel="predicted when left out", ylabel="true - predicted")
    figure: Figure = axes.figure
    return figure


def _draw_coverage(coverage: Sequence[Coverage]) -> Figure:
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot([0, 100], [0, 100], color=GREY, linewidth=0.7, linestyle=":")
        for k, found in enumerate(coverage):
            look = {"marker": "o", "markersize": 3, "color": COLOURS[k], "label": found.name}
            axes.plot(100 * found.levels, 100 * found.shares, **look)
        axes.set(xlabel="nominal coverage, per cent", ylabel="coverage of left-out rows")
        axes.legend(loc="upper left")
    figure: Figure = axes.figure
    return figure


def _marker_size(points: int) -> float:
    return 5.0 if points < 500 else 2.5


def _draw_difference_diagram(
    entries: Sequence[Any], measure: str, trivial: float, runs: Sequence[tuple[int, int]]
) -> Figure:
    """Critical differences, best model on top; the bars at the left edge are `ModelComparison.runs`."""
    n = len(entries)
    with new_axes((5.0, 0.9 + 0.24 * n)) as axes:
        # x in units of the axes, y in index of the model.
        beside = {"transform": axes.get_yaxis_transform()}
        for k, entry in enumerate(entries):
            shown = entry.estimates[measure]
            axes.plot([shown.low, shown.high], [k, k], color=GREY, linewidth=0.9)
            axes.plot(shown.mean, k, "o", color=COLOURS[0], markersize=4)
            axes.text(1.02, k, format_fit_time(entry.seconds), va="center", fontsize=7, **beside)
        axes.axvline(trivial, color=GREY, linewidth=0.7, linestyle=":")
        axes.text(1.02, -0.95, "one fit", va="center", fontsize=7, color=GREY, **beside)
        for k, (first, last) in enumerate(runs):
            position = -0.02 - 0.016 * k
            look = {"color": COLOURS[1], "linewidth": 2.2, "solid_capstyle": "butt", "clip_on": False}
            axes.plot([position] * 2, [first - 0.25, last + 0.25], **beside, **look)
        axes.set_yticks(range(n), [entry.name for entry in entries])
        axes.tick_params(axis="y", length=0, pad=8 + 5 * len(runs))
        axes.spines["left"].set_visible(False)
        axes.set(ylim=(n - 0.4, -0.6), xlabel=MEASURE_NAMES[measure])
    figure: Figure = axes.figure
    return figure


DRAW: dict[str, Callable[..., Figure]] = {
    "roc": _draw_roc,
    "confusion": _draw_confusion,
    "reliability": _draw_reliability,
    "grid": _draw_grid_search,
    "inputs": _draw_input_bars,
    "columns": _draw_importance,
    "truth": _draw_true_against_predicted,
    "residuals": _draw_residuals,
    "calibration": _draw_coverage,
    "models": _draw_difference_diagram,
}
