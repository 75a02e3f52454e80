"""Figures of the reports from stored runs of their experiments, or from previews; those of LMS and stability.

Stability is at its size: N = 200, 50 data sets, 250 sweeps.
"""

import tempfile
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from markone.lab import Experiment, Result
from markone.lab.documents.reproduction import join_marks, with_first_repeats
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
    spec, size = result.figure_spec(figure_name), figure.get_size_inches().copy()
    KINDS[spec.kind](Drawn(figure_name, figure), result.declaration, result.points, spec, None)
    figure.set_size_inches(size)
    if joined:
        join_marks(figure)
    if preview and not stored:
        mark_preview(figure, preview)


def figure_of_run(
    title: str, size: tuple[float, float], name: str, figure_name: str, shows: tuple[str, ...], **options: Any
) -> tuple[Any, ...]:
    """Entry of `FIGURES` for a declared figure of an experiment; options as in `draw_run`."""
    return title, size, partial(draw_run, name=name, figure_name=figure_name, **options), shows


def mark_preview(figure: Any, text: str) -> None:
    """Write in the figure that it is a preview, and of what size."""
    # Below the axis labels: the layout keeps space for it.
    figure.supxlabel(f"preview: {text}", x=0.99, ha="right", fontsize="x-small", color="#B34700")


@lru_cache(maxsize=4)
def figure_result(name: str, changes: tuple[tuple[str, Any], ...] = ()) -> tuple[Result, bool]:
    """(result, whether it was stored) of an experiment: stored runs if complete, otherwise a new run."""
    experiment = Experiment.load(name)
    if experiment.store_path().exists():
        stored = experiment.result()
        if all(point.repeats >= experiment.declaration.repeats for point in stored.points):
            return stored, True
    if changes:
        # Lists are given as tuples, so that they can be cached.
        thawed = {key: list(value) if isinstance(value, tuple) else value for key, value in changes}
        experiment = experiment.with_(**thawed)
    with tempfile.TemporaryDirectory() as folder:
        return experiment.run(store=Path(folder) / "results.sqlite", progress=False), False


DATA_KINDS = ("halo", "dense", "arcs", "rings")
SURFACE, AXES = "Mean squared error over rate and iterations", ("learning rate", "iterations")
# Only the two students of the report; the experiment has more.
BOTH = {"student": ("minover", "rosenblatt")}
LABELS = ("α = P/N", "generalization error")
NOISY = ("MinOver, noise = 0.3", "Rosenblatt, noise = 0.3")
FIGURES = {
    "lms-1": figure_of_run("The four kinds of data", (1.0, 0.3), "lms", "classes", DATA_KINDS),
    "lms-2": figure_of_run(
        "Decision surface of the trained unit", (1.0, 0.35), "lms", "decision",
        ("halo", "0 of 100 wrong"),
    ),
    "lms-3": figure_of_run(f"{SURFACE}: separable data", (0.7, 0.85), "lms", "surface_halo", AXES),
    "lms-4": figure_of_run(f"{SURFACE}: Example 1", (0.7, 0.85), "lms", "surface_arcs", AXES),
    "lms-5": figure_of_run(f"{SURFACE}: Example 2", (0.7, 0.85), "lms", "surface_rings", AXES),
    "stability-1": figure_of_run(
        "MinOver learns a rule: eps_g(alpha), no noise", (0.65, 0.7), "learning_a_rule", "minover", LABELS,
        changes={"student": ("minover",)},
    ),
    "stability-2": figure_of_run(
        "MinOver and Rosenblatt learn a rule, no noise", (0.65, 0.7), "learning_a_rule", "minover_rosenblatt",
        ("MinOver", "Rosenblatt"), changes=BOTH, joined=True,
    ),
    "stability-3": figure_of_run(
        "MinOver and Rosenblatt with label noise 0, 0.1, 0.2, 0.3", (1.0, 0.6), "label_noise", "both", NOISY,
        changes=BOTH, joined=True,
    ),
}  # fmt: skip
