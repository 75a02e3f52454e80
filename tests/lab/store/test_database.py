"""One writer, many readers, and messages for file errors."""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from toy_declarations import study

from markone.errors import StoreBusy, StoreError
from markone.lab.runner.run import run
from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.schedule.tasks import Task
from markone.lab.store.results import Store
from markone.run.outcomes import TaskOutcome

pytestmark = pytest.mark.usefixtures("toy")

TASK = Task("toy", 1, {"N": 5, "alpha": 0.5}, 7, 0, 3)
ODD = {"height": np.array([0.1, -0.0, np.nan]), "positive": np.array([np.inf, 5e-324, 1.0])}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def filled(path, count=None):
    with Store(path) as store:
        for task in list_remaining_tasks(study(), {})[:count]:
            store.add(task, run_task(task))
    return path


def test_a_second_writer_is_refused_and_a_reader_is_not(path):
    with Store(path) as store:
        with pytest.raises(StoreBusy, match=r"Another process is writing to .*study.sqlite. Wait"):
            Store(path)
        store.add(TASK, TaskOutcome(ODD))
        with Store(path, "r") as reader:
            assert reader.outcomes() == {TASK.id: "done"}
            with pytest.raises(StoreError, match="opened to read"):
                reader.add(TASK, TaskOutcome(ODD))
    Store(path).close()


def test_a_second_writer_waits_if_asked(path):
    first = Store(path)
    with ThreadPoolExecutor(1) as pool:

        def second():
            with Store(path, wait=20):
                return "written"

        waiting = pool.submit(second)
        assert not waiting.done()
        first.close()
        assert waiting.result() == "written"


def test_the_lock_of_a_killed_process_is_free(path):
    start = "import os; from markone.lab.store.results import Store"
    code = f"{start}; s = Store({str(path)!r}); os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    Store(path).close()


@pytest.mark.parametrize("mode", ["w", "r"])
def test_what_is_not_a_store(path, mode):
    path.write_text("alpha,height\n" * 100)
    with pytest.raises(StoreError, match="is not a markone store: it is not an SQLite database"):
        Store(path, mode)
    path.unlink()
    raw = sqlite3.connect(path)
    raw.execute("CREATE TABLE somebody (els TEXT)")
    raw.commit()
    raw.close()
    with pytest.raises(StoreError, match="is a database, but not a markone store"):
        Store(path, mode)


@pytest.mark.parametrize("mode", ["w", "r"])
@pytest.mark.parametrize("part", [0.4, 0.9])
def test_a_truncated_store(path, mode, part):
    data = filled(path).read_bytes()
    path.write_bytes(data[: int(part * len(data))])
    with pytest.raises(StoreError, match="is damaged"):
        Store(path, mode)


def test_an_empty_file_is_a_new_store_and_a_missing_one_cannot_be_read(path):
    with pytest.raises(StoreError, match="There is no store"):
        Store(path, "r")
    path.touch()
    with Store(path) as store:
        assert store.outcomes() == {}
    with pytest.raises(StoreError, match="its folder does not exist"):
        Store(path.parent / "nowhere" / "study.sqlite")
    with pytest.raises(ValueError, match="not 'a'"):
        Store(path, "a")


def test_a_full_disk_loses_nothing(path):
    """SQLite's limit of pages gives the same error as a full disk."""
    declaration = study(repeats=2000, fixed={"cost": 1e7})
    with Store(path) as store:
        pages = store.rows("PRAGMA page_count")[0][0]
        store.rows(f"PRAGMA max_page_count = {pages + 6}")
        with pytest.raises(StoreError, match=r"is full. All saved results are safe: free some space"):
            run(declaration, store)
        saved = store.status().done
        assert 0 < saved < len(list_remaining_tasks(declaration, {}))
    with Store(path) as store:
        assert run(declaration, store).skipped == saved
        assert list_remaining_tasks(declaration, store.done()) == []


def test_a_read_only_store(path, tmp_path_factory):
    filled(path, 4)
    with Store(path) as store:
        store.rows("PRAGMA query_only = ON")
        with pytest.raises(StoreError, match="cannot be written: it, or its folder, is read-only"):
            store.add(TASK, TaskOutcome(ODD))
    with Store(path, "r") as store:
        assert len(store.outcomes()) == 4


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs to change the user")
def test_a_folder_without_the_right_to_write(path):
    filled(path, 4)
    for folder in [path.parent, *path.parent.parents][:4]:  # pytest keeps its folders private
        folder.chmod(0o755)
    path.chmod(0o644)
    os.seteuid(65534)
    try:
        with pytest.raises(StoreError, match=r"cannot be (written|opened)"):
            Store(path)
        with Store(path, "r") as store:
            assert len(store.outcomes()) == 4
    finally:
        os.seteuid(0)
