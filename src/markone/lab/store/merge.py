"""Join the stores of the shards of one study."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from markone.lab import cpu_kinds
from markone.lab.schema import Declaration
from markone.lab.store.results import Store
from markone.lab.tasks import describe, tasks

RESULTS = "SELECT measure, data FROM results WHERE attempt = ? ORDER BY measure"
ATTEMPTS = (
    "SELECT id, session, task, a.point, start, stop, status, error, seconds, worker, finished, "
    "scenario, version, parameters, seed FROM attempts AS a JOIN points AS p ON p.point = a.point ORDER BY id"
)


@dataclass(frozen=True)
class MergeReport:
    """Tasks that were new, what the declaration still misses, and tasks whose values are not those here."""

    added: int
    missing: list[str]
    differing: list[str]


def merge(
    target: Store, sources: Iterable[str | Path], declaration: Declaration | None = None
) -> MergeReport:
    """Copy what the target does not have, with its provenance. What is there is never changed."""
    added, differing = 0, []
    for path in sources:
        with Store(path, "r") as source:
            new, other = copy(target, source)
            added += new
            differing += other
    missing: list[str] = []
    if declaration is not None:
        known = target.done(declaration.precision_of)
        missing = [describe(task) for task in tasks(declaration, known)]
    return MergeReport(added, missing, differing)


def copy(target: Store, source: Store) -> tuple[int, list[str]]:
    """One transaction a source: a kill leaves it in or out."""
    known = dict(target.rows("SELECT task, id FROM attempts WHERE status = 'done'"))
    failed = {tuple(row) for row in target.rows("SELECT task, finished, worker FROM attempts")}
    kinds = cpu_kinds.of_attempts(source.rows)
    sessions: dict[int, int] = {}
    added, differing = 0, []
    with target.transaction():
        for digest_row in source.rows("SELECT digest, name, text, total, added FROM declarations"):
            target.execute("INSERT OR IGNORE INTO declarations VALUES (?, ?, ?, ?, ?)", digest_row)
        for row in source.rows(ATTEMPTS):
            number, session, task, point, *rest = row
            status, finished, worker = rest[2], rest[6], rest[5]
            values = source.rows(RESULTS, (number,))
            if task in known:
                if status == "done" and values != target.rows(RESULTS, (known[task],)):
                    differing.append(f"task {task} ({rest[7]} {rest[9]}) in {source.path}")
                continue
            if status == "failed" and (task, finished, worker) in failed:
                continue
            if session not in sessions:
                signed = source.rows("SELECT started, code FROM sessions WHERE id = ?", (session,))[0]
                entered = target.execute("INSERT INTO sessions (started, code) VALUES (?, ?)", signed)
                sessions[session] = entered.lastrowid or 0
            target.execute("INSERT OR IGNORE INTO points VALUES (?, ?, ?, ?, ?)", (point, *rest[7:]))
            cpu_kinds.enter(target.execute, kinds.get(number, ""))
            attempt = target.execute(
                "INSERT INTO attempts (task, point, start, stop, status, error, seconds, worker, session, "
                f"finished, cpu) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {cpu_kinds.NUMBER})",
                (task, point, *rest[:6], sessions[session], rest[6], kinds.get(number, "")),
            ).lastrowid
            for measure, data in values:
                target.execute("INSERT INTO results VALUES (?, ?, ?)", (attempt, measure, data))
            if status == "done":
                known[task] = attempt
                added += 1
    return added, differing
