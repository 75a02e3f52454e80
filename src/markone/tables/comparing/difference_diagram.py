"""Critical-difference diagram: models by score; bars join those that do not differ significantly."""

from __future__ import annotations

from matplotlib.figure import Figure

from markone.show.drawing import COLOURS, GREY, new_axes
from markone.tables.comparing import comparison_text
from markone.tables.comparing.comparison import ModelComparison


def draw_difference_diagram(found: ModelComparison) -> Figure:
    """Draw the diagram, best model on top; the bars at the left edge are `ModelComparison.runs`."""
    n, runs = len(found.entries), found.runs
    with new_axes((5.0, 0.9 + 0.24 * n)) as axes:
        for k, entry in enumerate(found.entries):
            shown = entry.estimates[found.measure]
            axes.plot([shown.low, shown.high], [k, k], color=GREY, linewidth=0.9)
            axes.plot(shown.mean, k, "o", color=COLOURS[0], markersize=4)
            axes.text(
                1.02,
                k,
                comparison_text.format_fit_time(entry),
                transform=_axis_model_transform(axes),
                va="center",
                fontsize=7,
            )
        axes.axvline(found.trivial, color=GREY, linewidth=0.7, linestyle=":")
        axes.text(
            1.02, -0.95, "one fit", transform=_axis_model_transform(axes), va="center", fontsize=7, color=GREY
        )
        for k, (first, last) in enumerate(runs):
            position = -0.02 - 0.016 * k
            look = {"color": COLOURS[1], "linewidth": 2.2, "solid_capstyle": "butt", "clip_on": False}
            axes.plot(
                [position] * 2, [first - 0.25, last + 0.25], transform=_axis_model_transform(axes), **look
            )
        axes.set_yticks(range(n), [entry.name for entry in found.entries])
        axes.tick_params(axis="y", length=0, pad=8 + 5 * len(runs))
        axes.spines["left"].set_visible(False)
        axes.set(ylim=(n - 0.4, -0.6), xlabel=comparison_text.measure_title(found))
    figure: Figure = axes.figure
    return figure


def _axis_model_transform(axes: object) -> object:
    """Transform with x in axes units and y in model index."""
    return axes.get_yaxis_transform()  # type: ignore[attr-defined]
