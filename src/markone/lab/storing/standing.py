"""How far the runs have come: read with sqlite alone, also while another process writes.

Store.status() counts the same, but numpy must be imported for it, and `markone status` is asked often.
"""

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from markone.lab.storing import database

# 'failed' sorts after 'done': the smallest status of a task is its best.
COUNT = "SELECT best, count(*) FROM (SELECT min(status) AS best FROM attempts GROUP BY task) GROUP BY best"
TOTAL = "SELECT total FROM declarations ORDER BY added DESC, rowid DESC LIMIT 1"


@dataclass(frozen=True)
class Standing:
    """Tasks of a store; `silence` is the time in seconds since the last result (NaN without one)."""

    done: int
    failed: int
    total: int
    silence: float

    @property
    def finished(self) -> bool:
        return 0 < self.total <= self.done


def standing(path: Path) -> Standing:
    with database.told(path), closing(database.open_to_read(path)) as connection:
        count = dict(connection.execute(COUNT).fetchall())
        asked = connection.execute(TOTAL).fetchone()
        (last,) = connection.execute("SELECT max(finished) FROM attempts").fetchone()
    return Standing(count.get("done", 0), count.get("failed", 0), asked[0] if asked else 0, _since(last))


def _since(moment: str | None) -> float:
    if moment is None:
        return float("nan")
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds())
