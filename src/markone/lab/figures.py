"""Figures from the stored points alone: means with 95 % intervals over lines of theory."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from markone.show.style import STYLE

if TYPE_CHECKING:
    from markone.lab.declare import Declaration
    from markone.lab.store import Point

SINGLE, DOUBLE = 3.4, 7.0  # inches: one and two columns of a journal
# Nothing that changes from one day to the next goes into a file.
UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
}


@dataclass(frozen=True)
class Series:
    """What was drawn: numbers, not pixels. Theory has neither low nor high, a cell of a map has a y."""

    label: str
    measure: str
    x: list[Any]
    mean: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    y: list[Any] | None = None


@dataclass(frozen=True)
class Place:
    """A vertical line: of which line of marks, what it means, and where."""

    label: str
    title: str
    x: float


@dataclass
class Drawn:
    name: str
    figure: Figure
    means: list[Series] = field(default_factory=list)
    theory: list[Series] = field(default_factory=list)
    marks: list[Place] = field(default_factory=list)
    remark: str = ""
    files: dict[str, bytes] = field(default_factory=dict)


def draw(declaration: Declaration, points: Sequence[Point], figure: Any, width: float | None = None) -> Drawn:
    """Draw one figure of the declaration, `width` inches wide (3.4: one column, 7: two)."""
    from markone.lab.seeing.drawing_lines import draw_lines
    from markone.lab.seeing.drawing_maps import draw_map, draw_surface
    from markone.lab.seeing.drawing_pictures import draw_picture

    kinds: dict[str, Callable[..., None]] = {
        "lines": draw_lines,
        "map": draw_map,
        "surface": draw_surface,
        "picture": draw_picture,
    }
    kind = getattr(figure, "kind", None) or "lines"
    if kind not in kinds:
        raise ValueError(f"A figure cannot be of kind {kind!r}. Choose one of {', '.join(kinds)}.")
    with matplotlib.rc_context(fname=STYLE):
        drawn = Drawn(figure.name, Figure(layout="constrained"))
        FigureCanvasAgg(drawn.figure)
        kinds[kind](drawn, declaration, points, figure, width)
        drawn.figure.draw_without_rendering()
        drawn.figure.set_layout_engine(None)  # room is made once, not again for each file
    return drawn


def save(drawn: Drawn, folder: Path, formats: Sequence[str] = ("svg", "png", "pdf")) -> list[Path]:
    """Write the figure once per format; equal points give equal files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{drawn.name}.{suffix}" for suffix in formats]
    for path in paths:
        path.write_bytes(rendered(drawn, path.suffix[1:]))
    return paths


def rendered(drawn: Drawn, suffix: str) -> bytes:
    """The bytes of the file, made once."""
    if suffix not in drawn.files:
        buffer = io.BytesIO()
        with matplotlib.rc_context(fname=STYLE):
            drawn.figure.savefig(buffer, format=suffix, metadata=UNDATED[suffix], transparent=suffix == "svg")
        drawn.files[suffix] = buffer.getvalue()
    return drawn.files[suffix]
