"""Common parts of the figures of the stability report: eps_g(alpha) of MinOver and Rosenblatt."""

from typing import Any

import numpy as np

from markone import MinOver, Rosenblatt
from markone.show import LearningCurveDisplay

# N and repeats are smaller than in the report (200 and 50), for speed.
N, REPEATS, SWEEPS = 50, 12, 60
ALPHA = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0)
MINOVER = MinOver(stop="never", max_iter=SWEEPS, fit_intercept=False)
ROSENBLATT = Rosenblatt(max_iter=SWEEPS, fit_intercept=False)


def measure_curves(students: dict[str, Any], noise: float) -> LearningCurveDisplay:
    """Measure the curves at one noise level; the caller draws them."""
    from matplotlib.figure import Figure

    unused = Figure().subplots()
    return LearningCurveDisplay.from_estimators(students, ALPHA, N=N, repeats=REPEATS, noise=noise, ax=unused)


def plot_curve(ax: Any, display: LearningCurveDisplay, name: str, **look: Any) -> None:
    mean, error = display.measured[name]
    ax.errorbar(display.alpha, mean, error, capsize=2, **look)


def label_axes(ax: Any) -> None:
    ax.axhline(0.5, color="0.6", lw=0.6, ls=":")
    ax.set(xlabel="$\\alpha = P/N$", ylabel="$\\epsilon_g$", ylim=(0, 0.52), xlim=(0, np.max(ALPHA) * 1.04))
    ax.set_title(f"N = {N}, {REPEATS} data sets, {SWEEPS} sweeps", fontsize="small")
