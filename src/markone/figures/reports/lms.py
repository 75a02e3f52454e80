"""Figures of the LMS report: data, decision surface and mean squared error."""

from functools import partial

from markone.figures.reports.runs import draw_run

FIGURES = {
    "lms-1": (
        "The four kinds of data",
        (1.0, 0.3),
        partial(draw_run, name="lms", figure_name="classes"),
        ("data = halo", "data = dense", "data = arcs", "data = rings"),
    ),
    "lms-2": (
        "Decision surface of the trained unit",
        (1.0, 0.35),
        partial(draw_run, name="lms", figure_name="decision"),
        ("data = halo", "0 of 100 wrong"),
    ),
    "lms-3": (
        "Mean squared error over rate and iterations: separable data",
        (0.7, 0.85),
        partial(draw_run, name="lms", figure_name="surface_halo"),
        ("learning rate", "iterations"),
    ),
    "lms-4": (
        "Mean squared error over rate and iterations: Example 1",
        (0.7, 0.85),
        partial(draw_run, name="lms", figure_name="surface_arcs"),
        ("learning rate", "iterations"),
    ),
    "lms-5": (
        "Mean squared error over rate and iterations: Example 2",
        (0.7, 0.85),
        partial(draw_run, name="lms", figure_name="surface_rings"),
        ("learning rate", "iterations"),
    ),
}
