"""Registry of the figures: found in the folders, drawn in three sizes and any format."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any

from markone.figures.diagrams import Figure
from markone.numerics.text import unknown_name_text

PACKAGE = "markone.figures"
# Width in inches and font size in points: a column of a paper, a slide, a poster.
SIZES = {"column": (6.6, 8.0), "slide": (11.0, 13.0), "poster": (20.0, 23.0)}
SUFFIXES = (".png", ".svg", ".pdf")


def _sort_key(figure: Figure) -> tuple[bool, list[int], str]:
    parts = figure.number.split(".")
    known = all(part.isdigit() for part in parts)
    return (not known, [int(part) for part in parts] if known else [], figure.number)


@cache
def list_figures() -> tuple[Figure, ...]:
    """All figures sorted by number, followed by those of the reports by name."""
    root = importlib.import_module(PACKAGE)
    found = []
    for folder in pkgutil.iter_modules(root.__path__, f"{PACKAGE}."):
        if not folder.ispkg:
            continue
        package = importlib.import_module(folder.name)
        for file in pkgutil.iter_modules(package.__path__, f"{folder.name}."):
            module = importlib.import_module(file.name)
            found += [entry for entry in vars(module).values() if isinstance(entry, Figure)]
            figures = getattr(module, "FIGURES", {})
            found += [Figure(number, file.name, *parts) for number, parts in figures.items()]
    return tuple(sorted(found, key=_sort_key))


def find_figure(number: str) -> Figure:
    """Return a figure by number ("3.4") or name ("stability-3")."""
    figures = {figure.number: figure for figure in list_figures()}
    if number not in figures:
        raise ValueError(unknown_name_text("figure", number, figures) + " `markone figure` lists them.")
    return figures[number]


def draw(number: str, out: Any = None, *, size: str = "column", dark: bool = False) -> Any:
    """Draw one figure, save it to `out` if given (.png, .svg or .pdf), and return the matplotlib figure.

    `dark`: light lines on a dark background, for dark slides.
    """
    if size not in SIZES:
        raise ValueError(f"size is {size!r}: choose {', '.join(SIZES)}.")
    if out is not None and Path(out).suffix.lower() not in SUFFIXES:
        raise ValueError(f"{Path(out).name}: write {', '.join(SUFFIXES)}.")
    entry = find_figure(number)
    from matplotlib import style
    from matplotlib.figure import Figure as Canvas

    from markone.show.dark_mode import apply_dark_mode as darken

    width, font_size = SIZES[size]
    width *= entry.size[0]
    # Start from the defaults: figures do not depend on the style of the session.
    with style.context(["default", _style_settings(font_size)]):
        canvas = Canvas(figsize=(width, width * entry.size[1]), layout="constrained")
        entry.draw(canvas)
        if dark:
            darken(canvas)
        if out is not None:
            # SVG without date and with fixed ids: equal figures give equal files.
            options: dict[str, Any] = (
                {"metadata": {"Date": None}} if Path(out).suffix.lower() == ".svg" else {}
            )
            canvas.savefig(out, dpi=200, **options)
    return canvas


def _style_settings(font_size: float) -> Any:
    scale = font_size / 10
    return {
        "font.size": font_size,
        "axes.titlesize": font_size,
        "lines.linewidth": 1.4 * scale,
        "axes.linewidth": 0.7 * scale,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
        "svg.hashsalt": "markone",
        "svg.fonttype": "path",
    }
