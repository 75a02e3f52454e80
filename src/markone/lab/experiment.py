"""Experiments from Python, with the declarations, tasks and stores of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from markone.lab import run_paths
from markone.lab.claims.power import describe_power
from markone.lab.load import load_declaration, parse_declaration, toml_text
from markone.lab.overrides import change_declaration, write_objects
from markone.lab.result import Result
from markone.lab.runner.estimate import Plan, plan_run
from markone.lab.runner.run import Progress, run
from markone.lab.schema import Declaration
from markone.lab.store.results import Store
from markone.run import executors
from markone.run.progress import watch_progress


class Experiment:
    """A declared experiment: a grid of parameters, repeats, figures and claims.

    `load` it, change it by `with_`, estimate its time with `check`, and `run` it: stored results are not
    computed again.

    Parameters
    ----------
    declaration : Declaration
        Content of a TOML file, from `load` or `declare`.
    changes : mapping or None, default=None
        Values that replace those of the declaration, from `with_`.

    Examples
    --------
    >>> from markone.lab import Experiment
    >>> experiment = Experiment.load("demo_capacity").with_(N=[5, 10], repeats=20)
    >>> experiment.check().tasks > 0
    True
    """

    def __init__(self, declaration: Declaration, changes: Mapping[str, Any] | None = None) -> None:
        self._origin, self._changes = declaration, dict(changes or {})
        self.declaration = change_declaration(declaration, self._changes) if self._changes else declaration

    @classmethod
    def load(cls, name_or_path: str | Path, allow: Iterable[str] = ()) -> Experiment:
        """Load an experiment of markone by its name, or a TOML file.

        `allow` names packages whose code may run, if the file uses it (students, scenarios).
        """
        return cls(load_declaration(name_or_path, allow))

    @classmethod
    def declare(cls, **parts: Any) -> Experiment:
        """Make an experiment from the keys of a TOML file: name, title, scenario, seed, repeats, grid, ...

        Objects may stand for names: a `Scenario`; students that are classifiers or functions of (xi, S, rng)
        that return w; theories that are a `Theory`, a curve, a
        solution of `theory.solve` or a function of the parameters. What a notebook defines is sent to the
        workers.
        """
        return cls(parse_declaration(write_objects(parts)))

    def with_(self, **changes: Any) -> Experiment:
        """Copy with other values of parameters, or of seed, repeats, name and the like.

        A list is an axis of the grid, one value is fixed. If the results change, so does the name, and with
        it the store; more repeats alone continue the old run.
        """
        return Experiment(self._origin, self._changes | changes)

    @property
    def name(self) -> str:
        return self.declaration.name

    @property
    def grid(self) -> dict[str, list[Any]]:
        return dict(self.declaration.grid)

    @property
    def fixed(self) -> dict[str, Any]:
        return dict(self.declaration.fixed)

    def __len__(self) -> int:
        """Grid points."""
        return len(self.declaration)

    def toml(self) -> str:
        """The declaration as TOML, which `markone run` takes as a file."""
        return toml_text(self.declaration)

    def check(self, store: str | Path | None = None, yes_really: bool = False) -> Plan:
        """Remaining tasks and their time, measured on small blocks, and the power of the claims; nothing is
        stored. More than ten million tasks need `yes_really`."""
        plan = plan_run(self.declaration, self.store_path(store), yes_really)
        return replace(plan, power=describe_power(self.declaration))

    def run(
        self,
        workers: int | None = None,
        backend: str | Callable[[], Executor] = "threads",
        store: str | Path | None = None,
        progress: bool | Progress = True,
        scheduler: str | None = None,
        yes_really: bool = False,
    ) -> Result:
        """Compute what is missing, and return all results.

        `backend` is "threads", "processes", "loky", "dask" or "mpi", or a function that returns an executor
        of `concurrent.futures`. `progress` is True, False or a function called with (done, total, task). The
        default store is that of the command line, runs/<name>/results.sqlite below the working folder. More
        than ten million tasks need `yes_really`.
        """
        path = self.store_path(store)
        path.parent.mkdir(parents=True, exist_ok=True)
        maker = (
            executors.executor_factory(backend, workers, scheduler) if isinstance(backend, str) else backend
        )
        shown: AbstractContextManager[Progress] = (
            watch_progress(self.name, quiet=not progress)
            if isinstance(progress, bool)
            else nullcontext(progress)
        )
        with Store(path, mode="w") as results, shown as report:
            ran = run(self.declaration, results, maker, progress=report, yes_really=yes_really)
            return Result.read(self.declaration, results, ran)

    def result(self, store: str | Path | None = None) -> Result:
        """Read what has been stored so far, also while another process computes."""
        path = run_paths.require_store(self.store_path(store), self.name)
        with Store(path, mode="r") as results:
            return Result.read(self.declaration, results)

    def store_path(self, store: str | Path | None = None) -> Path:
        return run_paths.store_path(self.name, Path(store) if store else None)

    def __repr__(self) -> str:
        axes = ", ".join(f"{key}: {len(values)}" for key, values in self.declaration.grid.items())
        repeats = self.declaration.repeats
        return f"Experiment({self.name!r}, {len(self)} grid points ({axes}), {repeats} repeats)"

    def _repr_html_(self) -> str:
        declaration = self.declaration
        values = {**declaration.grid, **declaration.fixed}
        values |= {"repeats": declaration.repeats, "seed": declaration.seed, "scenario": declaration.scenario}
        texts = {k: ", ".join(map(str, v)) if isinstance(v, list) else str(v) for k, v in values.items()}
        rows = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in texts.items())
        return (
            f"<p><strong>{escape(self.name)}</strong>: {escape(declaration.title)}</p><table>{rows}</table>"
        )
