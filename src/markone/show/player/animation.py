"""`animate`: a history as an HTML page, a strip of panels, a GIF or an MP4."""

import json
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from markone.base.history import History
from markone.show.histories import history_of
from markone.show.player.film import make_film, select_rows
from markone.show.player.strip import draw_panel, draw_strip

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

    `save` writes .html, .gif, .mp4, or a strip as .png, .svg, .pdf.

    Parameters
    ----------
    history : History
        The recorded history.
    film : dict
        Data for the player, as made by `animate`.
    most : int, default=300
        Largest number of frames.

    Examples
    --------
    >>> from markone import Rosenblatt
    >>> from markone.data import two_classes
    >>> from markone.show import animate
    >>> xi, S, _ = two_classes("dense", 20)
    >>> film = animate(Rosenblatt(record="updates").fit(xi, S))
    >>> film.history.student, film.most
    ('Rosenblatt', 300)
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
        return draw_strip(self.film, self.history, chosen, figure=figure, columns=columns)

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
