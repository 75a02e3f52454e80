"""Style of all figures: one style sheet, colours for colour-blind readers, files without dates."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from markone.base.plot_style import COLOURS as COLOURS

STYLE = Path(__file__).with_name("style.mplstyle")
SINGLE, DOUBLE = 3.4, 7.0  # inches: one and two columns of a journal
GREY = "0.35"
# Metadata left out, so that equal figures give equal files.
UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
}


@contextmanager
def markone_style() -> Iterator[None]:
    """Use markone's style sheet, independent of the user's settings."""
    with matplotlib.rc_context(fname=STYLE):
        yield


@contextmanager
def _ignore_missing_glyphs() -> Iterator[None]:
    """Suppress warnings about glyphs missing from the font; in an SVG the browser provides them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
        yield


@contextmanager
def new_axes(size: tuple[float, float]) -> Iterator[Any]:
    """New axes on a figure of this size in inches; the layout is computed once, at the end.

    Text comes from users' tables: $ is not parsed as mathematics.
    """
    with markone_style(), matplotlib.rc_context({"text.parse_math": False}), _ignore_missing_glyphs():
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        yield figure.add_subplot()
        figure.draw_without_rendering()
        figure.set_layout_engine("none")


def figure_bytes(figure: Figure, suffix: str) -> bytes:
    """The figure as an svg, png or pdf file; equal figures give equal bytes."""
    buffer = io.BytesIO()
    white = to_rgba(figure.get_facecolor())[:3] == (1.0, 1.0, 1.0)  # transparent, to match the page
    with markone_style(), _ignore_missing_glyphs():
        figure.savefig(buffer, format=suffix, metadata=UNDATED[suffix], transparent=white and suffix == "svg")
    return buffer.getvalue()
