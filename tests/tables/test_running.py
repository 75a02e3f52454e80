"""Many pieces of work: the same results on one core or many, and stopped runs resume."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from sample_problems import Pieces

from markone.errors import Interrupted, MarkoneError
from markone.tables import running


@dataclass
class Stopped:
    """Ctrl-C at one piece the first time; what it has learned is no part of the problem."""

    at: int
    patient: bool = False
    asked: list = field(default_factory=list)

    def __getstate__(self):
        return {"at": self.at}

    def __len__(self):
        return 6

    def run_piece(self, k):
        if k == self.at and not self.patient:
            raise KeyboardInterrupt
        self.asked.append(k)
        return k * k


def results(problem, **how):
    return [done.result for done in running.run_problem(problem, running.Workers(**how))]


def test_one_after_the_other_in_order_with_progress():
    seen = []
    found = running.run_problem(Pieces(5), running.Workers(1), lambda done, total: seen.append((done, total)))
    assert [done.result for done in found] == [0, 1, 4, 9, 16]
    assert seen[0] == (0, 5)
    assert seen[-1] == (5, 5)
    assert all(done.seconds >= 0 for done in found)


@pytest.mark.parametrize("backend", ["processes", "loky", pytest.param("dask", marks=pytest.mark.slow)])
def test_side_by_side_gives_the_same(backend):
    problem = Pieces(6, np.arange(1000.0))
    assert results(problem, n=2, backend=backend) == results(problem, n=1)


def test_long_work_goes_to_all_cores_by_itself(monkeypatch):
    asked = []
    monkeypatch.setattr(running, "MIN_PARALLEL_SECONDS", 0.0)
    monkeypatch.setattr(running, "WARM_UP", 0.0)
    monkeypatch.setattr("markone.run.executors.count_cores", lambda: 2)
    monkeypatch.setattr(
        running,
        "run_in_pool",
        lambda kept, todo, how: asked.extend(todo) or ((k, running.FitOutcome(k)) for k in todo),
    )
    assert results(Pieces(4)) == [0, 1, 2, 3]
    assert asked == [1, 2, 3]


@dataclass
class SlowStart:
    """What is compiled is compiled once."""

    first: float

    def __len__(self):
        return 4

    def run_piece(self, k):
        time.sleep(self.first if k == 0 else 0.0)
        return k


def test_a_first_fit_that_compiles_is_no_reason_for_processes(monkeypatch):
    monkeypatch.setattr(running, "MIN_PARALLEL_SECONDS", 0.5)
    monkeypatch.setattr("markone.run.executors.count_cores", lambda: 2)
    monkeypatch.setattr(running, "run_in_pool", lambda *all: pytest.fail("started processes"))
    assert results(SlowStart(0.6)) == [0, 1, 2, 3]


def test_a_run_that_was_interrupted_goes_on(monkeypatch):
    monkeypatch.setattr(running, "CHECKPOINT_AFTER", 0.0)
    problem = Stopped(3)
    with pytest.raises(Interrupted, match="3 of 6 fits are kept: the same command continues"):
        results(problem, n=1)
    again = Stopped(3, patient=True)
    assert results(again, n=1) == [0, 1, 4, 9, 16, 25]
    assert again.asked == [3, 4, 5]
    left = running.Checkpoint(again)
    assert not left.done()
    left.close(finished=True)


KILLED = """
import sys
sys.path.insert(0, {here!r})
from sample_problems import Pieces
from markone.tables import running
running.CHECKPOINT_AFTER = 0.0
print([done.result for done in running.run_problem(Pieces(5, slow=0.5), running.Workers(1))])
"""


def test_a_run_that_was_killed_goes_on():
    code = KILLED.format(here=str(Path(__file__).parent))
    first = subprocess.Popen([sys.executable, "-c", code])
    kept = running.Checkpoint(Pieces(5, slow=0.5))
    deadline = time.monotonic() + 60
    while len(kept.done()) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert 2 <= len(kept.done()) < 5
    said = []
    found = running.run_problem(
        Pieces(5, slow=0.5), running.Workers(1), lambda done, total: said.append(done)
    )
    assert [done.result for done in found] == [0, 1, 4, 9, 16]
    assert said[0] >= 2


def test_the_same_command_twice_at_once(monkeypatch):
    """The first to end removes the folder; the other goes on without it."""
    monkeypatch.setattr(running, "CHECKPOINT_AFTER", 0.0)
    problem = Pieces(4, np.array([7.0]))

    def progress(done, total):
        if done == 0:
            running.Checkpoint(problem).close(finished=True)

    found = running.run_problem(problem, running.Workers(1), progress)
    assert [done.result for done in found] == results(problem, n=1)


def test_a_torn_log_is_read_as_far_as_it_is_whole():
    kept = running.Checkpoint(Pieces(3, slow=0.25))
    kept.add(0, running.FitOutcome(7))
    kept.add(1, running.FitOutcome(8))
    log = next(kept.folder.glob("*.log"))
    log.write_bytes(log.read_bytes()[:-3])
    assert {k: done.result for k, done in kept.done().items()} == {0: 7}
    kept.close(finished=True)


def test_other_data_other_folder():
    folders = {running.Checkpoint(p).folder for p in (Pieces(3), Pieces(4), Pieces(3, np.ones(2)))}
    assert len(folders) == 3
    for folder in folders:
        folder.rmdir()


@pytest.mark.parametrize("n", [1, 2])
def test_the_error_of_a_piece_is_the_error_of_the_run(n):
    with pytest.raises(ValueError, match="piece 2 is wrong"):
        results(Pieces(4, wrong=2), n=n)


def test_what_kills_its_process_is_named():
    with pytest.raises(MarkoneError, match="Fit 2 kills its process, also when run alone"):
        results(Pieces(3, deadly=1), n=2)


UNGUARDED = """
import markone
print(markone.fit({path!r}, target="y", model="hebb", cv="2x3", workers=2).model)
"""


def test_a_script_without_a_guard_may_fit_on_several_processes(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n" + "1,2,u\n2,1,v\n" * 12)
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED.format(path=str(tmp_path / "t.csv")))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300)
    assert done.stdout == "hebb\n", done.stderr
