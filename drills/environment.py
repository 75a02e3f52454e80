"""A full disk, a jumping clock, a worker with other code: nothing is lost, foreign results are refused."""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from drills.experiment import drill_command, drill_store, hash_values, list_leftovers, run_command, run_drill

Outcomes = Iterator[bool]
SOURCES = Path(__file__).resolve().parents[1] / "src"


def fill_disk(folder: Path, tries: int = 6) -> Outcomes:
    """Limit the size of files: run, export and report fail with a message and complete without the limit."""
    whole = folder / "whole"
    whole.mkdir()
    run_drill(whole, "run", "--quiet")
    right, size = hash_values(whole), drill_store(whole).stat().st_size
    for k in range(tries):
        place = folder / str(k)
        place.mkdir()
        found = run_with_file_limit(place, size * (k + 1) // (tries + 1), "run", "--quiet")
        good = found.returncode not in (0, 70) and "Traceback" not in found.stderr
        again = run_drill(place, "run", "--quiet").returncode
        yield good and again == 0 and hash_values(place) == right
    for words in (["export", "t.csv"], ["report"]):
        found = run_with_file_limit(whole, 512, *words)
        good = found.returncode not in (0, 70) and "Traceback" not in found.stderr
        yield (
            good
            and not (whole / "t.csv").exists()
            and not list_leftovers(whole)
            and hash_values(whole) == right
        )


def run_with_file_limit(folder: Path, most: int, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command with files limited to `most` bytes."""
    return subprocess.run(
        drill_command(folder, *words),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )


JUMPING = """
import datetime, random, sys, time
jumps, real = random.Random({seed}), time.time
time.time = lambda: real() + jumps.choice((-1, 1)) * jumps.uniform(0.0, 1e6)
class Jumping(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.fromtimestamp(time.time(), tz)
from markone.lab.store import provenance, rows
rows.datetime = provenance.datetime = Jumping
from markone.cli.main import main
sys.argv = ["markone", "run", "drill.toml", "--quiet"]
main()
"""


def shift_clock(folder: Path, tries: int = 3) -> Outcomes:
    """Every reading of the clock is days off: the values are the same, status and provenance still work."""
    whole = folder / "whole"
    whole.mkdir()
    run_drill(whole, "run", "--quiet")
    right = hash_values(whole)
    for k in range(tries):
        place = folder / str(k)
        place.mkdir()
        words = [*drill_command(place, "run")[:1], "-c", JUMPING.format(seed=k)]
        found = run_command(place, words)
        output = run_drill(place, "status").stdout
        yield found.returncode == 0 and hash_values(place) == right and "finished" in output


CLUSTER = """
import os, sys, subprocess, json
from distributed import Client, LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None, silence_logs=50) as cluster:
        environment = os.environ | {{"PYTHONPATH": {path!r}}}
        words = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
        words += ["--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
        worker = subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL)
        try:
            with Client(cluster, set_as_default=False) as client:
                client.wait_for_workers(1, timeout=120)
            run = [*{run!r}, "--backend", "dask", "--scheduler", cluster.scheduler_address]
            found = subprocess.run(run, capture_output=True, text=True, timeout=300)
            print(json.dumps([found.returncode, found.stderr]))
        finally:
            worker.kill()
            worker.wait()
"""


def use_other_code(folder: Path) -> Outcomes:
    """Results of a Dask worker with other sources are refused; with the same sources they are accepted."""
    other = folder / "other"
    shutil.copytree(SOURCES, other, ignore=shutil.ignore_patterns("__pycache__"))
    changed = other / "markone" / "perceptron" / "theory" / "capacity.py"
    changed.write_text(changed.read_text() + "\nANOTHER = 1\n")
    for path, fine in ((other, False), (SOURCES, True)):
        place = folder / f"run-{fine}"
        place.mkdir()
        text = CLUSTER.format(path=str(path), run=drill_command(place, "run", "--quiet"))
        (place / "cluster.py").write_text(text)
        found = subprocess.run(
            [sys.executable, "cluster.py"],
            cwd=place,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        code, errors = json.loads(found.stdout.splitlines()[-1])
        named = "runs other code" in errors
        yield (code == 0 and hash_values(place) is not None) if fine else (code not in (0, 70) and named)


DRILLS = {
    "a full disk": fill_disk,
    "a clock that jumps": shift_clock,
    "a worker of other code": use_other_code,
}
if os.name != "posix":  # no file size limits
    del DRILLS["a full disk"]
