"""One SQLite file a study: what was asked, what came out, by which code. Results are only ever added."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from markone.lab import cpu_kinds
from markone.lab.data_used import facts
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.store.connection import Connection
from markone.lab.store.provenance import code, now
from markone.lab.store.status import Status, counted
from markone.lab.tasks import Task, TaskOutcome, code_of
from markone.numerics.arrays import Floats

Rows = Callable[..., list[Any]]

BLOCKS = (
    "SELECT start, stop, seconds, measure, data FROM attempts JOIN results ON attempt = id "
    "WHERE point = ? AND status = 'done' ORDER BY start, stop, measure"
)
FAILURES = (
    "SELECT max(id), error FROM attempts AS a WHERE point = ? AND start < ? AND status = 'failed' AND NOT "
    "EXISTS (SELECT 1 FROM attempts AS b WHERE b.task = a.task AND b.status = 'done') GROUP BY task"
)


class Store(Connection):
    """One SQLite file with all results of a study; open it with `with`.

    Parameters
    ----------
    path : str or pathlib.Path
        The file.
    mode : {"w", "r"}, default="w"
        To write (one process at a time), or to read (also while another process writes).
    wait : float, default=0.0
        Seconds to wait for another process that writes.

    Examples
    --------
    >>> import tempfile
    >>> from markone.lab import Store
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store(f"{folder}/results.sqlite") as store:
    ...         print(store.path.name)
    results.sqlite
    """

    _data: dict[str, str] | None = None  # the real sets that the declaration reads

    def add(self, task: Task, outcome: TaskOutcome) -> None:
        """One row for the task and one for each measure, all or none. A task that is done stays done."""
        status = "failed" if outcome.error else "done"
        with self.transaction():
            session = self._signed()
            self.execute(
                "INSERT OR IGNORE INTO points VALUES (?, ?, ?, ?, ?)",
                (task.point, task.scenario, task.version, json.dumps(dict(task.parameters)), task.seed),
            )
            cpu_kinds.enter(self.execute, outcome.cpu)
            row = (task.id, task.point, task.start, task.stop, status, outcome.error, outcome.seconds)
            added = self.execute(
                "INSERT OR IGNORE INTO attempts (task, point, start, stop, status, error, seconds, worker, "
                f"session, finished, cpu) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {cpu_kinds.NUMBER})",
                (*row, outcome.worker, session, now(), outcome.cpu),
            )
            if added.rowcount and status == "done":
                blobs = [(added.lastrowid, name, packed(v)) for name, v in outcome.values.items()]
                for blob in blobs:
                    self.execute("INSERT INTO results VALUES (?, ?, ?)", blob)

    def declare(self, declaration: Declaration, total: int) -> None:
        """Keep the question beside the answers, with the number of tasks it needs."""
        self._data = facts(declaration)
        text = json.dumps(declaration.model_dump())
        digest = hashlib.sha256(text.encode()).hexdigest()[:20]
        with self.transaction():
            self.execute(
                "INSERT INTO declarations VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET total = ?, added = ?",
                (digest, declaration.name, text, total, stamp := now(), total, stamp),
            )

    def declarations(self) -> list[dict[str, Any]]:
        """What was asked, last one last, for `load.parse`."""
        rows = self.rows("SELECT text FROM declarations ORDER BY added, rowid")
        return [asked(text) for (text,) in rows]

    def outcomes(self) -> dict[str, str]:
        """Task id -> "done" or "failed" (not done since)."""
        # 'failed' sorts after 'done': the smallest status of a task is its best.
        return dict(self.rows("SELECT task, min(status) FROM attempts GROUP BY task"))

    def done(self, measure: str | None = None) -> dict[str, Floats | None]:
        """Finished tasks, with the values of one measure if it is named."""
        if measure is None:
            return dict.fromkeys(
                task for (task,) in self.rows("SELECT task FROM attempts WHERE status = 'done'")
            )
        rows = self.rows(
            "SELECT task, data FROM attempts LEFT JOIN results ON attempt = id AND measure = ? "
            "WHERE status = 'done'",
            (measure,),
        )
        return {task: None if data is None else unpacked(data) for task, data in rows}

    def status(self) -> Status:
        """Cheap: nothing of the scenario is loaded."""
        return counted(self.rows)

    def points(self, declaration: Declaration) -> list[Point]:
        """The declared points in their order, as far as they are done."""
        return collect(self.rows, declaration)

    def provenance(self) -> dict[str, Any]:
        """By which code, when, how long. One entry in `sessions` for each process that wrote."""
        sessions = [
            {"started": started, **json.loads(code)}
            for started, code in self.rows("SELECT started, code FROM sessions ORDER BY id")
        ]
        tasks, seconds, first, last = self.rows(
            "SELECT count(*), total(seconds), min(finished), max(finished) FROM attempts "
            "WHERE status = 'done'"
        )[0]
        seeds = [seed for (seed,) in self.rows("SELECT DISTINCT seed FROM points ORDER BY seed")]
        latest = sessions[-1] if sessions else {}
        times = {"tasks": tasks, "seconds": seconds, "first": first, "last": last}
        kinds = cpu_kinds.counted(self.rows)
        return {**latest, **times, "seeds": seeds, "cpus": kinds, "sessions": sessions}

    def _signed(self) -> int:
        """This process, entered with its first result."""
        if self._session is None:
            row = (now(), json.dumps(code() | ({"data": self._data} if self._data else {})))
            self._session = self.execute("INSERT INTO sessions (started, code) VALUES (?, ?)", row).lastrowid
        assert self._session is not None
        return self._session


def asked(text: str) -> dict[str, Any]:
    """A stored declaration without what it left open."""
    return {key: value for key, value in json.loads(text).items() if value is not None}


def collect(rows: Rows, declaration: Declaration) -> list[Point]:
    """From blocks to points: values in the order of the repeats, each repeat once."""
    scenario = declaration.scenario_object
    found = []
    for parameters in declaration.points():
        code = code_of(scenario, parameters)
        key = Task(scenario.name, scenario.version, parameters, declaration.seed, 0, 0, code).point
        names = {name: name for name in scenario.measures} | dict(scenario.former)
        found.append(assemble(rows, key, parameters, names, declaration.most_repeats))
    return found


def assemble(rows: Rows, key: str, parameters: dict[str, Any], names: dict[str, str], most: int) -> Point:
    """Blocks may overlap (the number of repeats was changed between two runs): equal values, taken once.

    names: as which measure the values stored under a name are read.
    """
    blocks = rows(BLOCKS, (key,))
    length = min(most, max((stop for _, stop, *_ in blocks), default=0))
    values = {name: np.full(length, np.nan) for name in names.values()}
    present = np.zeros(length, dtype=bool)
    times = {}
    for start, stop, seconds, measure, data in blocks:
        if start < length:
            end = min(stop, length)
            present[start:end] = True
            times[start, stop] = seconds
            name = names.get(measure, measure)
            values.setdefault(name, np.full(length, np.nan))[start:end] = unpacked(data)[: end - start]
    failures = [error for _, error in rows(FAILURES, (key, most))]
    kept = {name: array[present] for name, array in values.items()}
    numbers = np.flatnonzero(present).astype(np.int64)
    return Point(parameters, kept, len(numbers), float(sum(times.values())), failures, numbers)


def packed(values: Floats) -> bytes:
    """Little-endian float64, on every machine."""
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def unpacked(data: bytes) -> Floats:
    return np.frombuffer(data, dtype="<f8").astype(np.float64)
