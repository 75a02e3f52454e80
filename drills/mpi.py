"""kill -9 of a run under MPI: of all its processes, or of one, after which MPI ends the others."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from drills.experiment import drill_command, hash_values, run_drill

Outcomes = Iterator[bool]
# Allow three processes on any machine, also as root in a container; for several implementations of MPI.
ANYWHERE = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
HELLO = "from mpi4py import MPI; assert MPI.COMM_WORLD.Get_size() == 2"


def find_mpiexec() -> str | None:
    """Return mpiexec beside this Python, or on the path."""
    beside = Path(sys.executable).with_name("mpiexec")
    return str(beside) if os.access(beside, os.X_OK) else shutil.which("mpiexec")


def skip_reason() -> str:
    """Return the reason why the drill cannot be run here; "" if it can."""
    if find_spec("mpi4py") is None:
        return "mpi4py is not installed"
    found = find_mpiexec()
    if found is None:
        return "there is no mpiexec"
    try:
        started = subprocess.run(
            [found, "-n", "2", sys.executable, "-c", HELLO],
            env=os.environ | ANYWHERE,
            capture_output=True,
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "mpiexec does not start two processes here within a minute"
    return "" if started.returncode == 0 else "mpiexec does not start two processes here"


def mpi_command(folder: Path) -> list[str]:
    python, *words = drill_command(folder, "run", "--quiet", "--backend", "mpi")
    return [str(find_mpiexec()), "-n", "3", python, "-m", "mpi4py.futures", *words]


def list_descendants(pid: int) -> list[int]:
    """Return a process and its descendants, the newest last."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            # "123 (a name) S 1 ...": the name may contain any character.
            children.setdefault(int(entry.read_text().rpartition(")")[2].split()[1]), []).append(
                int(entry.parent.name)
            )
    found = [pid]
    for one in found:
        found += sorted(children.get(one, []))
    return found


def kill_mpi_run(folder: Path, after: float, one: bool, chance: random.Random) -> None:
    process = subprocess.Popen(
        mpi_command(folder),
        cwd=folder,
        env=os.environ | ANYWHERE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(after)
    processes = list_descendants(process.pid)
    for pid in [chance.choice(processes)] if one else processes:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    try:
        process.wait(timeout=60)
    finally:
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def kill_mpi_runs(folder: Path, tries: int = 3, kills: int = 3) -> Outcomes:
    whole = folder / "whole"
    whole.mkdir()
    began = time.monotonic()
    first = subprocess.run(
        mpi_command(whole),
        cwd=whole,
        env=os.environ | ANYWHERE,
        capture_output=True,
        timeout=400,
        check=False,
    )
    seconds, right, chance = time.monotonic() - began, hash_values(whole), random.Random(4)
    yield first.returncode == 0 and right is not None
    for k in range(tries):
        place = folder / str(k)
        place.mkdir()
        for n in range(kills):
            kill_mpi_run(place, chance.uniform(0.1, 1.0) * seconds, one=n % 2 == 1, chance=chance)
        ended = run_drill(place, "run", "--quiet").returncode
        yield ended == 0 and hash_values(place) == right


DRILLS = {"kill -9 of a run under MPI, 3 times each": kill_mpi_runs}
