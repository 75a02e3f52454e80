"""A drawn figure with its numbers and its files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from matplotlib.figure import Figure

from markone.lab.statistics import Line
from markone.numerics.arrays import Floats
from markone.numerics.files import escape_formula, write_atomically
from markone.show.drawing import UNDATED, figure_bytes
from markone.show.page import inline_svg

USE = re.compile("<use [^>]*/>")


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
    hover: dict[str, list[str]] = field(default_factory=dict)  # a text for each mark, by id in the SVG
    files: dict[str, bytes] = field(default_factory=dict)
    title: str = ""  # title and description in the metadata of the files
    description: str = ""
    style: str | Path | None = None  # a style file

    def save(self, path: str | Path) -> Path:
        """Write the figure; the suffix determines the format (.svg, .png, .pdf). The numbers that are drawn
        are written beside it, as <name>-numbers.csv."""
        path = Path(path)
        if path.suffix[1:] not in UNDATED:
            raise ValueError(
                f"{path.name} must end in .{', .'.join(UNDATED)}: the ending chooses the format."
            )
        write_atomically(path, rendered_bytes(self, path.suffix[1:]))
        _write_numbers(self, path)
        return path

    def _repr_png_(self) -> bytes:
        return rendered_bytes(self, "png")


def save_formats(drawn: Drawn, folder: Path, formats: Sequence[str] = ("svg", "png", "pdf")) -> list[Path]:
    """Write the figure once per format; equal points give equal files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{drawn.name}.{suffix}" for suffix in formats]
    for path in paths:
        path.write_bytes(rendered_bytes(drawn, path.suffix[1:]))
    _write_numbers(drawn, paths[0])
    return paths


def _write_numbers(drawn: Drawn, path: Path) -> None:
    """Write all numbers that are drawn beside the figure; no file for a picture."""
    rows = [
        [kind, s.label, s.measure, x, y, mean, low, high]
        for kind, drawn_series in (("mean", drawn.means), ("theory", drawn.theory), ("pull", drawn.pulls))
        for s in drawn_series
        for x, y, mean, low, high in zip_longest(
            s.x, s.y or [], s.mean.tolist(), *(_as_list(ends) for ends in (s.low, s.high)), fillvalue=""
        )
    ]
    rows += [["mark", place.label, place.title, place.x, "", "", "", ""] for place in drawn.marks]
    if rows:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["kind", "line", "measure", "x", "y", "value", "low", "high"])
        writer.writerows([escape_formula(cell) for cell in row] for row in rows)
        write_atomically(path.with_name(f"{path.stem}-numbers.csv"), text.getvalue().encode())


def _as_list(values: Floats | None) -> list[float]:
    return [] if values is None else values.tolist()


def rendered_bytes(drawn: Drawn, suffix: str) -> bytes:
    """The bytes of the file, cached."""
    if suffix not in drawn.files:
        drawn.files[suffix] = figure_bytes(drawn.figure, suffix, drawn.title, drawn.description, drawn.style)
    return drawn.files[suffix]


def inline_drawing(drawn: Drawn, caption: str, name: str | None = None) -> Markup:
    """The figure as part of a page, in which each mark has its numbers as a tooltip."""
    svg = rendered_bytes(drawn, "svg").decode()
    for place, texts in drawn.hover.items():
        start = svg.index(f'<g id="{place}">')
        end = svg.index("</g>", start)
        svg = svg[:start] + _add_tooltips(svg[start:end], texts) + svg[end:]
    return inline_svg(svg, name or drawn.name, caption, drawn.figure.get_figwidth())


def _add_tooltips(marks: str, texts: Sequence[str]) -> str:
    if len(USE.findall(marks)) != len(texts):
        return marks  # some are not drawn: better no text than that of another mark
    left = iter(texts)
    return USE.sub(lambda found: f"{found[0][:-2]}><title>{escape(next(left))}</title></use>", marks)
