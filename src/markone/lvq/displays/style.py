"""Colours and markers of the classes, the same on every display, distinguishable without colour."""

from typing import Any

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999"]
MARKS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "p"]


def class_colour(k: int) -> str:
    return COLOURS[k % len(COLOURS)]


def class_marker(k: int) -> str:
    return MARKS[k % len(MARKS)]


def axes_and_figure(ax: Any) -> tuple[Any, Any]:
    """(axes, figure): as given, or new ones."""
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(layout="constrained")
    return ax, ax.figure
