"""Processes killed at random moments and started again: the same table, and no task done twice."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy_declarations import expected, study, table

from markone.lab.runner.run import run
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store.results import Store

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[2])
from toy_declarations import study
from markone.lab.runner.run import run
from markone.lab.store.results import Store
from markone.run.executors import executor_factory

if __name__ == "__main__":
    maker = executor_factory(sys.argv[3], 2)
    with Store(sys.argv[1], wait=10) as store:
        declaration = study(repeats=60, fixed={"busy": 0.01})
        run(declaration, store, maker, progress=lambda *step: print(step[0], flush=True))
"""


def start(tmp_path, kind):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    here = str(Path(__file__).parents[1])
    command = [sys.executable, str(program), str(tmp_path / "study.sqlite"), here, kind]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()


def running(worker):
    """True if host:pid exists and is not a zombie."""
    try:
        return Path(f"/proc/{worker.split(':')[1]}/stat").read_text().rsplit(")")[1].split()[0] != "Z"
    except OSError:
        return False


def done_in(path):
    if not path.exists():
        return 0
    with Store(path, wait=10) as store:
        return store.status().done


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_killed_at_random_moments_and_started_again(toy, tmp_path, kind):
    declaration = study(repeats=60, fixed={"busy": 0.01})
    total = len(list_remaining_tasks(declaration, {}))
    path = tmp_path / "study.sqlite"
    moments = random.Random(5)
    saved = 0
    for _ in range(3):
        process = start(tmp_path, kind)
        for _ in range(moments.randrange(1, 5)):
            process.stdout.readline()
        time.sleep(moments.random() * 0.03)
        kill(process)
        # All reported tasks are stored, and never fewer than before.
        assert done_in(path) > saved
        saved = done_in(path)
    if kind == "processes":
        with Store(path, "r") as store:
            workers = [worker for (worker,) in store.rows("SELECT name FROM workers")]
        deadline = time.monotonic() + 20
        while any(map(running, workers)) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not any(map(running, workers)), "Workers outlive the process that they worked for."
    assert saved < total == 72
    with Store(path) as store:
        summary = run(declaration, store)
        assert (summary.skipped, summary.done) == (saved, total - saved)
        assert store.rows("SELECT count(*) FROM attempts")[0][0] == total
    assert table(path, declaration) == expected(declaration)


def test_killed_while_the_store_is_made(toy, tmp_path):
    moments = random.Random(6)
    code = "import sys; from markone.lab.store.results import Store; print(flush=True); Store(sys.argv[1])"
    for _ in range(4):
        command = [sys.executable, "-c", code, str(tmp_path / "study.sqlite")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(moments.random() * 0.01)
        kill(process)
        assert done_in(tmp_path / "study.sqlite") == 0
        for path in tmp_path.glob("study.sqlite*"):
            path.unlink()
