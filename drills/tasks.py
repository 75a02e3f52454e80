"""Tasks that crash, exit, never end or exhaust memory, on every backend: one failed row, all others done."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from markone.lab.store.results import Store
from markone.lab.store.status import read_status

Outcomes = Iterator[bool]
TOY = Path(__file__).resolve().parents[1] / "tests" / "lab" / "toy"
TROUBLES = ("raise", "crash", "segfault", "exit", "endless", "odd", "memory", "hungry")
# Address space of each process in bytes; stops a task that exhausts memory.
MOST = 3 * 2**30
TEXT = """
name = "bad"
title = "One bad task"
scenario = "toy"
seed = 7
repeats = 5
task_limit = 20.0
[grid]
N = [5]
alpha = [0.5, 1.0, 1.5, 2.0]
"""


def run_bad_tasks(folder: Path, backend: str) -> Outcomes:
    for trouble in TROUBLES:
        place = folder / trouble
        place.mkdir()
        (place / "bad.toml").write_text(TEXT)
        (place / f"1.{trouble}").touch()
        yield is_run_completed(place, backend)


def is_run_completed(place: Path, backend: str) -> bool:
    """Run up to three times; True if all tasks but one are done. On threads a crash ends the run, but each
    start gets further, and memory is shared: other tasks may fail and are done by the next start."""
    paths = os.pathsep.join(filter(None, [str(TOY), os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {"PYTHONPATH": paths, "TOY_TROUBLE": str(place)}
    command = [sys.executable, "-m", "markone", "run", "bad.toml", "--quiet", "--backend", backend]
    hungry = (place / "1.hungry").exists()
    for _ in range(3):
        found = subprocess.run(
            command,
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
            preexec_fn=limit_address_space if hungry else None,
        )
        now = read_status(place / "runs" / "bad" / "results.sqlite")
        if (found.returncode, now.failed) == (1, 1):
            break
    return (found.returncode, now.done, now.failed) == (1, 3, 1) and (not hungry or is_reason_stored(place))


def limit_address_space() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))


def is_reason_stored(place: Path) -> bool:
    """True if the failed row names the reason."""
    with Store(place / "runs" / "bad" / "results.sqlite", "r") as store:
        ((error,),) = store.rows(
            "SELECT error FROM attempts AS a WHERE status = 'failed' AND NOT EXISTS (SELECT 1 FROM attempts "
            "AS b WHERE b.status = 'done' AND b.point = a.point) ORDER BY id DESC LIMIT 1"
        )
    return any(words in error for words in ("MemoryError", "memory", "ends its process"))


DRILLS = {
    f"bad tasks on {backend}": lambda folder, backend=backend: run_bad_tasks(folder, backend)
    for backend in ("threads", "processes", "loky", "dask")
}
