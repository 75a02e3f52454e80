"""Registry of the figures: found in the folders, drawn in three sizes and any format."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any

from markone.figures.diagrams import Figure
from markone.numerics.text import unknown_name_text

# Width in inches and font size in points: a column of a paper, a slide, a poster.
SIZES = {"column": (6.6, 8.0), "double": (7.0, 8.0), "slide": (11.0, 13.0), "poster": (20.0, 23.0)}
SUFFIXES = (".png", ".svg", ".pdf")
STYLE: dict[str, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.hashsalt": "markone",
    "svg.fonttype": "path",
}


@cache
def list_figures() -> tuple[Figure, ...]:
    """All figures sorted by number, followed by those of the reports by name."""
    found = []
    for file in pkgutil.walk_packages([str(Path(__file__).parent)], "markone.figures."):
        module = importlib.import_module(file.name)
        found += [entry for entry in vars(module).values() if isinstance(entry, Figure)]
        found += [
            Figure(number, file.name, *parts) for number, parts in getattr(module, "FIGURES", {}).items()
        ]
    return tuple(sorted(found, key=lambda one: (one.number[0].isalpha(), one.number)))


def find_figure(number: str) -> Figure:
    """Return a figure by number ("3.4") or name ("stability-3")."""
    figures = {figure.number: figure for figure in list_figures()}
    if number not in figures:
        raise ValueError(unknown_name_text("figure", number, figures) + " `markone figure` lists them.")
    return figures[number]


def draw(
    number: str,
    out: Any = None,
    *,
    size: str = "column",
    width: str | float | None = None,
    dark: bool = False,
) -> Any:
    """Draw one figure, save it to `out` if given (.png, .svg or .pdf), and return the matplotlib figure.

    `width`: of the whole figure, such as "86mm", instead of that of the size. `dark`: light lines on a dark
    background, for dark slides.
    """
    if size not in SIZES:
        raise ValueError(f"size is {size!r}: choose {', '.join(SIZES)}.")
    if out is not None and Path(out).suffix.lower() not in SUFFIXES:
        raise ValueError(f"{Path(out).name}: write {', '.join(SUFFIXES)}.")
    entry = find_figure(number)
    from matplotlib import style
    from matplotlib.figure import Figure as Canvas

    from markone.show.drawing import apply_dark_mode as darken
    from markone.show.drawing import file_metadata, parse_width

    page, font = SIZES[size]
    settings = STYLE | {"font.size": font, "axes.titlesize": font}
    settings |= {"lines.linewidth": 0.14 * font, "axes.linewidth": 0.07 * font}
    wide = parse_width(width) or page * entry.size[0]
    # Start from the defaults: figures do not depend on the style of the session.
    with style.context(["default", settings]):
        canvas = Canvas(figsize=(wide, wide * entry.size[1]), layout="constrained")
        entry.draw(canvas)
        if dark:
            darken(canvas)
        if out is not None:
            # Without date and with fixed ids: equal figures give equal files.
            metadata = file_metadata(Path(out).suffix.lower()[1:], entry.title)
            canvas.savefig(out, dpi=200, metadata=metadata)
    return canvas
