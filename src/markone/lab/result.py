"""Results of an experiment: tables, figures with theory, and the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from markone.errors import StoreError
from markone.lab import catalogue, foreign_code, run_paths
from markone.lab.claims.judge import ClaimResult, judge_claims
from markone.lab.load import load_declaration, parse_declaration
from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import Drawn, inline_drawing
from markone.lab.report.figures_and_tables import PrintedTable, report_table
from markone.lab.report.pages import PAGE, Written, write_report
from markone.lab.runner.run import RunSummary
from markone.lab.scenario import Point
from markone.lab.scenarios.theories import add_theories
from markone.lab.schema import Declaration, FigureSpec, TableSpec
from markone.lab.statistics import as_points, estimate_points
from markone.lab.store.export import long_table, xarray_dataset
from markone.lab.store.results import Store
from markone.lazy_import import require_module
from markone.numerics.text import format_count, unknown_name_text

if TYPE_CHECKING:
    import pandas
    import xarray


@dataclass(frozen=True, repr=False)
class Result:
    """All stored runs of an experiment; `ran` counts what this call has added.

    Parameters
    ----------
    declaration : Declaration
        The experiment.
    points : sequence of Point
        The results at the grid points.
    provenance : dict
        Versions, commit and machines.
    path : pathlib.Path
        The store.
    ran : RunSummary or None, default=None
        Tasks that this call has added.

    Examples
    --------
    >>> import tempfile
    >>> from markone.lab import Experiment
    >>> small = Experiment.load("demo_capacity").with_(N=[5], alpha=[1.0, 2.0], repeats=20)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = small.run(store=f"{folder}/results.sqlite", progress=False)
    >>> len(result.points)
    2
    """

    declaration: Declaration
    points: Sequence[Point]
    provenance: dict[str, Any]
    path: Path
    ran: RunSummary | None = field(default=None, compare=False)

    @classmethod
    def read(cls, declaration: Declaration, store: Store, ran: RunSummary | None = None) -> Result:
        return cls(declaration, store.points(declaration), store.provenance(), store.path, ran)

    @classmethod
    def open(cls, run: str | Path, allow: Iterable[str] = ()) -> Result:
        """Read a run by its name (a folder in runs/) or the file of its store, with its last declaration; or
        the runs of an experiment, by its name or TOML file, with its present declaration. `allow`: as for
        `Experiment.load`."""
        foreign_code.allow_packages(*allow)
        declaration = (
            load_declaration(run)
            if Path(run).suffix == ".toml" or str(run) in catalogue.experiment_names()
            else None
        )
        stored = Path(run) if Path(run).suffix == ".sqlite" else None
        path = run_paths.store_path(declaration.name if declaration else str(run), stored)
        with Store(run_paths.require_store(path, str(run)), mode="r") as results:
            return cls.read(declaration or last_declaration(results), results)

    @property
    def name(self) -> str:
        return self.declaration.name

    @property
    def failures(self) -> list[str]:
        """Messages of the failed tasks."""
        return [error for point in as_points(self.points).with_failures() for error in point.failures]

    def frame(self, library: str = "pandas") -> Any:
        """Table with one row per run: parameters, number of the repeat, measures; a pandas DataFrame, or one
        of "polars" if that is installed."""
        if library not in ("pandas", "polars"):
            raise ValueError(f"library is 'pandas' or 'polars', not {library!r}.")
        if library == "polars":
            return require_module("polars").DataFrame(long_table(self.points))
        return require_module("pandas", "tables").DataFrame(long_table(self.points))

    def summary(self) -> pandas.DataFrame:
        """Table with one row per grid point: axes, number of runs, mean and 95 % interval of each measure."""
        measures = list(self.declaration.scenario_object.measures)
        rows = [{key: point.parameters[key] for key in self.declaration.grid} for point in self.points]
        for row, point in zip(rows, self.points, strict=True):
            row["runs"] = point.repeats
        for name in measures:
            for row, found in zip(
                rows, estimate_points(self.points, name, self.declaration.scenario_object), strict=True
            ):
                low, high = found.clipped_interval()
                row |= {name: found.mean, f"{name}_low": low, f"{name}_high": high}
        return require_module("pandas", "tables").DataFrame(rows)

    def to_xarray(self) -> xarray.Dataset:
        """Dataset with a dimension for each axis of the grid and for the repeats; NaN for missing runs."""
        return xarray_dataset(self.points, self.declaration, self.provenance)

    def figure_spec(self, name: str | None = None) -> FigureSpec:
        """The declared figure of this name; by default the first one."""
        known = {figure.name: figure for figure in self.declaration.figures}
        if not known:
            raise ValueError(f"{self.name} declares no figure: use frame() or summary().")
        if name is not None and name not in known:
            raise ValueError(unknown_name_text("figure", name, known))
        return known[name] if name else self.declaration.figures[0]

    def plot(
        self,
        name: str | None = None,
        *,
        ax: Any = None,
        size: str = "column",
        width: str | float | None = None,
        style: str | Path | None = None,
        dark: bool = False,
        **changes: Any,
    ) -> Drawn:
        """Draw a figure with theory: `.figure` is matplotlib's, `.means` and `.theory` the numbers in it.

        On `ax` if given (lines only); size is "column", "double" (two columns), "slide" or "poster", `width`
        any other, "86mm"; `style` is a style file of matplotlib with fonts; `dark` uses a dark background;
        `changes` are keys of a [[figure]]: logx=True, xlabel="...", where={...}. theory is a list of names of
        the scenario, of [theory] tables or of curves of the catalogue, or of objects: a solution of
        `theory.solve` or `theory.online`, a `theory.curve`, a `Theory` or a function of the parameters.
        """
        figure = self.figure_spec(name)
        unknown = [key for key in changes if key not in FigureSpec.model_fields]
        if unknown:
            raise ValueError(unknown_name_text("key of a figure", unknown[0], FigureSpec.model_fields))
        declaration, names = self._with_theories(changes.get("theory", figure.theory))
        figure = FigureSpec.model_validate(figure.model_dump() | changes | {"theory": names})
        look: dict[str, Any] = {"width": width, "size": size, "axes": ax, "dark": dark, "style": style}
        return draw_declared_figure(declaration, self.points, figure, **look)

    def table(self, name: str | None = None, *, digits: int = 4) -> PrintedTable:
        """A declared table; without a name all grid points, with means ± standard errors of all measures.

        `.table.latex()` is the table for LaTeX.
        """
        known = {table.name: table for table in self.declaration.tables}
        if name is not None and name not in known:
            raise ValueError(unknown_name_text("table", name, known))
        columns = list(self.declaration.scenario_object.measures)
        rows = list(self.declaration.grid)
        every = TableSpec(name=self.name, rows=rows, columns=columns, digits=digits)
        return report_table(self.declaration, self.points, known[name] if name else every)

    def _with_theories(self, theory: Any) -> tuple[Declaration, list[str]]:
        """The declaration with the theories given as names or objects, and their names."""
        given = theory if isinstance(theory, list | tuple) else [theory]
        tables: dict[str, Any] = dict(self.declaration.theory)
        names = [one if isinstance(one, str) else f"theory {k + 1}" for k, one in enumerate(given)]
        tables |= {name: one for name, one in zip(names, given, strict=True) if not isinstance(one, str)}
        scenario, problems = add_theories(self.declaration.scenario_object, tables, names)
        for name in names:
            if name not in scenario.theories:
                raise ValueError(problems.get(name) or unknown_name_text("theory", name, scenario.theories))
        tables |= {name: scenario.theories[name] for name in names}
        return self.declaration.model_copy(update={"theory": tables}), names

    def claims(self) -> list[ClaimResult]:
        """The claims of the experiment with their test results; `remark` marks those made after the data."""
        return judge_claims(self.declaration, self.points, self.provenance)

    def report(self, path: str | Path | None = None) -> Written:
        """Write the report; `path` is a folder, or the page itself (.html), by default the store's folder."""
        target = Path(path) if path is not None else self.path.parent
        page = target if target.suffix == ".html" else target / PAGE
        return write_report(self.declaration, self.points, self.provenance, page.parent, page.name)

    def __repr__(self) -> str:
        repeats = as_points(self.points).repeats
        runs, full = int(repeats.sum()), int(np.sum(repeats >= self.declaration.repeats))
        failed = f", {format_count(len(self.failures), 'failed task')}" if self.failures else ""
        text = f"{format_count(runs, 'run')}, {full} of {len(self.points)} grid points complete{failed}"
        return f"Result({self.name!r}: {text}; {self.path})"

    def _repr_html_(self) -> str:
        parts = [f"<p><strong>{escape(self.declaration.title)}</strong><br>{escape(repr(self))}</p>"]
        if self.declaration.figures and as_points(self.points).repeats.any():
            parts.append(inline_drawing(self.plot(), self.declaration.title))
        items = "".join(
            f"<li><strong>{claim.answer}</strong> {escape(claim.text)} <em>{claim.remark}</em></li>"
            for claim in self.claims()
        )
        return "".join([*parts, f"<ul>{items}</ul>" if items else ""])


def last_declaration(store: Store) -> Declaration:
    declared = store.declarations()
    if not declared:
        raise StoreError(f"{store.path} has no declaration in it: nothing has been run there.")
    # Foreign code is searched in the working folder, where the run was started.
    return parse_declaration(declared[-1], str(store.path), Path.cwd())
