"""Figures of the storage report."""

from functools import partial
from typing import Any

import numpy as np

from markone.base.plot_style import COLOURS
from markone.figures.diagrams import blank_axes
from markone.figures.reports.runs import figure_of_run, figure_result, mark_preview
from markone.perceptron.theory import capacity

GIVEN = "For given $\\xi^\\mu \\in \\mathbb{R}^N$ and $S_T^\\mu \\in \\{-1, +1\\}$, $\\mu = 1, .., P$"
WEIGHTS = (
    "Perceptron storage problem (I)   (3.7)",
    GIVEN,
    "find $w \\in \\mathbb{R}^N$ with $\\mathrm{sign}(w \\cdot \\xi^\\mu) = S_T^\\mu$ for all $\\mu$.",
)
INEQUALITIES = (
    "Perceptron storage problem (II)   (3.8)",
    GIVEN,
    "find $w \\in \\mathbb{R}^N$ with $E^\\mu \\geq c > 0$ for all $\\mu$.",
)
ALGORITHM = (
    "Rosenblatt perceptron algorithm   (3.16)",
    "at step t: example $\\nu(t)$ by (3.11), $E^\\nu = w(t) \\cdot \\xi^\\nu S_T^\\nu$",
    "$w(t+1) = w(t) + \\frac{1}{N}\\, \\Theta[c - E^\\nu]\\, \\xi^\\nu S_T^\\nu$   (3.17)",
    "or $x^\\nu(t+1) = x^\\nu(t) + \\Theta[c - E^\\nu]$",
)
READER, LARGE, FINEST = (5, 20, 100), "capacity_report", "capacity_report_1000"


def _preview_changes(repeats: int, step: float, steps: int) -> tuple[tuple[str, Any], ...]:
    alpha = tuple(round(0.5 + step * k, 2) for k in range(steps))
    return ("repeats", repeats), ("max_repeats", repeats), ("alpha", alpha)


COARSE, FEWER = _preview_changes(100, 0.05, 71), _preview_changes(20, 0.1, 20)


def _draw_text_box(figure: Any, *, lines: tuple[str, ...]) -> None:
    """A box with statements of the notes."""
    ax = blank_axes(figure.subplots(), 10, 0.8 * len(lines) + 0.4)
    for k, line in enumerate(lines):
        weight = "bold" if k == 0 else "normal"
        ax.text(0.3, 0.8 * (len(lines) - k) - 0.2, line, va="center", weight=weight)
    ax.plot([0, 10, 10, 0, 0], [0, 0, *[0.8 * len(lines) + 0.4] * 2, 0], color="0.3", lw=1)


def draw_large(figure: Any) -> None:
    """The fraction of learned sets for all five N, joined by lines as in the report."""
    axes, found = figure.subplots(), [figure_result(LARGE, COARSE), figure_result(FINEST, FEWER)]
    curves: dict[int, list[tuple[float, float]]] = {}
    for point in (point for result, _ in found for point in result.points if point.repeats):
        fraction = float(np.mean(point.values["converged"]))
        curves.setdefault(point.parameters["N"], []).append((point.parameters["alpha"], fraction))
    for k, N in enumerate(sorted(curves)):
        axes.plot(*np.transpose(sorted(curves[N])), color=COLOURS[k], lw=0.9, label=f"N = {N}")
    _label_axes(axes, "learned within 100 sweeps $Q_{ls}$")
    if not all(stored for _, stored in found):
        mark_preview(figure, "100 data sets, steps of 0.05; N = 1000: 20 data sets")


def draw_cover(figure: Any) -> None:
    """Cover's fraction over alpha. P is an integer: the curves have steps."""
    axes = figure.subplots()
    for k, N in enumerate(READER):
        alpha = np.arange(0.5, 4.0, 0.002)
        fraction = capacity.separable_fraction(np.maximum(np.rint(alpha * N), 1).astype(int), N)
        axes.plot(alpha, fraction, color=COLOURS[k], drawstyle="steps-mid", label=f"N = {N}")
    _label_axes(axes, "separable fraction $P_{ls}$")


def _label_axes(axes: Any, ylabel: str) -> None:
    axes.axvline(2, color="0.6", lw=0.6, ls=":")
    axes.axhline(0.5, color="0.6", lw=0.6, ls=":")
    axes.set(xlabel="$\\alpha = P/N$", ylabel=ylabel, xlim=(0.5, 4.0), ylim=(-0.02, 1.02))
    axes.legend()


FIGURES = {
    "storage-1": (
        "The storage problem in terms of weights", (0.9, 0.26), partial(_draw_text_box, lines=WEIGHTS),
        WEIGHTS,
    ),
    "storage-2": (
        "The storage problem as inequalities", (0.9, 0.26), partial(_draw_text_box, lines=INEQUALITIES),
        INEQUALITIES,
    ),
    "storage-3": ("Rosenblatt's algorithm", (0.9, 0.34), partial(_draw_text_box, lines=ALGORITHM), ALGORITHM),
    "storage-4": figure_of_run(
        "Base experiment: fraction of sets learned and separable, N = 20, 40", (1.0, 0.5), "capacity",
        "capacity", ("N = 20", "N = 40", "converged", "separable"), changes={"repeats": 50}, joined=True,
        repeats=50,
    ),
    "storage-5": (
        "Large experiment: fraction of sets learned, N = 5 to 1000", (0.8, 0.65), draw_large,
        ("N = 5", "N = 20", "N = 40", "N = 100", "N = 1000"),
    ),
    "storage-6": (
        "Fraction of separable labelings (Cover), N = 5, 20, 100", (0.65, 0.7), draw_cover,
        ("N = 5", "N = 20", "N = 100"),
    ),
}  # fmt: skip
