"""The lines of an experiment's figures as numbers, drawn by the page."""

from typing import Any

from markone.lab.schema import Declaration
from markone.lab.statistics import measured_lines


def select_line_figures(declaration: Declaration) -> list[Any]:
    """Return the figures that the page can draw: lines over an axis. The report shows all."""
    return [figure for figure in declaration.figure if figure.kind == "lines"]


def collect_figure_lines(declaration: Declaration, points: Any, number: int) -> dict[str, Any]:
    """Return the lines of one figure, [x, mean, standard error, repeats], with theory at the same points."""
    figures = select_line_figures(declaration)
    if not figures:
        return {"picture": None}
    figure = figures[min(number, len(figures) - 1)]
    found = [
        line for measure in figure.measures for line in measured_lines(declaration, points, figure, measure)
    ]
    numeric = [line for line in found if all(isinstance(x, int | float) for x in line.x)]
    theories = [declaration.scenario_object.theories[name] for name in figure.theory]
    shown = [
        {
            "title": ", ".join([line.measure, *(f"{key} = {value}" for key, value in line.keys.items())]),
            "points": [[x, e.mean, e.error, e.n] for x, e in zip(line.x, line.estimates, strict=True)],
            "theory": [
                [x, theory.function(p)]
                for theory in theories
                if theory.measure == line.measure
                for x, p in zip(line.x, line.parameters, strict=True)
            ],
        }
        for line in numeric
    ]
    axes = {key: getattr(figure, key) for key in ("name", "xlabel", "ylabel", "logx", "logy")}
    return {"picture": axes | {"lines": shown, "x": figure.x}}
