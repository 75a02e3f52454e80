"""Fits of tables, run by a worker in a process of their own, one at a time."""

import json
import shutil
import subprocess
import sys
import threading
import time
from typing import Any

from markone.web.budget import CPU_BUDGET
from markone.web.table.uploads import current_uploads

# Wall-clock seconds, where processor time cannot be limited or the machine is busy.
LONGEST = 4 * CPU_BUDGET
ENDED = (
    f"The fit exceeded the limit of one request: {CPU_BUDGET:.0f} s of computing, or its memory. "
    "Use fewer folds, rows or columns; `markone fit` on the command line has no such limit."
)


class TableFit:
    """The process of one fit, and the messages received from it so far."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.place = current_uploads().make_result_folder()
        self.received: dict[str, Any] = {}
        self.began = time.monotonic()
        command = [sys.executable, "-P", "-W", "ignore", "-m", "markone.web.table.fit_process"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdin
        self.process.stdin.write(json.dumps(order | {"place": str(self.place)}).encode())
        self.process.stdin.close()
        self.reader = threading.Thread(target=self._read_output, daemon=True)
        self.reader.start()

    def _read_output(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.received |= json.loads(line)

    @property
    def is_running(self) -> bool:
        if time.monotonic() - self.began > LONGEST:
            self.process.kill()
        return self.process.poll() is None

    def publish_result(self, key: str) -> str:
        """Publish report and model of a finished fit and return its headline. ValueError if it has failed."""
        self.reader.join()
        if "headline" not in self.received:
            raise ValueError(self.received.get("refused", ENDED))
        words = {"headline": self.received["headline"]}
        (self.place / "words.json").write_text(json.dumps(words), encoding="utf-8")
        current_uploads().publish_folder(self.place, key)
        return str(self.received["headline"])

    def close(self) -> None:
        """End the process and remove what is unfinished."""
        self.process.kill()
        self.process.wait()
        self.reader.join()
        assert self.process.stdout
        self.process.stdout.close()
        shutil.rmtree(self.place, ignore_errors=True)


_current: list[TableFit] = []


def slot_is_free() -> bool:
    """True if no fit is running: each worker runs one at a time."""
    _current[:] = [fit for fit in _current if fit.is_running]
    return not _current


def start_table_fit(order: dict[str, Any]) -> TableFit:
    _current.append(TableFit(order))
    return _current[-1]


def find_earlier_headline(key: str) -> str | None:
    """Return the headline of a finished fit; None if there is none with this key."""
    folder = current_uploads().result(key)
    if folder is None:
        return None
    return str(json.loads((folder / "words.json").read_text(encoding="utf-8"))["headline"])
