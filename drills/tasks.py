"""Tasks that crash, exit, never end or eat the memory, on every backend: one row, and all others done."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from markone.lab.store.results import Store
from markone.lab.store.status import status

Outcomes = Iterator[bool]
TOY = Path(__file__).resolve().parents[1] / "tests" / "lab" / "toy"
TROUBLES = ("raise", "crash", "segfault", "exit", "endless", "odd", "memory", "hungry")
# Bytes of addresses that each process may have: what a hungry task is stopped by, and no more than that.
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


def poisoned(folder: Path, backend: str) -> Outcomes:
    for trouble in TROUBLES:
        place = folder / trouble
        place.mkdir()
        (place / "bad.toml").write_text(TEXT)
        (place / f"1.{trouble}").touch()
        yield survives(place, backend)


def survives(place: Path, backend: str) -> bool:
    """A crash may end the run on threads, but each start comes further: three of them do all but one task.
    There the memory is one for all: others may fail while one eats it, and are done by the next start."""
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
            preexec_fn=limited if hungry else None,
        )
        now = status(place / "runs" / "bad" / "results.sqlite")
        if (found.returncode, now.failed) == (1, 1):
            break
    return (found.returncode, now.done, now.failed) == (1, 3, 1) and (not hungry or told(place))


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))


def told(place: Path) -> bool:
    """The row of the hungry task says what it died of."""
    with Store(place / "runs" / "bad" / "results.sqlite", "r") as store:
        ((error,),) = store.rows(
            "SELECT error FROM attempts AS a WHERE status = 'failed' AND NOT EXISTS (SELECT 1 FROM attempts "
            "AS b WHERE b.status = 'done' AND b.point = a.point) ORDER BY id DESC LIMIT 1"
        )
    return any(words in error for words in ("MemoryError", "memory", "ends its process"))


DRILLS = {
    f"bad tasks on {backend}": lambda folder, backend=backend: poisoned(folder, backend)
    for backend in ("threads", "processes", "loky", "dask")
}
