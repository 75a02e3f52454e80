"""`animate`: a history as an HTML page, a strip of panels as Fig. 3.4, a GIF or an MP4."""

import json
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from markone.base.history import History
from markone.base.plot_style import (
    COLOURS,
    GREY,
    MARKS,
    MINUS,
    PLUS,
    THIRD,
    class_styles,
    draw_line,
    draw_vector,
    ink_colour,
    panel_figure,
)
from markone.show.histories import history_of, split_inputs_weights
from markone.show.player.film import make_film, select_rows
from markone.show.projection import display_plane

STRIP_SUFFIXES = (".png", ".svg", ".pdf")
FILM_WRITERS = {".gif": "pillow", ".mp4": "ffmpeg"}


def animate(
    learned: Any, X: Any = None, y: Any = None, *, which: int = 0, most: int = 300, title: str = ""
) -> "Animation":
    """Animate the training history of an estimator.

    Parameters
    ----------
    learned : History or fitted estimator
        An estimator needs a history (`record="updates"`).
    X, y : array or None, default=None
        The examples, needed only where the estimator keeps none (`BayesPoint`).
    which : int, default=0
        Index of the binary problem, for several classes.
    most : int, default=300
        Largest number of frames; longer histories are thinned evenly, with a note.
    title : str, default=""
        Title of the animation.

    Returns
    -------
    Animation
        Displayed in a notebook; `save` writes it.

    Examples
    --------
    >>> from markone import MinOver
    >>> from markone.data import two_classes
    >>> from markone.show import animate
    >>> xi, S, _ = two_classes("halo", 20)
    >>> type(animate(MinOver(record="updates").fit(xi, S))).__name__
    'Animation'
    """
    history = history_of(learned, X, y, which=which)
    student = None if isinstance(learned, History) else learned
    return Animation(history, make_film(history, most=most, title=title, student=student), most)


class Animation:
    """An animation, displayed in a notebook.

    `save` writes .html, .gif, .mp4, or a strip as .png, .svg, .pdf. Returned by `animate`.

    Parameters
    ----------
    history : History
        The recorded history.
    film : dict
        Data for the player, as made by `animate`.
    most : int, default=300
        Largest number of frames.
    """

    def __init__(self, history: History, film: dict[str, Any], most: int = 300) -> None:
        self.history, self.film, self.most = history, film, most

    def html(self) -> str:
        """Return a self-contained HTML page."""
        from jinja2 import Environment

        static = files("markone.show") / "static"
        parts = ("player.html", "player.css", "player.js")
        page, css, script = ((static / name).read_text(encoding="utf-8") for name in parts)
        # Inside <script> only "</" and "<!--" are special.
        film = json.dumps(self.film, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
        template = Environment(autoescape=True).from_string(page)
        return template.render(title=self.film["title"], css=css, script=script, film=film)

    def _repr_html_(self) -> str:
        look = "width:100%;height:640px;border:0"
        title, page = escape(self.film["title"]), escape(self.html())
        return f'<iframe sandbox="allow-scripts" style="{look}" title="{title}" srcdoc="{page}"></iframe>'

    def strip(self, rows: Any = None, *, columns: int = 6, figure: Any = None) -> Any:
        """Return a matplotlib figure with a panel for each given row of the history (default: six)."""
        chosen = select_rows(self.history, 6) if rows is None else np.asarray(rows, dtype=int)
        wrong = chosen[(chosen < 0) | (chosen >= len(self.history))]
        if len(wrong):
            raise ValueError(
                f"There is no row {wrong[0]}: the history has rows 0 to {len(self.history) - 1}."
            )
        columns = min(columns, len(chosen))
        lines = -(-len(chosen) // columns)
        figure = panel_figure(None, figure, figsize=(2.1 * columns, 2.3 * lines))
        axes = figure.subplots(lines, columns, squeeze=False).ravel()
        for ax in axes[len(chosen) :]:
            ax.set_axis_off()
        for ax, row in zip(axes, chosen, strict=False):
            draw_panel(ax, self.film, self.history, int(row))
        return figure

    def save(self, path: Any, *, rows: Any = None, seconds: float = 0.4) -> Path:
        """Write a file in the format of its suffix. rows : panels of a strip. seconds : per frame."""
        target = Path(path)
        ending = target.suffix.lower()
        if ending in (".html", ".htm"):
            target.write_text(self.html(), encoding="utf-8")
        elif ending in STRIP_SUFFIXES:
            self.strip(rows).savefig(target)
        elif ending in FILM_WRITERS:
            self._save_film(target, FILM_WRITERS[ending], seconds)
        else:
            known = ", ".join([".html", *FILM_WRITERS, *STRIP_SUFFIXES])
            raise ValueError(f"{target.name}: the suffix {ending!r} is not one of {known}.")
        return target

    def _save_film(self, target: Path, writer: str, seconds: float) -> None:
        from matplotlib import animation
        from matplotlib.figure import Figure

        if not animation.writers.is_available(writer):
            advice = "pip install pillow" if writer == "pillow" else "install ffmpeg, or save a .gif or .html"
            raise ValueError(f"{target.name} needs {writer}, which is not installed: {advice}.")
        figure = Figure(figsize=(4, 4.2), layout="constrained")
        ax = figure.add_subplot()
        rows = select_rows(self.history, min(self.most, 120))

        def frame(k: int) -> list[Any]:
            ax.clear()
            draw_panel(ax, self.film, self.history, int(rows[k]))
            return []

        film = animation.FuncAnimation(figure, frame, frames=len(rows), interval=1000 * seconds)
        film.save(target, writer=writer)


def draw_panel(ax: Any, film: dict[str, Any], history: History, row: int) -> None:
    """Draw the student before step `row`, the presented example, and the update."""
    from matplotlib.colors import ListedColormap

    ax.set(xticks=[], yticks=[], aspect="equal")
    ax.set_title(_panel_title(history, row), fontsize="small")
    # Long histories have fewer frames than rows: the first one at or after this step.
    frame = next(frame for frame in film["frames"] if frame["step"] >= history["step"][row])
    cells: Any = history.states["cells"][row] if "cells" in history.states else [*frame.get("cells", "")]
    if film["kind"] == "memory":
        ax.imshow(np.reshape(cells, film["shape"]), cmap="gray_r", vmin=-1, vmax=1)
        return
    if film["kind"] == "field":
        regions = np.where(np.reshape(cells, film["shape"]).astype(float) > 0, 1, -1)
        shades = ListedColormap([MINUS, PLUS])
        ax.imshow(regions, cmap=shades, vmin=-1, vmax=1, alpha=0.2, extent=film["extent"])
    left, right, bottom, top = film["extent"]
    ax.set(xlim=(left, right), ylim=(bottom, top))
    _draw_examples(ax, film, int(history["example"][row]))
    if film["kind"] == "plane":
        _draw_weights(ax, history, row, 0.5 * (right - left))
    elif film["kind"] == "prototypes":
        for x, y, c in frame["prototypes"]:
            ax.plot(x, y, MARKS[c], color=COLOURS[c], ms=10, mec=ink_colour(), mew=1.3)


def _panel_title(history: History, row: int) -> str:
    step = history.table[row]
    if step["step"] == 0:
        return "start"
    if step["example"] < 0:
        return f"step {step['step']}"
    verbs = ("flipped", "unchanged") if "energy" in history.states else ("learned", "correct")
    verb = verbs[0] if step["change"] != 0 else verbs[1]
    return f"t = {step['step']}: {verb}"


def _draw_examples(ax: Any, film: dict[str, Any], current: int) -> None:
    points = np.array(film["points"])
    if 0 <= current < len(points):
        ax.scatter(*points[current, :2], s=190, color="0.78", lw=0, zorder=1)
    if film["kind"] == "prototypes":
        for c in np.unique(points[:, 2]).astype(int):
            ax.plot(*points[points[:, 2] == c, :2].T, MARKS[c], color=COLOURS[c], ms=3, mew=0, alpha=0.7)
        return
    for c, (_, edge, mark, fill) in enumerate(class_styles()):
        own = points[points[:, 2] == c, :2]
        ax.scatter(*own.T, s=26, marker=mark, facecolors=fill, edgecolors=edge, lw=1.2, zorder=3)


def _draw_weights(ax: Any, history: History, row: int, reach: float) -> None:
    X, W, offsets = split_inputs_weights(history)
    if X.shape[1] != 2:
        plane = display_plane(X, W[-1])
        draw_line(ax, plane.weights(W[row], offsets[row]), color=ink_colour(), lw=1.3)
        return
    before = W[max(row - 1, 0)] if history.complete else W[row]
    # In units of the inputs where the arrows fit, otherwise scaled.
    longest = float(np.linalg.norm(W, axis=1).max()) or 1.0
    scale = 1.0 if 0.2 * reach < longest < reach else 0.75 * reach / longest
    draw_line(
        ax, np.append(before, offsets[max(row - 1, 0)]), color=GREY if row else ink_colour(), lw=1.2, zorder=2
    )
    if np.any(before):
        draw_vector(ax, (0, 0), scale * before)
    if row and history["change"][row] != 0 and history.complete:
        draw_vector(ax, scale * before, scale * W[row], MINUS if history["change"][row] < 0 else THIRD, 1.5)
