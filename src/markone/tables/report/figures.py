"""Figures of the reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from markone.evaluation import AveragedRoc, confusion_percent
from markone.numerics.arrays import Array
from markone.numerics.text import format_number
from markone.show.drawing import COLOURS, DOUBLE, GREY, SINGLE, new_axes
from markone.tables.inspect.learning_curve import MOST_TIMES, LearningCurve
from markone.tables.inspect.model_summary import SortedInputs
from markone.tables.inspect.validation_diagnostics import ReliabilityBin
from markone.tables.report.blocks import (
    COLOURED_CURVES,
    MAX_BAR_LINES,
    MAX_INPUT_BARS,
    NAMED_CURVES,
    count_drawn_inputs,
)
from markone.tables.report.formats import format_fit_time, shorten_name, shorten_names
from markone.tables.scoring import MEASURE_NAMES, Coverage, Interval

MOST_LINES = 8


def _draw_roc(found: dict[str, AveragedRoc]) -> Any:
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
    return axes.figure


def _area_under_curve(curve: AveragedRoc) -> float:
    return float(np.trapezoid(np.r_[0.0, curve.mean], np.r_[0.0, curve.fpr]))


def _draw_confusion(classes: list[str], counts: Array) -> Any:
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
    return axes.figure


def _draw_reliability(curves: Sequence[tuple[str, Sequence[ReliabilityBin]]]) -> Any:
    """Observed frequency against predicted probability, a curve for each model."""
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.7, linestyle=":")
        for k, (name, bins) in enumerate(curves):
            true = [b.true.mean for b in bins]
            ends = [[b.true.mean - b.true.low for b in bins], [b.true.high - b.true.mean for b in bins]]
            look = {"color": COLOURS[k], "marker": "os"[k], "markersize": 4 - k, "linewidth": 1.2 - 0.5 * k}
            axes.errorbar([b.said for b in bins], true, yerr=ends, elinewidth=0.8, label=name, **look)
        axes.set(
            xlabel="predicted probability", ylabel="observed share", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02)
        )
        axes.set_aspect("equal")
        if len(curves) > 1:
            axes.legend(loc="upper left")
    return axes.figure


def _draw_grid_search(search: Mapping[str, Any], ylabel: str) -> Any:
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
            # Ticks at the values tried: those of matplotlib are formulas, and text is not read as formulas.
            axes.set_xscale("log")
            axes.set_xticks(sorted(set(values)), [format_number(v) for v in sorted(set(values))])
            axes.set_xticks([], minor=True)
        elif numeric and all(isinstance(v, int) for v in values):
            axes.set_xticks(sorted(set(values)))
        if len(lines) > 1:
            axes.legend()
    return axes.figure


def _draw_input_bars(content: SortedInputs) -> Any:
    """Draw the largest weights or relevances: bars, or a heat map for many classes."""
    return _draw_grouped_bars(content) if len(content.values) <= MAX_BAR_LINES else _draw_heat_map(content)


def _draw_grouped_bars(content: SortedInputs) -> Any:
    values = content.values[: 1 if content.has_errors else None]
    L = len(values)
    values = values[:, : count_drawn_inputs(L)]
    N = values.shape[1]
    look = {"xerr": content.values[1, :N], "error_kw": {"elinewidth": 0.8}} if content.has_errors else {}
    thick = 0.8 / L
    names = shorten_names(content.lines, 40)

    with new_axes((5.0, 0.8 + N * max(0.2, 0.11 * L))) as axes:
        for k in range(L):
            places = np.arange(N) + (k - (L - 1) / 2) * thick
            axes.barh(places, values[k], thick * 0.9, color=COLOURS[k % len(COLOURS)], label=names[k], **look)
            if content.low is not None and content.high is not None:
                axes.hlines(places, content.low[k, :N], content.high[k, :N], color=GREY, linewidth=1.0)
        axes.set_yticks(range(N), shorten_names(content.features[:N], 30))
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color=GREY, linewidth=0.6)
        axes.set(xlabel=content.title, ylim=(N - 0.4, -0.6))
        if L > 1:
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return axes.figure


def _draw_heat_map(content: SortedInputs) -> Any:
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
    return axes.figure


def _draw_importance(found: dict[str, Interval], title: str) -> Any:
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
    return axes.figure


def _draw_true_against_predicted(y: Array, predicted: Array, target: str) -> Any:
    ends = [min(y.min(), predicted.min()), max(y.max(), predicted.max())]
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot(ends, ends, color=GREY, linewidth=0.7, linestyle=":")
        axes.plot(predicted, y, ".", color=COLOURS[0], markersize=_marker_size(len(y)), alpha=0.6, mew=0)
        axes.set(xlabel="predicted when left out", ylabel=f"true {shorten_name(target, 30)}")
    return axes.figure


def _draw_residuals(y: Array, predicted: Array, width: float) -> Any:
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.axhline(0, color=GREY, linewidth=0.7, linestyle=":")
        axes.plot(
            predicted, y - predicted, ".", color=COLOURS[0], markersize=_marker_size(len(y)), alpha=0.6, mew=0
        )
        for side in (-width, width):
            axes.axhline(side, color=COLOURS[1], linewidth=0.9)
        axes.set(xlabel="predicted when left out", ylabel="true - predicted")
    return axes.figure


def _draw_coverage(coverage: Sequence[Coverage]) -> Any:
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot([0, 100], [0, 100], color=GREY, linewidth=0.7, linestyle=":")
        for k, found in enumerate(coverage):
            look = {"marker": "o", "markersize": 3, "color": COLOURS[k], "label": found.name}
            axes.plot(100 * found.levels, 100 * found.shares, **look)
        axes.set(xlabel="nominal coverage, per cent", ylabel="coverage of left-out rows")
        axes.legend(loc="upper left")
    return axes.figure


def _marker_size(points: int) -> float:
    return 5.0 if points < 500 else 2.5


def _draw_difference_diagram(
    entries: Sequence[Any], measure: str, trivial: float, runs: Sequence[tuple[int, int]]
) -> Any:
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
    return axes.figure


def _draw_learning_curve(curve: LearningCurve, ylabel: str) -> Any:
    """Measured errors, and median and band of the forecast."""
    n = np.geomspace(curve.sizes[0], MOST_TIMES * curve.forecast.rows, 40)
    middle, low, high = np.array([curve.forecast.band_at(each) for each in n]).T
    with new_axes((5.0, SINGLE * 0.85)) as axes:
        axes.fill_between(n, low, high, color=COLOURS[0], alpha=0.2, linewidth=0)
        axes.plot(n, middle, color=COLOURS[0])
        axes.plot(curve.sizes, curve.means, "o", color=COLOURS[1])
        axes.set(xscale="log", xlabel="training rows", ylabel=ylabel, ylim=(0, None))
        ticks = [d * 10**k for k in range(1, 9) for d in (1, 2, 5) if n[0] <= d * 10**k <= n[-1]]
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.set_xticks([], minor=True)
    return axes.figure


DRAW: dict[str, Callable[..., Any]] = {
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
    "more": _draw_learning_curve,
}
