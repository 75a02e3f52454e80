"""One SQLite file a study: what was asked, what came out, by which code. Results are only ever added."""

import hashlib
import json
from typing import Any

from markone.lab import cpu_kinds
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.store.connection import Connection
from markone.lab.store.points import collect, packed, unpacked
from markone.lab.store.provenance import code, now
from markone.lab.store.status import Status, counted
from markone.lab.tasks import Task, TaskOutcome
from markone.numerics.arrays import Floats


class Store(Connection):
    """Open it with `with`: to write ("w", one process at a time, waiting at most `wait` seconds) or to
    read ("r", also while another process writes)."""

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
            row = (now(), json.dumps(code()))
            self._session = self.execute("INSERT INTO sessions (started, code) VALUES (?, ?)", row).lastrowid
        assert self._session is not None
        return self._session


def asked(text: str) -> dict[str, Any]:
    """A stored declaration without what it left open."""
    return {key: value for key, value in json.loads(text).items() if value is not None}
