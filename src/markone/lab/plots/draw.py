"""Draw one figure of a declaration: lines, a map, a surface, or the scenario's own picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from markone.lab.plots.drawn import Drawn
from markone.lab.plots.lines import draw_lines
from markone.lab.plots.maps import draw_map, draw_surface
from markone.lab.scenario import Point
from markone.lab.schema import Declaration, matches
from markone.lab.statistics import parameters_of
from markone.show.drawing import styled


def draw(declaration: Declaration, points: Sequence[Point], figure: Any, width: float | None = None) -> Drawn:
    """Draw one figure of the declaration, `width` inches wide (3.4: one column, 7: two)."""
    kind = getattr(figure, "kind", None) or "lines"
    if kind not in KINDS:
        raise ValueError(f"A figure cannot be of kind {kind!r}. Choose one of {', '.join(KINDS)}.")
    with styled():
        drawn = Drawn(figure.name, Figure(layout="constrained"))
        FigureCanvasAgg(drawn.figure)
        KINDS[kind](drawn, declaration, points, figure, width)
        drawn.figure.draw_without_rendering()
        drawn.figure.set_layout_engine(None)  # room is made once, not again for each file
    return drawn


def draw_picture(
    drawn: Drawn, declaration: Any, points: Sequence[Any], figure: Any, width: float | None
) -> None:
    """In the picture's own size, or as wide as wanted in the same proportions."""
    picture = declaration.scenario_object.pictures[figure.picture]
    wide, high = picture.size
    drawn.figure.set_size_inches(width or wide, high * (width or wide) / wide)
    chosen = [p for p in points if p.repeats and matches(parameters_of(declaration, p), figure.where)]
    if chosen:
        picture.draw(drawn.figure, chosen, declaration.seed)
        # Axes of a fixed shape get other ticks when they shrink: room is made twice.
        drawn.figure.draw_without_rendering()
    else:
        drawn.figure.text(0.5, 0.5, "nothing has been measured here", ha="center", va="center")


KINDS: dict[str, Callable[..., None]] = {
    "lines": draw_lines,
    "map": draw_map,
    "surface": draw_surface,
    "picture": draw_picture,
}
