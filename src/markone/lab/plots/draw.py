"""Draw one figure of a declaration: lines, a map, a surface, or the scenario's own picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import markone
from markone.lab.plots.drawn_figure import Drawn
from markone.lab.plots.lines import draw_lines
from markone.lab.plots.maps import draw_map, draw_surface
from markone.lab.plots.style import display_text
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.statistics import as_points
from markone.numerics.text import unknown_name_text
from markone.show.drawing import DOUBLE, apply_style_file, markone_style, parse_width
from markone.show.drawing import apply_dark_mode as turned

VERSION = f"markone {markone.__version__}"

# Width in inches (None: by the content) and the scale of letters and marks.
SIZES: dict[str, tuple[float | None, float]] = {
    "column": (None, 1.0),
    "double": (DOUBLE, 1.0),
    "slide": (11.0, 1.6),
    "poster": (20.0, 2.9),
}
SCALED = ["font.size", "axes.labelsize", "axes.titlesize", "xtick.labelsize", "ytick.labelsize"]
SCALED += [
    "legend.fontsize",
    "legend.title_fontsize",
    "lines.linewidth",
    "axes.linewidth",
    "lines.markersize",
]


def draw_declared_figure(
    declaration: Declaration,
    points: Sequence[Point],
    figure: Any,
    width: str | float | None = None,
    size: str = "column",
    axes: Axes | None = None,
    dark: bool = False,
    style: str | Path | None = None,
) -> Drawn:
    """Draw one figure of the declaration, `width` inches wide, or "86mm", or in one of SIZES.

    On `axes`, if given, in their style and size; otherwise with the fonts and lines of the file `style`, if
    given, and on a `dark` background if requested.
    """
    if size not in SIZES:
        raise ValueError(unknown_name_text("size", size, SIZES))
    kind = getattr(figure, "kind", None) or "lines"
    if kind not in KINDS:
        raise ValueError(f"A figure cannot be of kind {kind!r}. Choose one of {', '.join(KINDS)}.")
    if axes is not None:
        return _draw_on_axes(declaration, points, figure, kind, axes)
    wide, scale = SIZES[size]
    wide = parse_width(width) or wide
    with markone_style():
        settings: Any = matplotlib.rcParams
        for key in SCALED:
            settings[key] *= scale
        apply_style_file(style)
        drawn = Drawn(figure.name, Figure(layout="constrained"), style=style)
        drawn.title = f"{getattr(declaration, 'title', '')}: {figure.name}".removeprefix(": ")
        drawn.description = f"{getattr(declaration, 'name', '')}, seed {declaration.seed}, {VERSION}"
        FigureCanvasAgg(drawn.figure)
        KINDS[kind](drawn, declaration, points, figure, wide)
        drawn.figure.draw_without_rendering()
        if dark:
            turned(drawn.figure)
        drawn.figure.set_layout_engine(None)  # the layout is computed once, not for each file
    return drawn


def _draw_on_axes(
    declaration: Declaration, points: Sequence[Point], figure: Any, kind: str, axes: Axes
) -> Drawn:
    if kind != "lines":
        raise ValueError(f"A figure of kind {kind!r} makes its own axes: leave out ax.")
    whole = axes.get_figure(root=True)
    assert whole is not None
    drawn = Drawn(figure.name, whole)
    draw_lines(drawn, declaration, points, figure, None, axes)
    return drawn


def _draw_picture(
    drawn: Drawn, declaration: Any, points: Sequence[Any], figure: Any, width: float | None
) -> None:
    """Draw a picture in its own size, or with the given width in the same proportions."""
    picture = declaration.scenario_object.pictures[figure.picture]
    wide, high = picture.size
    drawn.figure.set_size_inches(width or wide, high * (width or wide) / wide)
    chosen = [p for p in as_points(points).select(figure.where, declaration.fixed) if p.repeats]
    if chosen:
        picture.draw(drawn.figure, chosen, declaration.seed)
        # Replace names in titles and legends of a picture by display names: k-NN for knn.
        for axes in drawn.figure.axes:
            axes.set_title(display_text(axes.get_title()))
            legend = axes.get_legend()
            for text in legend.get_texts() if legend else ():
                text.set_text(display_text(text.get_text()))
        # Axes of a fixed shape get other ticks when they shrink: the layout is computed twice.
        drawn.figure.draw_without_rendering()
    else:
        drawn.figure.text(0.5, 0.5, "nothing has been measured here", ha="center", va="center")


KINDS: dict[str, Callable[..., None]] = {
    "lines": draw_lines,
    "map": draw_map,
    "surface": draw_surface,
    "picture": _draw_picture,
}
