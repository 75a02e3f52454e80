"""The plane in a notebook: the page of the laboratory in a frame, whose requests the kernel answers."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.lazy_import import require_module
from markone.numerics.arrays import Array
from markone.web.catalogue import build_catalogue
from markone.web.offline.export import STATIC, bundle_modules
from markone.web.plane.examples import Examples, load_plane_examples
from markone.web.plane.script import python
from markone.web.protocol import More, Refused, Start, Stop, read_message
from markone.web.screens.plane import Plane, frames
from markone.web.worker import Job, next_message

# Seconds for the fewest errors of any line: the kernel answers nothing else meanwhile.
SEARCH_SECONDS = 0.05
MOST_POINTS = 500
PAGE = """<!doctype html><html lang="en" data-theme="auto" data-figure=""><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>Plane</title><style>{style}</style><header id="top" hidden><nav id="screens"></nav>
<span id="status"></span><button id="theme"></button></header><main id="lab"></main>
<div id="tip" role="tooltip" hidden></div><div id="said" class="offscreen" aria-live="polite"></div>
<div id="toast" role="status" aria-live="polite"></div><script>{script}</script></html>"""


def build_notebook_page(state: Plane) -> str:
    """The page that opens with a state, complete in one text."""
    known = build_catalogue()
    known["screens"] = [one for one in known["screens"] if one["name"] == "plane"]
    known["lessons"] = []
    data = json.dumps({"catalogue": known, "start": json.loads(state.model_dump_json())})
    bundle = bundle_modules("main.js", "screens/plane.js")
    # The end tag of a script must not occur inside of it.
    script = f"globalThis.markoneExport = {data};\n{bundle}".replace("</", "<\\/")
    return PAGE.format(style=(STATIC / "style.css").read_text(encoding="utf-8"), script=script)


class PlaneRequests:
    """Answers the requests of one or more pages; `state` is that of the latest."""

    def __init__(self, state: Plane, send: Callable[[dict[str, str]], None]) -> None:
        self.state, self.send = state, send
        self.jobs: dict[tuple[str, int], Job] = {}

    def receive(self, content: dict[str, str]) -> None:
        """Answer a message {"view": which page, "text": the message of the laboratory's protocol}."""
        message = read_message(content["text"])
        if isinstance(message, Refused):
            self.send({"view": content["view"], "text": message.model_dump_json()})
        elif isinstance(message, Start | More | Stop):
            key = (content["view"], message.ticket)
            if isinstance(message, Start):
                self.state = message.work.state
                self.jobs[key] = Job(message.ticket, frames(self.state, SEARCH_SECONDS))
            if isinstance(message, Stop):
                self.jobs.pop(key, None)
            elif key in self.jobs:
                text, last = next_message(self.jobs[key])
                if last:
                    del self.jobs[key]
                self.send({"view": content["view"], "text": text})


@cache
def _widget_class() -> Any:
    base: Any = require_module("anywidget", "notebook").AnyWidget
    traitlets: Any = require_module("traitlets", "notebook")

    class PlaneWidget(base):
        """Points of two classes, and students that learn them."""

        _esm = Path(STATIC / "notebook" / "widget.js")
        page = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(520).tag(sync=True)

        def __init__(self, state: Plane, labels: Array, height: int) -> None:
            super().__init__(page=build_notebook_page(state), height=height)
            self._labels = labels
            self._requests = PlaneRequests(state, self.send)
            self.on_msg(lambda widget, content, buffers: self._requests.receive(content))

        @property
        def X(self) -> Array:
            """The points as they are now (P, 2)."""
            return self._examples().X

        @property
        def y(self) -> Array:
            """Their labels, of the kind that was given."""
            return np.asarray(self._labels[(self._examples().S > 0).astype(int)])

        @property
        def script(self) -> str:
            """Python that trains the same students on the same points."""
            return python(self._requests.state)

        def _examples(self) -> Examples:
            state = self._requests.state
            return load_plane_examples(state.preset, state.P, state.seed, state.points)

    return PlaneWidget


def plane(
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    students: tuple[str, ...] = ("rosenblatt",),
    height: int = 520,
    **settings: Any,
) -> Any:
    """
    Points of two classes in a notebook, and students that learn them step by step.

    The picture is the screen Plane of the laboratory: click places a point, shift-click one of the other
    class, points can be dragged, and the students are trained again with each change. Needs
    ``pip install 'markone[notebook]'``; for Jupyter, VS Code and other hosts of anywidget.

    Parameters
    ----------
    X : array_like of shape (P, 2), optional
        Points, at most 500, with coordinates between -1000 and 1000. Default: two clouds.
    y : array_like of shape (P,), optional
        Two different labels; the larger one is +1 in the picture.
    students : tuple of str
        One to three of hebb, rosenblatt, pocket, minover, adaline, lms, adatron, soft_adatron,
        kernel_adatron, committee, parity, neighbours, lvq1, glvq, gmlvq, own.
    height : int
        Of the frame, in pixels.
    **settings
        Other controls of the screen by the names in its link: `preset`, `P`, `seed`, `threshold`, `C`, ...

    Returns
    -------
    widget
        With the present points `X`, their labels `y`, and `script`, Python that trains the same students.

    Examples
    --------
    >>> from markone import show
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> picture = show.plane(iris.X[:100, 2:], iris.y[:100], students=("adatron",))  # doctest: +SKIP
    >>> picture.X.shape  # doctest: +SKIP
    (100, 2)
    """
    labels = np.array([-1, 1])
    if (X is None) != (y is None):
        raise ValueError("Give both X and y, or neither for a data set of the laboratory.")
    if X is not None and y is not None:
        settings["points"], labels = _check_points(np.asarray(X), np.asarray(y))
    state = Plane.model_validate_json(json.dumps({"students": list(students), **settings}))
    return _widget_class()(state, labels, height)


def _check_points(X: Any, y: Any) -> tuple[list[list[float]], Array]:
    """Return points [x1, x2, +-1] and both labels in the order -1, +1."""
    if X.ndim != 2 or X.shape[1] != 2 or y.shape != X.shape[:1]:
        raise ValueError(
            f"The plane shows X of shape (P, 2) and y of shape (P,), not {X.shape} and {y.shape}."
        )
    if len(X) > MOST_POINTS:
        raise ValueError(
            f"The plane shows at most {MOST_POINTS} points, not {len(X)}: X[::{-(-len(X) // 500)}]."
        )
    labels = np.unique(y)
    if len(labels) != 2:
        raise ValueError(f"The plane shows two classes; y has {len(labels)} labels.")
    values = np.asarray(X, dtype=float)
    if not (np.abs(values) <= 1000).all():
        raise ValueError("The plane shows finite coordinates between -1000 and 1000.")
    S = np.where(y == labels[1], 1, -1)
    return [[*x, s] for x, s in zip(values.tolist(), S.tolist(), strict=True)], labels
