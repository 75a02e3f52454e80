"""Common style of displays: classes differ in colour, shape and fill, so that they are distinct in grey."""

from typing import Any

import numpy as np

from markone.numerics.arrays import Array

PLUS, MINUS, THIRD, FOURTH, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "0.5"
COLOURS = [PLUS, MINUS, THIRD, FOURTH, "#E69F00", "#56B4E9", "#000000", "#999999"]
MARKS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "p"]
BAND = "#F0E442"


def ink_colour() -> str:
    """Colour of lines and text: the text colour of the current style."""
    import matplotlib as mpl

    return str(mpl.rcParams["text.color"])


def paper_colour() -> str:
    """Background colour of the current style."""
    import matplotlib as mpl

    return str(mpl.rcParams["axes.facecolor"])


def class_colour(k: int) -> str:
    return COLOURS[k % len(COLOURS)]


def _class_marker(k: int) -> str:
    return MARKS[k % len(MARKS)]


def draw_classes(ax: Any, points: Array, codes: Array, names: Any, **look: Any) -> None:
    """Draw points of the plane with the marker and colour of their class; codes are indices into names."""
    for c, name in enumerate(names):
        own = points[codes == c].T
        ax.plot(*own, _class_marker(c), color=class_colour(c), mew=0, ls="none", label=str(name), **look)


def draw_prototypes(ax: Any, prototypes: Array, of_class: Array, size: float) -> None:
    """Draw prototypes as large outlined markers of their classes."""
    edge = ax.xaxis.label.get_color()
    for w, c in zip(prototypes, of_class, strict=True):
        ax.plot(*w, _class_marker(c), color=class_colour(c), ms=size, mec=edge, mew=1.5)


def draw_regions(ax: Any, x: Array, y: Array, codes: Array, n_classes: int, alpha: float) -> None:
    """Shade the plane by the class index at each point of a grid."""
    from matplotlib.colors import ListedColormap

    shades, top = ListedColormap([class_colour(c) for c in range(n_classes)]), max(n_classes - 1, 1)
    ax.pcolormesh(x, y, codes, cmap=shades, vmin=0, vmax=top, alpha=alpha, rasterized=True)


def plane_axes(low: Array, high: Array, margin: Any, count: int) -> tuple[Array, Array, Array]:
    """x and y of a grid over the plane from low - margin to high + margin, and its points (count^2, 2)."""
    x, y = (np.linspace(a, b, count) for a, b in zip(low - margin, high + margin, strict=True))
    return x, y, np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def square_around(points: Array) -> tuple[Array, float]:
    """Centre, and half the side, of a square around points of the plane with a small margin."""
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2, 0.58 * float((high - low).max() or 1.0)


def square_extent(points: Array) -> list[float]:
    """left, right, bottom, top of a square around the points."""
    centre, reach = square_around(points)
    return [float(v) for v in (centre[0] - reach, centre[0] + reach, centre[1] - reach, centre[1] + reach)]


def class_styles() -> tuple[tuple[int, str, str, str], ...]:
    """(label, edge colour, marker, fill) per class: S = +1 is a filled disc, S = -1 an open square."""
    return ((1, PLUS, "o", PLUS), (-1, MINUS, "s", paper_colour()))


def single_axes(ax: Any, **options: Any) -> tuple[Any, Any]:
    """Return (axes, figure), new ones if none are given."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(layout="constrained", **options)
    return ax, ax.figure


def panel_figure(ax: Any, figure: Any, **options: Any) -> Any:
    """Figure for panels: the given one, a subfigure in place of `ax`, or a new one."""
    if ax is not None:
        ax.set_axis_off()
        return ax.figure.add_subfigure(ax.get_subplotspec())
    if figure is not None:
        return figure
    import matplotlib.pyplot as plt

    return plt.figure(layout="constrained", **options)


def format_label(label: Any) -> str:
    """Format a label: +1, -1, or its text."""
    if isinstance(label, (int, float)) or hasattr(label, "dtype"):
        try:
            value = float(label)
        except (TypeError, ValueError):
            return str(label)
        return f"{value:+.0f}" if abs(value) == 1 else f"{value:g}"
    return str(label)


def draw_vector(
    ax: Any, start: Any, end: Any, colour: str | None = None, width: float = 1.6, **options: Any
) -> Any:
    """Draw an arrow from start to end in data coordinates."""
    look = {
        "arrowstyle": "-|>",
        "color": colour or ink_colour(),
        "lw": width,
        "shrinkA": 0,
        "shrinkB": 0,
    } | options
    return ax.annotate("", end, start, arrowprops=look, zorder=5)


def annotate_point(ax: Any, place: Any, text: str, colour: str | None = None, shift: Any = (4, 4)) -> Any:
    """Annotate a point with a short label on a small background box; shift in points."""
    box = {"boxstyle": "round,pad=0.1", "facecolor": paper_colour(), "edgecolor": "none", "alpha": 0.75}
    return ax.annotate(
        text, place, shift, textcoords="offset points", color=colour or ink_colour(), bbox=box, zorder=6
    )


def draw_line(ax: Any, w: Array, level: float = 0.0, **options: Any) -> Any:
    """Draw the line w1 x1 + w2 x2 + w0 = level of w = (w1, w2, w0); None if w1 = w2 = 0."""
    square = float(w[0] ** 2 + w[1] ** 2)
    if square == 0:
        return None
    foot = (level - w[2]) * w[:2] / square
    return ax.axline(foot, (foot[0] - w[1], foot[1] + w[0]), **options)
