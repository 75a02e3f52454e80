"""Figures of a document that need several experiments, or theory alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from markone.base.plot_style import COLOURS
from markone.lab.result import Result
from markone.lab.scenario import Point
from markone.perceptron.theory import capacity

READER, LARGE, FINEST = (5, 20, 100), "capacity_report", "capacity_report_1000"


def with_first_repeats(result: Result, repeats: int) -> Result:
    """The result with the first runs of each point only, as many as a document has."""
    return replace(result, points=[_first_runs(point, repeats) for point in result.points])


def _first_runs(point: Point, repeats: int) -> Point:
    kept = point.numbers < repeats
    values = {measure: np.asarray(found)[kept] for measure, found in point.values.items()}
    return replace(point, values=values, numbers=point.numbers[kept], repeats=int(kept.sum()))


def join_marks(figure: Any) -> None:
    """Join the marks of each line, as the documents do."""
    for axes in figure.axes:
        for bars in axes.containers:
            bars.lines[0].set(linestyle="-", linewidth=0.8)


def draw_cover(figure: Any, results: Mapping[str, Any] | None = None) -> None:
    """Fig. 6 of the storage report: Cover's fraction over alpha. P is an integer: the curves have steps."""
    axes = figure.subplots()
    for k, N in enumerate(READER):
        alpha = np.arange(0.5, 4.0, 0.002)
        fraction = capacity.separable_fraction(np.maximum(np.rint(alpha * N), 1).astype(int), N)
        axes.plot(alpha, fraction, color=COLOURS[k], drawstyle="steps-mid", label=f"N = {N}")
    _label_axes(axes, "separable fraction $P_{ls}$")


def draw_large_experiment(figure: Any, results: Mapping[str, Any]) -> None:
    """Fig. 5 of the storage report: the fraction of learned sets for all five N, joined by lines."""
    axes = figure.subplots()
    curves = [
        curve for name in (LARGE, FINEST) if name in results for curve in _learned_curves(results[name])
    ]
    for k, (N, alpha, fraction) in enumerate(curves):
        axes.plot(alpha, fraction, color=COLOURS[k % len(COLOURS)], lw=0.9, label=f"N = {N}")
    _label_axes(axes, "learned within 100 sweeps $Q_{ls}$")


def _learned_curves(result: Any) -> list[tuple[int, Any, Any]]:
    """(N, alpha, fraction of sets learned) for each N of a storage experiment."""
    found: dict[int, list[tuple[float, float]]] = {}
    for point in result.points:
        if point.repeats:
            fraction = float(np.mean(point.values["converged"]))
            found.setdefault(point.parameters["N"], []).append((point.parameters["alpha"], fraction))
    return [(N, *np.array(sorted(pairs)).T) for N, pairs in sorted(found.items())]


def _label_axes(axes: Any, ylabel: str) -> None:
    axes.axvline(2, color="0.6", lw=0.6, ls=":")
    axes.axhline(0.5, color="0.6", lw=0.6, ls=":")
    axes.set(xlabel="$\\alpha = P/N$", ylabel=ylabel, xlim=(0.5, 4.0), ylim=(-0.02, 1.02))
    axes.legend()


DRAWINGS: dict[str, Callable[..., None]] = {"storage-5": draw_large_experiment, "storage-6": draw_cover}
