"""Comparison of two runs: one figure, and the differences of their means with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markone.lab.claims.line_claims import measured_difference
from markone.lab.claims.verdicts import Measured
from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import Drawn
from markone.lab.result import Result
from markone.lab.scenario import Point, Scenario
from markone.lab.statistics import Estimate, estimate_points
from markone.lazy_import import require_module
from markone.numerics.text import format_number, format_rounded, unknown_name_text
from markone.show.page import PageTable

if TYPE_CHECKING:
    import pandas

NUMBERS = ("first", "second", "difference", "low", "high")
RUN = "run"  # the axis that distinguishes the two runs in their common figure


@dataclass(frozen=True)
class PairedPoint:
    """Points of the two runs with the same values of the varying axes."""

    keys: dict[str, Any]
    first: Point
    second: Point


@dataclass(frozen=True)
class CombinedDeclaration:
    """The part of a declaration that a figure needs, for both runs, with the axis RUN."""

    grid: Mapping[str, Any]
    fixed: Mapping[str, Any]
    seed: int
    scenario_object: Scenario


@dataclass(frozen=True, repr=False)
class Comparison:
    """Differences `first` minus `second` at the points that both results have.

    Runs are compared one by one if scenario and seed are the same: repeat k then has the same random numbers
    in both.

    Parameters
    ----------
    first, second : Result
        The two runs.

    Examples
    --------
    >>> import tempfile
    >>> from markone.lab import Experiment, compare
    >>> small = Experiment.load("demo_capacity").with_(N=[5], alpha=[1.0, 2.0], repeats=20, name="few")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = small.run(store=f"{folder}/few.sqlite", progress=False)
    ...     second = small.with_(N=[10], name="more").run(store=f"{folder}/more.sqlite", progress=False)
    >>> comparison = compare(first, second)
    >>> comparison.axes(), len(comparison.pairs())
    (['alpha'], 2)
    """

    first: Result
    second: Result

    @property
    def names(self) -> tuple[str, str]:
        a, b = self.first.name, self.second.name
        return (a, b) if a != b else (f"{a} (1)", f"{b} (2)")

    @property
    def paired(self) -> bool:
        a, b = self.first.declaration, self.second.declaration
        return (a.scenario, a.seed) == (b.scenario, b.seed)

    def axes(self) -> list[str]:
        """The parameters that vary within one of the two runs, by which points are matched."""
        found = []
        for result in (self.first, self.second):
            for key in result.declaration.grid:
                if len({repr(point.parameters.get(key)) for point in result.points}) > 1:
                    found.append(key)
        return list(dict.fromkeys(found))

    def pairs(self) -> list[PairedPoint]:
        axes = self.axes()

        def place(point: Point) -> tuple[Any, ...]:
            return tuple(point.parameters.get(key) for key in axes)

        others = {place(point): point for point in self.second.points if point.repeats}
        return [
            PairedPoint(dict(zip(axes, place(point), strict=True)), point, others[place(point)])
            for point in self.first.points
            if point.repeats and place(point) in others
        ]

    def measures(self) -> list[str]:
        """Measures that both scenarios have."""
        known = [result.declaration.scenario_object.measures for result in (self.first, self.second)]
        return [name for name in known[0] if name in known[1]]

    def differences(self, measure: str) -> list[Estimate]:
        """First minus second at each pair of points, with its error."""
        if measure not in self.measures():
            raise ValueError(unknown_name_text("measure of both runs", measure, self.measures()))
        return [gap for *_, gap in self._compare_points(measure)]

    def _compare_points(self, measure: str) -> list[tuple[PairedPoint, Estimate, Estimate, Estimate]]:
        """The pairs of points with both means and their difference."""
        pairs = self.pairs()
        known = [result.declaration.scenario_object for result in (self.first, self.second)]
        firsts = estimate_points([pair.first for pair in pairs], measure, known[0])
        seconds = estimate_points([pair.second for pair in pairs], measure, known[1])
        found = []
        for pair, a, b in zip(pairs, firsts, seconds, strict=True):
            runs = (pair.first, pair.second) if self.paired else (None, None)
            sides = Measured(pair.keys, a, runs[0]), Measured(pair.keys, b, runs[1])
            found.append((pair, a, b, measured_difference(*sides, measure)))
        return found

    def frame(self) -> pandas.DataFrame:
        """Table with a row per pair of points and measure: means, their difference and its 95 % interval."""
        rows: list[dict[str, Any]] = []
        for measure in self.measures():
            for pair, a, b, gap in self._compare_points(measure):
                if a.n and b.n:
                    low, high = gap.confidence_interval()
                    values = {"first": a.mean, "second": b.mean, "difference": gap.mean}
                    rows.append({**pair.keys, "measure": measure, **values, "low": low, "high": high})
        return require_module("pandas", "tables").DataFrame(rows)

    def table(self) -> PageTable:
        """The same as text, rounded to the digits that the intervals support."""
        found = self.frame()
        keys = list(found.columns[: -len(NUMBERS)])
        rows = []
        for row in found.to_dict("records"):
            half = (row["high"] - row["low"]) / 2
            first, second, *gap = format_rounded([row[key] for key in NUMBERS], half if half > 0 else 0.0)
            point = [format_number(row[key], 6) for key in keys]
            rows.append([*point, first, second, f"{gap[0]} [{gap[1]}, {gap[2]}]"])
        return PageTable([*keys, *self.names, "difference"], rows)

    def plot(
        self,
        name: str | None = None,
        *,
        size: str = "column",
        width: str | float | None = None,
        style: str | Path | None = None,
    ) -> Drawn:
        """Draw a figure of the first run with the means of both, in a size as in `Result.plot`."""
        figure = self.first.figure_spec(name)
        if figure.kind != "lines":
            raise ValueError(
                f"{figure.name} is of kind {figure.kind!r}: only lines can be drawn in one figure."
            )
        runs = zip(self.names, (self.first, self.second), strict=True)
        points = [
            replace(point, parameters={RUN: label, **point.parameters})
            for label, result in runs
            for point in result.points
        ]
        grid = {RUN: list(self.names), **self.second.declaration.grid, **self.first.declaration.grid}
        scenario = self.first.declaration.scenario_object
        both: Any = CombinedDeclaration(grid, {}, self.first.declaration.seed, _without_run_axis(scenario))
        return draw_declared_figure(both, points, figure, width, size, style=style)

    def __repr__(self) -> str:
        how = "run by run" if self.paired else "by their means (other data)"
        return f"Comparison({' with '.join(self.names)}: {len(self.pairs())} common points, compared {how})"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>{self.frame().to_html(index=False)}"


def compare(first: Result | str | Path, second: Result | str | Path) -> Comparison:
    """Compare two results, or runs by name: one figure, and the differences at their common points.

    Parameters
    ----------
    first, second : Result, str or pathlib.Path
        A result, or a run by its name or folder.

    Returns
    -------
    Comparison
        The figure and the differences.

    Examples
    --------
    >>> import tempfile
    >>> from markone.lab import Experiment, compare
    >>> small = Experiment.load("demo_capacity").with_(N=[5], alpha=[1.0, 2.0], repeats=20, name="few")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = small.run(store=f"{folder}/few.sqlite", progress=False)
    ...     second = small.with_(N=[10], name="more").run(store=f"{folder}/more.sqlite", progress=False)
    >>> compare(first, second).names
    ('few', 'more')
    """
    found = [one if isinstance(one, Result) else Result.open(one) for one in (first, second)]
    comparison = Comparison(found[0], found[1])
    if not comparison.pairs():
        axes = ", ".join(comparison.axes()) or "anything"
        raise ValueError(
            f"{' and '.join(comparison.names)} have no point in common: no two agree in {axes}. "
            "Run both on the same grid."
        )
    return comparison


def _without_run_axis(scenario: Scenario) -> Scenario:
    """Scenario whose theories and marks ignore the axis RUN."""

    def without_run(function: Any) -> Any:
        return lambda parameters: function({key: parameters[key] for key in parameters if key != RUN})

    theories = {
        name: replace(theory, function=without_run(theory.function))
        for name, theory in scenario.theories.items()
    }
    marks = {
        name: replace(mark, function=without_run(mark.function)) for name, mark in scenario.marks.items()
    }
    return replace(scenario, theories=theories, marks=marks)
