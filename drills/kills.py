"""kill -9 at random moments: the same values at the end, and files that are whole."""

import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from drills.study import command, done, store, values

Outcomes = Iterator[bool]


def killed(folder: Path, words: list[str], after: float) -> None:
    """After so many seconds, whatever it is doing."""
    process = subprocess.Popen(
        command(folder, *words), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(after)
    process.kill()
    process.wait()


def runs(folder: Path, backend: str, tries: int = 3, kills: int = 3) -> Outcomes:
    moments, whole = random.Random(4), folder / "whole"
    whole.mkdir()
    done(whole, "run", "--quiet")
    right = values(whole)
    for k in range(tries):
        place = folder / str(k)
        place.mkdir()
        for _ in range(kills):
            killed(place, ["run", "--quiet", "--backend", backend], moments.uniform(1.0, 6.0))
        ended = done(place, "run", "--quiet", "--backend", backend).returncode
        yield ended == 0 and values(place) == right


def reports(folder: Path, tries: int = 8) -> Outcomes:
    """Every page there is belongs to one report: that of before, or the new one."""
    done(folder, "run", "--quiet")
    done(folder, "report")
    home, moments = store(folder).parent, random.Random(5)
    names = ["report.html", "report.md"]
    before = [(home / name).read_bytes() for name in names]
    for _ in range(tries):
        killed(folder, ["report"], moments.uniform(1.0, 8.0))
        yield [(home / name).read_bytes() for name in names] == before
    assert done(folder, "report").returncode == 0
    yield not list(home.glob(".*part-*"))


DRILLS = {
    "kill -9 of a run on threads, 3 times each": lambda folder: runs(folder, "threads"),
    "kill -9 of a run on processes, 3 times each": lambda folder: runs(folder, "processes"),
    "kill -9 of a report": reports,
}
