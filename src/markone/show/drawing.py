"""Style of all figures: one style sheet, colours for colour-blind readers, files without dates, dark mode."""

from __future__ import annotations

import colorsys
import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.collections import Collection
from matplotlib.colors import ListedColormap, to_rgba, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Annotation, Text

from markone.base.plot_style import COLOURS as COLOURS

STYLE = Path(__file__).with_name("style.mplstyle")
SINGLE, DOUBLE = 3.4, 7.0  # inches: one and two columns of a journal
UNITS = {"mm": 1 / 25.4, "cm": 1 / 2.54, "in": 1.0, "pt": 1 / 72.27}
GREY = "0.35"
# Metadata left out, so that equal figures give equal files, and the name of the description.
UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
}
DESCRIPTION = {"svg": "Description", "png": "Description", "pdf": "Subject"}


@contextmanager
def markone_style(style: str | Path | None = None) -> Iterator[None]:
    """Use markone's style sheet, independent of the user's settings, and after it a matplotlib style file."""
    with matplotlib.rc_context(fname=STYLE):
        apply_style_file(style)
        yield


def apply_style_file(style: str | Path | None) -> None:
    """Take fonts, sizes and lines from a style file, if one is given."""
    if style is None:
        return
    if not Path(style).is_file():
        raise ValueError(f"There is no style file {style}: give an .mplstyle file of matplotlib.")
    matplotlib.rcParams.update(matplotlib.rc_params_from_file(style, use_default_template=False))


def parse_width(width: str | float | None) -> float | None:
    """Inches of a width: "86mm", "17.2cm", "3.4in", "246pt" (points of TeX), or a number of inches."""
    if width is None:
        return None
    found = re.fullmatch(r"([0-9.]+) *(mm|cm|in|pt)?", str(width).strip())
    try:
        inches = float(found[1]) * UNITS[found[2] or "in"] if found else 0.0
    except ValueError:
        inches = 0.0
    if not 0.5 <= inches <= 50:
        raise ValueError(f"The width is {width!r}: write 86mm, 17.2cm, 3.4in or 246pt, at most 50in.")
    return inches


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


def file_metadata(suffix: str, title: str = "", description: str = "") -> dict[str, Any]:
    """Metadata of a file: no date, and title and description if there are any."""
    described = {"Title": title, DESCRIPTION[suffix]: description}
    return UNDATED[suffix] | {key: text for key, text in described.items() if text}


def figure_bytes(
    figure: Figure, suffix: str, title: str = "", description: str = "", style: str | Path | None = None
) -> bytes:
    """The figure as an svg, png or pdf file; equal figures give equal bytes."""
    buffer, metadata = io.BytesIO(), file_metadata(suffix, title, description)
    white = to_rgba(figure.get_facecolor())[:3] == (1.0, 1.0, 1.0)  # transparent, to match the page
    with markone_style(style), _ignore_missing_glyphs():
        figure.savefig(buffer, format=suffix, metadata=metadata, transparent=white and suffix == "svg")
    return buffer.getvalue()


PAPER = 0.08  # lightness of what was white
COLOUR_PROPERTIES: dict[Any, tuple[str, ...]] = {
    Text: ("color",),
    Line2D: ("color", "markerfacecolor", "markeredgecolor"),
    Patch: ("facecolor", "edgecolor"),
}
MAX_LISTED_COLOURS = 16  # a colormap with at most this many colours is a list of chosen colours, not a scale


def apply_dark_mode(figure: Figure) -> Figure:
    """Recolour a finished figure: light lines on a dark background. Images, colour scales and text on them
    are unchanged.
    """
    for axes in figure.axes:
        for axis in _list_axis(axes):
            # Ticks created later take their colour from here.
            axis.set_tick_params(which="both", colors=str(1 - PAPER))
    for artist in _all_artists(figure):
        _recolour_artist(artist)
    return figure


def invert_lightness(colours: Any) -> Any:
    """Return RGBA rows with lightness l replaced by 1 - l (1 - PAPER)."""
    rows = np.array(to_rgba_array(colours))
    for row in rows:
        hue, light, strength = colorsys.rgb_to_hls(*row[:3])
        row[:3] = colorsys.hls_to_rgb(hue, 1 - light * (1 - PAPER), strength)
    return rows


def _all_artists(figure: Figure) -> list[Artist]:
    """All artists, each once; boxes and arrows of texts are not among their children."""
    found: dict[int, Artist] = {}
    kept: set[int] = set()
    for axes in figure.axes:
        if any(_is_scale(image) for image in axes.images):
            kept |= {id(text) for text in axes.texts if text.get_transform() == axes.transData}
        for axis in _list_axis(axes):
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                kept |= set(map(id, (tick.tick1line, tick.tick2line, tick.label1, tick.label2)))
    for artist in figure.findobj():
        box = artist.get_bbox_patch() if isinstance(artist, Text) else None
        arrow = artist.arrow_patch if isinstance(artist, Annotation) else None
        parts = [part for part in (artist, box, arrow) if part is not None]
        found |= {id(part): part for part in parts if id(part) not in kept}
    return list(found.values())


def _is_scale(artist: Any) -> bool:
    """Whether its colours are a continuous scale or pixels, not a short list of colours."""
    chosen = artist.get_array() is not None and isinstance(artist.cmap, ListedColormap)
    return not (chosen and artist.cmap.N <= MAX_LISTED_COLOURS)


def _list_axis(axes: Any) -> list[Any]:
    return [axes.xaxis, axes.yaxis, *([axes.zaxis] if hasattr(axes, "zaxis") else [])]


def _recolour_artist(artist: Any) -> None:
    for kind, names in COLOUR_PROPERTIES.items():
        if isinstance(artist, kind):
            artist.set(**{name: _recolour_value(getattr(artist, f"get_{name}")()) for name in names})
    if isinstance(artist, ScalarMappable) and artist.get_array() is not None and not _is_scale(artist):
        few: Any = artist.cmap
        artist.set_cmap(ListedColormap(invert_lightness(few.colors)))
    elif isinstance(artist, Collection):
        if artist.get_array() is None:
            artist.set_facecolor(invert_lightness(artist.get_facecolor()))
        artist.set_edgecolor(invert_lightness(artist.get_edgecolor()))


def _recolour_value(colour: Any) -> Any:
    """Recolour one value; "none" and "auto" are unchanged."""
    if isinstance(colour, str) and colour in ("none", "auto"):
        return colour
    return tuple(invert_lightness([to_rgba(colour)])[0])
