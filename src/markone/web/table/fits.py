"""Fits as the worker sees them: one at a time, asked how far they are, ended with their page."""

import json
import shutil
import subprocess
import sys
import threading
import time
from typing import Any

from markone.web.budget import CPU_BUDGET
from markone.web.table.uploads import uploads

# Of the clock, where processor time cannot be limited or other work is in the way.
LONGEST = 4 * CPU_BUDGET
ENDED = (
    f"The fit took more than the {CPU_BUDGET:.0f} s of computing or the memory that one request gets. "
    "Use fewer folds, rows or columns; `markone fit` on the command line has no such limit."
)


class TableFit:
    """One process, and what it has said so far."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.place = uploads().new_result()
        self.said: dict[str, Any] = {}
        self.began = time.monotonic()
        command = [sys.executable, "-P", "-W", "ignore", "-m", "markone.web.table.process"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdin
        self.process.stdin.write(json.dumps(order | {"place": str(self.place)}).encode())
        self.process.stdin.close()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.said |= json.loads(line)

    @property
    def running(self) -> bool:
        if time.monotonic() - self.began > LONGEST:
            self.process.kill()
        return self.process.poll() is None

    def headline(self, key: str) -> str:
        """After the end: report and model are in their place. ValueError if there are none."""
        self.reader.join()
        if "headline" not in self.said:
            raise ValueError(self.said.get("refused", ENDED))
        words = {"headline": self.said["headline"]}
        (self.place / "words.json").write_text(json.dumps(words), encoding="utf-8")
        uploads().finish(self.place, key)
        return str(self.said["headline"])

    def close(self) -> None:
        """Whatever was reached: no process and no half result stays."""
        self.process.kill()
        self.process.wait()
        self.reader.join()
        assert self.process.stdout
        self.process.stdout.close()
        shutil.rmtree(self.place, ignore_errors=True)


_current: list[TableFit] = []


def slot_is_free() -> bool:
    """One fit at a time in each worker: more would only make all of them slow."""
    _current[:] = [fit for fit in _current if fit.running]
    return not _current


def start(order: dict[str, Any]) -> TableFit:
    _current.append(TableFit(order))
    return _current[-1]


def earlier(key: str) -> str | None:
    """The headline of a fit that is already here."""
    folder = uploads().result(key)
    if folder is None:
        return None
    return str(json.loads((folder / "words.json").read_text(encoding="utf-8"))["headline"])
