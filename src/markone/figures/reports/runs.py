"""Figures of the reports from runs of their experiments: the stored ones, or a preview."""

import tempfile
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from markone.lab import Experiment, Result
from markone.lab.documents.drawings import join_marks, with_first_repeats
from markone.lab.plots.draw import KINDS
from markone.lab.plots.drawn_figure import Drawn


def draw_run(
    figure: Any,
    *,
    name: str,
    figure_name: str,
    changes: Mapping[str, Any] | None = None,
    preview: str = "",
    joined: bool = False,
    repeats: int = 0,
) -> None:
    """Draw a declared figure of an experiment from its stored runs. If they are missing the experiment is run
    with `changes`; where these make it smaller, `preview` says how, and is written in the figure. `repeats`:
    the number of runs a point in the document, if the experiment has more."""
    result, stored = figure_result(name, tuple((changes or {}).items()))
    if repeats:
        result = with_first_repeats(result, repeats)
    draw_declared(figure, result, figure_name, joined)
    if preview and not stored:
        mark_preview(figure, preview)


def figure_of_run(
    title: str, size: tuple[float, float], name: str, figure_name: str, shows: tuple[str, ...], **options: Any
) -> tuple[Any, ...]:
    """Entry of `FIGURES` for a declared figure of an experiment; options as in `draw_run`."""
    return title, size, partial(draw_run, name=name, figure_name=figure_name, **options), shows


def mark_preview(figure: Any, text: str) -> None:
    """Write in the figure that it is a preview, and of what size."""
    figure.text(0.995, 0.005, f"preview: {text}", ha="right", fontsize="x-small", color="#B34700")


def draw_declared(figure: Any, result: Any, name: str, joined: bool = False) -> None:
    """Draw a declared figure into a matplotlib figure of given size; joined: lines between marks."""
    spec, size = result.figure_spec(name), figure.get_size_inches().copy()
    KINDS[spec.kind](Drawn(name, figure), result.declaration, result.points, spec, None)
    figure.set_size_inches(size)
    if joined:
        join_marks(figure)


def thaw(value: Any) -> Any:
    """Lists are given as tuples, so that they can be cached."""
    return list(value) if isinstance(value, tuple) else value


@lru_cache(maxsize=4)
def figure_result(name: str, changes: tuple[tuple[str, Any], ...] = ()) -> tuple[Result, bool]:
    """(result, whether it was stored) of an experiment: stored runs if complete, otherwise a new run."""
    experiment = Experiment.load(name)
    if experiment.store_path().exists():
        stored = experiment.result()
        if all(point.repeats >= experiment.declaration.repeats for point in stored.points):
            return stored, True
    if changes:
        experiment = experiment.with_(**{key: thaw(value) for key, value in changes})
    with tempfile.TemporaryDirectory() as folder:
        return experiment.run(store=Path(folder) / "results.sqlite", progress=False), False
