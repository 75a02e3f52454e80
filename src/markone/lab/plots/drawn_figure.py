"""A drawn figure with its numbers and its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from markone.lab.statistics import Line
from markone.numerics.arrays import Floats
from markone.numerics.files import write_atomically
from markone.show.drawing import UNDATED, figure_bytes


@dataclass(frozen=True)
class Series:
    """Numbers of a drawn line. Theory has neither low nor high, a cell of a map has a y."""

    label: str
    measure: str
    x: list[Any]
    mean: Floats
    low: Floats | None = None
    high: Floats | None = None
    y: list[Any] | None = None


@dataclass(frozen=True)
class Place:
    """A vertical line: label of its line of marks, title, and position."""

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
    pulls: list[Series] = field(default_factory=list)  # deviations from theory, where a panel shows them
    remark: str = ""
    lines: list[Line] = field(default_factory=list)  # with all their points, where there are lines
    files: dict[str, bytes] = field(default_factory=dict)

    def save(self, path: str | Path) -> Path:
        """Write the figure; the suffix determines the format (.svg, .png, .pdf)."""
        path = Path(path)
        if path.suffix[1:] not in UNDATED:
            raise ValueError(
                f"{path.name} must end in .{', .'.join(UNDATED)}: the ending chooses the format."
            )
        write_atomically(path, rendered_bytes(self, path.suffix[1:]))
        return path

    def _repr_png_(self) -> bytes:
        return rendered_bytes(self, "png")


def save_formats(drawn: Drawn, folder: Path, formats: Sequence[str] = ("svg", "png", "pdf")) -> list[Path]:
    """Write the figure once per format; equal points give equal files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{drawn.name}.{suffix}" for suffix in formats]
    for path in paths:
        path.write_bytes(rendered_bytes(drawn, path.suffix[1:]))
    return paths


def rendered_bytes(drawn: Drawn, suffix: str) -> bytes:
    """The bytes of the file, cached."""
    if suffix not in drawn.files:
        drawn.files[suffix] = figure_bytes(drawn.figure, suffix)
    return drawn.files[suffix]
