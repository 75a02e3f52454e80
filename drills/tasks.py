"""Tasks that crash, exit, never end or eat the memory, on every backend: one row, and all others done."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from markone.lab.store.status import status

Outcomes = Iterator[bool]
TOY = Path(__file__).resolve().parents[1] / "tests" / "lab" / "toy"
TROUBLES = ("raise", "crash", "segfault", "exit", "endless", "odd", "memory")
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
    """A crash may end the run on threads, but each start comes further: three of them do all but one task."""
    paths = os.pathsep.join(filter(None, [str(TOY), os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {"PYTHONPATH": paths, "TOY_TROUBLE": str(place)}
    command = [sys.executable, "-m", "markone", "run", "bad.toml", "--quiet", "--backend", backend]
    for _ in range(3):
        found = subprocess.run(
            command, cwd=place, env=environment, capture_output=True, text=True, timeout=400, check=False
        )
        if found.returncode == 1:
            break
    now = status(place / "runs" / "bad" / "results.sqlite")
    return (found.returncode, now.done, now.failed) == (1, 3, 1)


DRILLS = {
    f"bad tasks on {backend}": lambda folder, backend=backend: poisoned(folder, backend)
    for backend in ("threads", "processes", "loky", "dask")
}
