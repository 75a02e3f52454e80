"""Pictures: the scenario draws, the lab gives it the points and an empty figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markone.lab.figures import Drawn
from markone.lab.seeing.where import matches
from markone.lab.summary import parameters_of


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
