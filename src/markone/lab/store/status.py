"""Progress and declarations of a store, read with sqlite only, also while another process writes.

Neither numpy nor the scenario is imported, so that `markone status` is fast.
"""

import hashlib
import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from markone.lab.store import database

if TYPE_CHECKING:
    from markone.lab.schema import Declaration

FAILED = (
    "SELECT count(*) FROM (SELECT DISTINCT point, start FROM attempts AS a WHERE status = 'failed' AND "
    "NOT EXISTS (SELECT 1 FROM attempts AS b WHERE b.status = 'done' AND b.point = a.point AND "
    "b.start <= a.start AND b.stop > a.start))"
)
TALLY = "SELECT done, failed, last FROM tally"
TOTAL = "SELECT total FROM declarations ORDER BY added DESC, rowid DESC LIMIT 1"


@dataclass(frozen=True)
class Status:
    """Tasks of the whole store; `total` as the last run counted them (0 if none has); `silence` is the
    time in seconds since the last result (NaN without one)."""

    done: int
    failed: int
    total: int
    silence: float

    @property
    def is_finished(self) -> bool:
        return 0 < self.total <= self.done


def read_status(path: Path) -> Status:
    """Status of the store at a path."""
    with database.translate_errors(path), closing(database.open_to_read(path)) as connection:
        return count_status(lambda query: connection.execute(query).fetchall())


def stored_declarations(path: Path) -> list[str]:
    """All declarations of a store, as text."""
    with database.translate_errors(path), closing(database.open_to_read(path)) as connection:
        return [str(text) for (text,) in connection.execute("SELECT text FROM declarations")]


def count_status(rows: Callable[[str], list[Any]]) -> Status:
    """Status from a function that executes queries."""
    ((done, failed, last),), asked = rows(TALLY), rows(TOTAL)
    total = asked[0][0] if asked else 0
    failed = rows(FAILED)[0][0] if failed else 0
    return Status(done, failed, total, max(0.0, time() - last) if last else float("nan"))


def _omitted_keys(declaration: "Declaration") -> set[str]:
    """Keys left out of the digest: newer ones that are not set, and the chapter, so that the digest of an
    unchanged declaration stays the same."""
    late = {"task_limit": declaration.task_limit, "packages": declaration.packages}
    return {"chapter", *(key for key, value in late.items() if not value)}


def declaration_json(declaration: "Declaration") -> str:
    """JSON text of a declaration in a store."""
    return json.dumps(declaration.model_dump(exclude=_omitted_keys(declaration)))


def text_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def parse_declaration_json(text: str) -> dict[str, Any]:
    """The keys of a stored declaration that have a value."""
    return {key: value for key, value in json.loads(text).items() if value is not None}
