"""How far the runs have come: read with sqlite alone, also while another process writes.

Neither numpy nor the scenario is imported for it: `markone status` is asked often.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from markone.lab.store import database

# 'failed' sorts after 'done': the smallest status of a task is its best.
COUNT = "SELECT best, count(*) FROM (SELECT min(status) AS best FROM attempts GROUP BY task) GROUP BY best"
TOTAL = "SELECT total FROM declarations ORDER BY added DESC, rowid DESC LIMIT 1"
LAST = "SELECT max(finished) FROM attempts"


@dataclass(frozen=True)
class Status:
    """Tasks of the whole store; `total` as the last run counted them (0 if none has); `silence` is the time
    in seconds since the last result (NaN without one)."""

    done: int
    failed: int
    total: int
    silence: float

    @property
    def finished(self) -> bool:
        return 0 < self.total <= self.done


def status(path: Path) -> Status:
    """Of a store that nobody needs to have opened."""
    with database.translate_errors(path), closing(database.open_to_read(path)) as connection:
        return counted(lambda query: connection.execute(query).fetchall())


def counted(rows: Callable[[str], list[Any]]) -> Status:
    """`rows` answers a query."""
    count, asked, ((last,),) = dict(rows(COUNT)), rows(TOTAL), rows(LAST)
    total = asked[0][0] if asked else 0
    return Status(count.get("done", 0), count.get("failed", 0), total, _since(last))


def _since(moment: str | None) -> float:
    if moment is None:
        return float("nan")
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds())
