"""The store of an experiment, one SQLite file: declarations, results, provenance. Results are only added."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from markone.errors import StoreError
from markone.lab.recorded_facts import real_data_facts, seal_claims
from markone.lab.scenario import Point
from markone.lab.schedule.tasks import Block, Task, TaskGroup, find_gaps, hash_content
from markone.lab.schema import Declaration
from markone.lab.store import point_rows
from markone.lab.store.blocks import DoneBlocks, JoinedPoints
from markone.lab.store.database import Connection
from markone.lab.store.packing import pack_values, unpack_row
from markone.lab.store.points import StoredPoints
from markone.lab.store.provenance import code_provenance, count_code_states, count_cpu_kinds, utc_timestamp
from markone.lab.store.rows import (
    NAME_DIGITS,
    SECONDS,
    TASKS,
    Origin,
    StoredRow,
    current_timestamp,
    damage_message,
    format_timestamp,
    insert_attempt,
    iterate_verified_rows,
    split_names,
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
FAILED = "SELECT DISTINCT lower(hex(p.point)) FROM attempts AS a JOIN points AS p ON p.id = a.point "
FAILED += "WHERE status = 'failed'"


def computed_stop(task: Task, outcome: TaskOutcome) -> int:
    """End of the repeats that an outcome is about: a worker may return the first ones of a task only."""
    return task.start + outcome.repeats if outcome.repeats and not outcome.error else task.stop


def _started_entry(tasks: TaskGroup) -> str:
    return f"{tasks.id} {tasks.point} {tasks.tasks[0].start} {tasks.tasks[0].stop}"


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

    _declared: dict[str, Any] | None = None  # what a session records of the declaration
    _suspects: Mapping[str, dict[Block, str]] = MappingProxyType({})  # by point, as last asked for

    @cached_property
    def _joined(self) -> JoinedPoints:
        return JoinedPoints()

    @cached_property
    def _failed(self) -> set[str]:
        """Points with a failed task."""
        return {point for (point,) in self.rows(FAILED)}

    def add(self, task: Task, outcome: TaskOutcome) -> None:
        """Add one row for the task, or for its first repeats if it has values of these only, in a
        transaction. A finished task is not changed."""
        self.add_group(TaskGroup((task,)), outcome)

    def add_group(self, group: TaskGroup, outcome: TaskOutcome) -> None:
        """The same for the tasks of a group, in one row; but in a row each where one of the points has failed
        before, so that the failure is known to be mended."""
        tasks, n, failed_before = group.tasks, group.repeats, self._failed
        with self.transaction():
            if len(tasks) == 1 or failed_before.isdisjoint(task.point for task in tasks):
                self._add_row(group, outcome)
            else:
                for k, task in enumerate(tasks):
                    own = {name: values[k * n : (k + 1) * n] for name, values in outcome.values.items()}
                    seconds = outcome.seconds / len(tasks)
                    self._add_row(TaskGroup((task,)), replace(outcome, values=own, seconds=seconds))
            entry = _started_entry(group)
            self._begun.discard(entry)
            if not outcome.ended:
                # Older stores have the id alone.
                self.execute("DELETE FROM started WHERE task IN (?, ?)", (entry, group.id))
            for task in tasks if self._suspects else ():
                for (first, last), entry in self._suspects.get(task.point, {}).items():
                    if not find_gaps(self.done().get(task.point, {}), first, last):
                        self.execute("DELETE FROM started WHERE task = ?", (entry,))

    def _add_row(self, group: TaskGroup, outcome: TaskOutcome) -> None:
        first, failed = group.tasks[0], bool(outcome.error)
        names, data = pack_values({} if failed else outcome.values)
        origin = Origin(clean_text(outcome.worker, 200), outcome.code, outcome.cpu)
        row = StoredRow(
            group.point,
            first.start,
            first.stop if len(group.tasks) > 1 else computed_stop(first, outcome),
            "failed" if failed else "done",
            clean_text(outcome.error),
            round(float(outcome.seconds), 6),
            origin,
            self._session_id(),
            current_timestamp(),
            names,
            data,
        )
        parameters = point_rows.join_parameters([task.parameters for task in group.tasks])
        self.insert_row(row, (first.scenario, first.version, parameters, first.seed))
        if failed:
            self._failed.add(first.point)

    def insert_row(self, row: StoredRow, described: tuple[Any, ...]) -> bool:
        """Insert a row and its points (scenario, version, parameters, seed), inside a transaction."""
        return insert_attempt(self.execute, row, point_rows.enter_point(self.execute, row.point, described))

    def has_same_values(self, row: StoredRow) -> bool:
        """True if the values stored here for repeats of this row, which has one point, are the same."""
        own = unpack_row(row)
        for (start, stop), found in self.done().read_values(row.point).items():
            first, last = max(row.start, start), min(row.stop, stop)
            if first >= last:
                continue
            if own.keys() != found.keys():
                return False
            for name, values in own.items():
                other = found[name][first - start : last - start]
                if values[first - row.start : last - row.start].tobytes() != other.tobytes():
                    return False
        return True

    def mark_started(self, groups: Iterable[TaskGroup]) -> None:
        """Record tasks about to run here, as suspects of a crash until `add` or `clear_started`."""
        with self.transaction():
            for group in groups:
                entry = _started_entry(group)
                self.execute("INSERT OR IGNORE INTO started VALUES (?)", (entry,))
                self._begun.add(entry)

    def clear_started(self, group: TaskGroup | None = None) -> None:
        """Remove a group, or all tasks of this process, from the suspects: it was stopped, not crashed."""
        ended = {_started_entry(group)} if group else set(self._begun)
        with self.transaction():
            for entry in ended:
                self.execute("DELETE FROM started WHERE task = ?", (entry,))
        self._begun -= ended

    def suspect_tasks(self) -> set[str]:
        """Ids of the tasks that were running when a process ended, or that ended it."""
        return {entry.partition(" ")[0] for (entry,) in self.rows("SELECT task FROM started")}

    def suspect_ranges(self) -> dict[str, dict[Block, str]]:
        """For each point the repeats of its suspects: they may be cut into other tasks now. Those of a group
        are stored one by one from here on."""
        found: dict[str, dict[Block, str]] = {}
        with self.transaction():
            for (joined,) in self.rows("SELECT task FROM started WHERE task LIKE '% % % %'"):
                _, names, start, stop = joined.split(" ")
                block = int(start), int(stop)
                for point in split_names(names):
                    entry = f"{hash_content([point, *block])} {point} {start} {stop}"
                    self.execute("INSERT OR IGNORE INTO started VALUES (?)", (entry,))
                    found.setdefault(point, {})[block] = entry
                if len(names) > NAME_DIGITS:
                    self.execute("DELETE FROM started WHERE task = ?", (joined,))
        self._suspects = found
        return found

    def declare(self, declaration: Declaration, total: int) -> None:
        """Store the declaration, with the number of its tasks."""
        data = real_data_facts(declaration)
        self._declared = {"claims": seal_claims(declaration)} | ({"data": data} if data else {})
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
        return {
            hash_content([point, start, stop]): best
            for names, start, stop, best in self.rows(OUTCOMES)
            for point in split_names(names)
        }

    def done(self, measure: str | None = None) -> DoneBlocks:
        """Finished blocks of each point, with the values of one measure if given."""
        return DoneBlocks(self.execute, self.path, measure, self._joined)

    def status(self) -> Status:
        """Counts of tasks; fast, since the scenario is not loaded."""
        return count_status(self.rows)

    def points(self, declaration: Declaration) -> StoredPoints:
        """The declared points in their order with all finished repeats, as columns: each is made when it is
        asked for. Every row of the store is checked."""
        with self.errors():
            rows = (row for row, _ in iterate_verified_rows(self.execute, self.path))
            return StoredPoints(rows, declaration)

    def iterate_points(self, declaration: Declaration) -> Iterator[Point]:
        """Yield the same points one after the other."""
        return iter(self.points(declaration))

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
            f"SELECT coalesce(sum({TASKS}), 0), total({SECONDS}), min(finished), max(finished) "
            "FROM attempts AS a JOIN points AS p ON p.id = a.point WHERE status = 'done'"
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
            row = (utc_timestamp(), json.dumps(code_provenance() | (self._declared or {})))
            self._session = self.execute("INSERT INTO sessions (started, code) VALUES (?, ?)", row).lastrowid
        assert self._session is not None
        return self._session
