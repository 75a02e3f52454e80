"""Figures of weights or relevances with their spread over folds, and of permutation importances."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from markone.show.drawing import COLOURS, GREY, new_axes
from markone.tables.model_summary import SortedInputs
from markone.tables.report.short_names import shorten_names
from markone.tables.scores import Interval

MAX_INPUT_BARS = 20
# Above this number of classes a heat map is drawn instead of bars.
MOST_LINES = 4


def draw_input_bars(content: SortedInputs) -> Figure:
    """Draw the largest weights or relevances: bars, or a heat map for many classes."""
    return _draw_grouped_bars(content) if len(content.values) <= MOST_LINES else _draw_input_heat_map(content)


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


def _label_inputs(axes: Any, content: SortedInputs, N: int) -> None:
    names = shorten_names(content.features[:N], 30)
    axes.set_yticks(range(N), names)
    axes.tick_params(axis="y", length=0)
    axes.axvline(0, color=GREY, linewidth=0.6)
    axes.set(xlabel=content.title, ylim=(N - 0.4, -0.6))


def _draw_input_heat_map(content: SortedInputs) -> Figure:
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


def draw_importance(found: dict[str, Interval], title: str = "balanced accuracy lost") -> Figure:
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
