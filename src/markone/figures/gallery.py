"""The register of figures: found in the folders, drawn in three sizes into any format."""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markone.numerics.text import no_such

PACKAGE = "markone.figures"
# Width in inches and size of the letters in points: a column of a paper, a slide, a poster.
SIZES = {"column": (6.6, 8.0), "slide": (11.0, 13.0), "poster": (20.0, 23.0)}
ENDINGS = (".png", ".svg", ".pdf")


@dataclass(frozen=True)
class Figure:
    """One entry: its number or name, what it shows, width to height, and who draws it."""

    number: str
    title: str
    size: tuple[float, float]
    module: str

    def draw(self, figure: Any) -> None:
        function: Callable[[Any], None] = importlib.import_module(self.module).draw
        function(figure)


def _order(figure: Figure) -> tuple[bool, list[int], str]:
    parts = figure.number.split(".")
    known = all(part.isdigit() for part in parts)
    return (not known, [int(part) for part in parts] if known else [], figure.number)


@cache
def catalogue() -> tuple[Figure, ...]:
    """All figures, by number; those of the reports after them, by name."""
    root = importlib.import_module(PACKAGE)
    found = []
    for folder in pkgutil.iter_modules(root.__path__, f"{PACKAGE}."):
        if not folder.ispkg:
            continue
        package = importlib.import_module(folder.name)
        for file in pkgutil.iter_modules(package.__path__, f"{folder.name}."):
            module = importlib.import_module(file.name)
            if hasattr(module, "NUMBER"):
                found.append(Figure(module.NUMBER, module.TITLE, module.SIZE, file.name))
    return tuple(sorted(found, key=_order))


def find(number: str) -> Figure:
    """By number ("3.4") or name ("stability-3")."""
    figures = {figure.number: figure for figure in catalogue()}
    if number not in figures:
        raise ValueError(no_such("figure", number, figures) + " `markone figure` lists them.")
    return figures[number]


def draw(number: str, out: Any = None, *, size: str = "column", dark: bool = False) -> Any:
    """Draw one figure; write it where `out` is given (.png, .svg or .pdf), and return matplotlib's figure.

    `dark` draws light on dark paper, for slides that are dark.
    """
    if size not in SIZES:
        raise ValueError(f"size is {size!r}: choose {', '.join(SIZES)}.")
    if out is not None and Path(out).suffix.lower() not in ENDINGS:
        raise ValueError(f"{Path(out).name}: write {', '.join(ENDINGS)}.")
    entry = find(number)
    from matplotlib import style
    from matplotlib.figure import Figure as Canvas

    from markone.show.dark import dark as turned

    width, letters = SIZES[size]
    shrink, height = entry.size[0], width * entry.size[0] * entry.size[1]
    # From the defaults: a figure of the notes does not depend on the style of the session.
    with style.context(["default", _look(letters)]):
        canvas = Canvas(figsize=(width * shrink, height), layout="constrained")
        entry.draw(canvas)
        if dark:
            turned(canvas)
        if out is not None:
            # SVG without a date and with fixed ids: the same figure is the same file.
            told: dict[str, Any] = {"metadata": {"Date": None}} if Path(out).suffix.lower() == ".svg" else {}
            canvas.savefig(out, dpi=200, **told)
    return canvas


def _look(letters: float) -> Any:
    scale = letters / 10
    return {
        "font.size": letters,
        "axes.titlesize": letters,
        "lines.linewidth": 1.4 * scale,
        "axes.linewidth": 0.7 * scale,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
        "svg.hashsalt": "markone",
        "svg.fonttype": "path",
    }
