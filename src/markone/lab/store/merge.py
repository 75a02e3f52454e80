"""Merge the stores of the shards of an experiment."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from markone.errors import StoreError
from markone.lab.schedule.remaining import iterate_remaining_tasks
from markone.lab.schedule.tasks import describe_task, find_gaps, hash_content
from markone.lab.schema import Declaration
from markone.lab.store.blocks import DoneBlocks
from markone.lab.store.packing import pack_values, unpack_row
from markone.lab.store.point_rows import QUESTIONS, Described, Descriptions, divide_parameters
from markone.lab.store.results import Store
from markone.lab.store.rows import StoredRow, damage_message, iterate_verified_rows

# By the index of the rows of this status.
EQUAL = {
    status: "SELECT 1 FROM points AS p JOIN attempts AS a ON a.point = p.id WHERE p.point = ? AND start = ? "
    f"AND stop = ? AND checksum = ? AND status = '{status}'"
    for status in ("done", "failed")
}
CODES = "SELECT DISTINCT w.code FROM attempts AS a JOIN workers AS w ON w.id = a.worker WHERE w.code != ''"


@dataclass(frozen=True)
class MergeReport:
    """Number of new tasks, tasks still missing, and tasks whose values differ from those here."""

    added: int
    missing: list[str]
    differing: list[str]


def merge_stores(
    target: Store,
    sources: Iterable[str | Path],
    declaration: Declaration | None = None,
    other_code: bool = False,
) -> MergeReport:
    """Copy rows that the target does not have, with their provenance. Existing rows are never changed.

    Stores computed by other code are refused, unless `other_code`.
    """
    paths = list(sources)
    if not other_code:
        _require_one_code(target, paths)
    added, differing = 0, []
    for path in paths:
        with Store(path, "r") as source:
            new, other = _copy_store_rows(target, source)
            added += new
            differing += other
    missing: list[str] = []
    if declaration is not None:
        known = target.done(declaration.precision_of)
        missing = [describe_task(task) for task in iterate_remaining_tasks(declaration, known)]
    return MergeReport(added, missing, differing)


def _require_one_code(target: Store, paths: list[str | Path]) -> None:
    """Raise if the stores were computed by different code; rows without a recorded code are accepted."""
    found = {code: target.path for (code,) in target.rows(CODES)}
    for path in paths:
        with Store(path, "r") as source:
            found |= {code: source.path for (code,) in source.rows(CODES) if code not in found}
    if len(found) > 1:
        codes = "; ".join(f"markone {code} in {path}" for code, path in found.items())
        raise StoreError(
            f"These stores were computed by different code: {codes}. Compute them by the same code, or merge "
            "them with --other-code; the report will mention it."
        )


def _copy_store_rows(target: Store, source: Store) -> tuple[int, list[str]]:
    """Copy the rows of a source in one transaction; return their number and the tasks that differ."""
    descriptions = Descriptions(source.rows(QUESTIONS))
    known = target.done()
    sessions: dict[int, int] = {}
    added, differing = 0, []
    with target.transaction():
        for entry in source.rows("SELECT digest, name, text, total, added FROM declarations"):
            target.execute("INSERT OR IGNORE INTO declarations VALUES (?, ?, ?, ?, ?)", entry)
        for whole, columns in iterate_verified_rows(source.execute, source.path):
            described = descriptions.describe_point(*columns)
            if not described:
                raise StoreError(damage_message(source.path))
            place = bytes.fromhex(whole.point), whole.start, whole.stop
            if target.rows(EQUAL[whole.status], (*place, whole.stored_checksum)):
                continue
            for row, description in _divide_row(whole, described, known):
                covered = known.get(row.point, {})
                if row.status == "done" and covered and not target.has_same_values(row):
                    task = hash_content([row.point, row.start, row.stop])
                    point = f"{description[0]} {json.dumps(description[2])}"
                    differing.append(f"task {task} ({point}) in {source.path}")
                if not find_gaps(covered, row.start, row.stop if row.status == "done" else row.start + 1):
                    continue
                signed = replace(row, session=_copy_session(target, source, row, sessions))
                if target.insert_row(signed, description) and row.status == "done":
                    added += row.tasks
    return added, differing


def _divide_row(
    row: StoredRow, described: Described, known: DoneBlocks
) -> Iterator[tuple[StoredRow, Described]]:
    """The row of several points as it is if the target has none of them, else a row for each point."""
    points = row.points
    if len(points) == 1 or not any(point in known for point in points):
        yield row, described
        return
    scenario, version, parameters, seed = described
    for k, (point, own) in enumerate(zip(points, divide_parameters(parameters, len(points)), strict=True)):
        names, data = pack_values(unpack_row(row, k))
        single = replace(row, point=point, seconds=row.seconds / len(points), measures=names, data=data)
        yield single, (scenario, version, own, seed)


def _copy_session(target: Store, source: Store, row: StoredRow, sessions: dict[int, int]) -> int:
    """Id in the target of the process that wrote a row, inserted with its first row."""
    if row.session not in sessions:
        signed = source.rows("SELECT started, code FROM sessions WHERE id = ?", (row.session,))
        values = signed[0] if signed else ("", "{}")
        entered = target.execute("INSERT INTO sessions (started, code) VALUES (?, ?)", values)
        sessions[row.session] = entered.lastrowid or 0
    return sessions[row.session]
