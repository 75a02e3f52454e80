"""The store of an experiment, one SQLite file: declarations, results, provenance. Results are only added."""

import json
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from markone.errors import StoreError
from markone.lab.data_used import real_data_facts
from markone.lab.scenario import Point
from markone.lab.schedule.tasks import Block, Task, find_gaps, hash_content
from markone.lab.schema import Declaration
from markone.lab.store import point_rows
from markone.lab.store.blocks import DoneBlocks, collect_points, iterate_points
from markone.lab.store.database import Connection
from markone.lab.store.packing import pack_values, unpack_row
from markone.lab.store.provenance import code_provenance, count_code_states, count_cpu_kinds, utc_timestamp
from markone.lab.store.rows import (
    SCAN,
    SECONDS,
    Origin,
    StoredRow,
    current_timestamp,
    damage_message,
    format_timestamp,
    insert_attempt,
    iterate_verified_rows,
    scan_rows,
)
from markone.lab.store.status import (
    Status,
    count_status,
    declaration_json,
    parse_declaration_json,
    text_digest,
)
from markone.run.outcomes import TaskOutcome, clean_text

# 'failed' sorts after 'done': the smallest status of a block is its best.
OUTCOMES = (
    "SELECT lower(hex(p.point)), start, stop, min(status) FROM attempts AS a "
    "JOIN points AS p ON p.id = a.point GROUP BY a.point, start, stop"
)
OVERLAPPING = SCAN.replace("NOT INDEXED ", "")
OVERLAPPING += " WHERE a.point = ? AND start < ? AND stop > ? AND status = 'done'"


def computed_stop(task: Task, outcome: TaskOutcome) -> int:
    """End of the repeats that an outcome is about: a worker may return the first ones of a task only."""
    return task.start + outcome.repeats if outcome.repeats and not outcome.error else task.stop


def _started_entry(task: Task) -> str:
    return f"{task.id} {task.point} {task.start} {task.stop}"


class Store(Connection):
    """One SQLite file with all results of an experiment; open it with `with`.

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

    _data: dict[str, str] | None = None  # the real data sets that the declaration reads
    _suspects: Mapping[str, dict[Block, str]] = MappingProxyType({})  # by point, as last asked for

    def add(self, task: Task, outcome: TaskOutcome) -> None:
        """Add one row for the task, or for its first repeats if it has values of these only, in a
        transaction. A finished task is not changed."""
        names, data = pack_values({} if outcome.error else outcome.values)
        origin = Origin(clean_text(outcome.worker, 200), outcome.code, outcome.cpu)
        with self.transaction():
            row = StoredRow(
                task.point,
                task.start,
                computed_stop(task, outcome),
                "failed" if outcome.error else "done",
                clean_text(outcome.error),
                round(float(outcome.seconds), 6),
                origin,
                self._session_id(),
                current_timestamp(),
                names,
                data,
            )
            described = (task.scenario, task.version, json.dumps(dict(task.parameters)), task.seed)
            self.insert_row(row, described)
            entry = _started_entry(task)
            self._begun.discard(entry)
            if not outcome.ended:
                # Older stores have the id alone.
                self.execute("DELETE FROM started WHERE task IN (?, ?)", (entry, task.id))
            for (first, last), entry in self._suspects.get(task.point, {}).items():
                if not find_gaps(self.done().get(task.point, {}), first, last):
                    self.execute("DELETE FROM started WHERE task = ?", (entry,))

    def insert_row(self, row: StoredRow, described: tuple[Any, ...]) -> bool:
        """Insert a row and its point (scenario, version, parameters, seed), inside a transaction."""
        return insert_attempt(self.execute, row, point_rows.enter_point(self.execute, row.point, described))

    def has_same_values(self, row: StoredRow) -> bool:
        """True if the values stored here for repeats of this row are the same."""
        point, own = point_rows.find_point_id(self.execute, row.point), unpack_row(row)
        for there, _ in scan_rows(self.execute, OVERLAPPING, (point, row.stop, row.start)):
            found, first, last = unpack_row(there), max(row.start, there.start), min(row.stop, there.stop)
            if own.keys() != found.keys():
                return False
            for name, values in own.items():
                other = found[name][first - there.start : last - there.start]
                if values[first - row.start : last - row.start].tobytes() != other.tobytes():
                    return False
        return True

    def mark_started(self, tasks: Iterable[Task]) -> None:
        """Record tasks about to run here, as suspects of a crash until `add` or `clear_started`."""
        with self.transaction():
            for task in tasks:
                entry = _started_entry(task)
                self.execute("INSERT OR IGNORE INTO started VALUES (?)", (entry,))
                self._begun.add(entry)

    def clear_started(self) -> None:
        """Remove the tasks of this process from the suspects: the run was stopped, it did not crash."""
        with self.transaction():
            for task in self._begun:
                self.execute("DELETE FROM started WHERE task = ?", (task,))
        self._begun.clear()

    def suspect_tasks(self) -> set[str]:
        """Ids of the tasks that were running when a process ended, or that ended it."""
        return {entry.partition(" ")[0] for (entry,) in self.rows("SELECT task FROM started")}

    def suspect_ranges(self) -> dict[str, dict[Block, str]]:
        """For each point the repeats of its suspects: they may be cut into other tasks now."""
        found: dict[str, dict[Block, str]] = {}
        for (entry,) in self.rows("SELECT task FROM started WHERE task LIKE '% % % %'"):
            _, point, start, stop = entry.split(" ")
            found.setdefault(point, {})[int(start), int(stop)] = entry
        self._suspects = found
        return found

    def declare(self, declaration: Declaration, total: int) -> None:
        """Store the declaration, with the number of its tasks."""
        self._data = real_data_facts(declaration)
        text = declaration_json(declaration)
        with self.transaction():
            self.execute(
                "INSERT INTO declarations VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET total = ?, added = ?",
                (text_digest(text), declaration.name, text, total, stamp := utc_timestamp(), total, stamp),
            )

    def declarations(self) -> list[dict[str, Any]]:
        """Stored declarations in the order of their use, for `parse_declaration`."""
        rows = self.rows("SELECT digest, text FROM declarations ORDER BY added, rowid")
        if any(text_digest(text) != written for written, text in rows):
            raise StoreError(damage_message(self.path))
        return [parse_declaration_json(text) for _, text in rows]

    def outcomes(self) -> dict[str, str]:
        """Map of task ids to "done" or "failed" (not done since)."""
        return {hash_content([point, start, stop]): best for point, start, stop, best in self.rows(OUTCOMES)}

    def done(self, measure: str | None = None) -> DoneBlocks:
        """Finished blocks of each point, with the values of one measure if given."""
        return DoneBlocks(self.execute, self.path, measure)

    def status(self) -> Status:
        """Counts of tasks; fast, since the scenario is not loaded."""
        return count_status(self.rows)

    def points(self, declaration: Declaration) -> list[Point]:
        """The declared points in their order with all finished repeats; every row of the store is checked."""
        with self.errors():
            return collect_points(iterate_verified_rows(self.execute, self.path), declaration)

    def iterate_points(self, declaration: Declaration) -> Iterator[Point]:
        """Yield the same points one after the other: there may be more than fit into the memory."""
        return iterate_points(self.execute, self.path, declaration)

    def provenance(self) -> dict[str, Any]:
        """Code, times and machines. One entry in `sessions` for each process that wrote."""
        try:
            return self._read_provenance()
        except ValueError as error:  # invalid JSON
            raise StoreError(damage_message(self.path)) from error

    def _read_provenance(self) -> dict[str, Any]:
        sessions = [
            {"started": started, **json.loads(code)}
            for started, code in self.rows("SELECT started, code FROM sessions ORDER BY id")
        ]
        tasks, seconds, first, last = self.rows(
            f"SELECT count(*), total({SECONDS}), min(finished), max(finished) FROM attempts "
            "WHERE status = 'done'"
        )[0]
        seeds = [seed for (seed,) in self.rows("SELECT DISTINCT seed FROM questions ORDER BY seed")]
        latest = sessions[-1] if sessions else {}
        times = {
            "tasks": tasks,
            "seconds": seconds,
            "first": format_timestamp(first),
            "last": format_timestamp(last),
        }
        kinds, codes = count_cpu_kinds(self.rows), count_code_states(self.rows)
        return {**latest, **times, "seeds": seeds, "cpus": kinds, "codes": codes, "sessions": sessions}

    def _session_id(self) -> int:
        """Id of this process in `sessions`, inserted with its first result."""
        if self._session is None:
            row = (
                utc_timestamp(),
                json.dumps(code_provenance() | ({"data": self._data} if self._data else {})),
            )
            self._session = self.execute("INSERT INTO sessions (started, code) VALUES (?, ?)", row).lastrowid
        assert self._session is not None
        return self._session
