"""Dark mode of figures: every colour keeps its hue and changes its lightness."""

import colorsys
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.cm import ScalarMappable
from matplotlib.collections import Collection
from matplotlib.colors import ListedColormap, to_rgba, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Annotation, Text

PAPER = 0.08  # lightness of what was white
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
    kept = {id(text) for axes in figure.axes for text in _texts_on_images(axes)}
    kept |= {id(part) for axes in figure.axes for axis in _list_axis(axes) for part in _tick_artists(axis)}
    for artist in figure.findobj():
        box = artist.get_bbox_patch() if isinstance(artist, Text) else None
        arrow = artist.arrow_patch if isinstance(artist, Annotation) else None
        parts = [part for part in (artist, box, arrow) if part is not None]
        found |= {id(part): part for part in parts if id(part) not in kept}
    return list(found.values())


def _texts_on_images(axes: Any) -> list[Text]:
    shown = any(_is_scale(image) for image in axes.images)
    return [text for text in axes.texts if shown and text.get_transform() == axes.transData]


def _is_scale(artist: Any) -> bool:
    """Whether its colours are a continuous scale or pixels, not a short list of colours."""
    chosen = artist.get_array() is not None and isinstance(artist.cmap, ListedColormap)
    return not (chosen and artist.cmap.N <= MAX_LISTED_COLOURS)


def _list_axis(axes: Any) -> list[Any]:
    return [axes.xaxis, axes.yaxis, *([axes.zaxis] if hasattr(axes, "zaxis") else [])]


def _tick_artists(axis: Any) -> list[Artist]:
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    return [part for tick in ticks for part in (tick.tick1line, tick.tick2line, tick.label1, tick.label2)]


def _recolour_artist(artist: Any) -> None:
    if isinstance(artist, Text):
        artist.set_color(_recolour_value(artist.get_color()))
    elif isinstance(artist, Line2D):
        colours = artist.get_color(), artist.get_markerfacecolor(), artist.get_markeredgecolor()
        line, face, edge = (_recolour_value(colour) for colour in colours)
        artist.set(color=line, markerfacecolor=face, markeredgecolor=edge)
    elif isinstance(artist, Patch):
        face, edge = _recolour_value(artist.get_facecolor()), _recolour_value(artist.get_edgecolor())
        artist.set(facecolor=face, edgecolor=edge)
    elif isinstance(artist, ScalarMappable) and artist.get_array() is not None and not _is_scale(artist):
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
