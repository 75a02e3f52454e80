"""The store: nothing lost, nothing changed, one writer, and sentences for what can go wrong."""

import csv
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from studies import study, table

from markone.errors import StoreBusy, StoreError
from markone.lab.load import parse
from markone.lab.runner.run import run
from markone.lab.runner.worker import work
from markone.lab.store import sql_schema as schema
from markone.lab.store.export import export
from markone.lab.store.merge import merge
from markone.lab.store.results import Store
from markone.lab.tasks import Task, tasks
from markone.lab.tasks import TaskOutcome as Outcome

pytestmark = pytest.mark.usefixtures("toy")
TASK = Task("toy", 1, {"N": 5, "alpha": 0.5}, 7, 0, 3)
ODD = {"height": np.array([0.1, -0.0, np.nan]), "positive": np.array([np.inf, 5e-324, 1.0])}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def filled(path, count=None):
    with Store(path) as store:
        for task in tasks(study(), {})[:count]:
            store.add(task, work(task))
    return path


def test_values_come_back_to_the_bit(path):
    declaration = study(repeats=3, grid={"N": [5], "alpha": [0.5]})
    (task,) = tasks(declaration, {})
    with Store(path) as store:
        store.add(task, Outcome(ODD, 1.5, "me"))
        (point,) = store.points(declaration)
        assert {k: v.tobytes() for k, v in point.values.items()} == {k: v.tobytes() for k, v in ODD.items()}
        assert (point.repeats, point.seconds, point.failures) == (3, 1.5, [])
        assert store.done("height")[task.id].tobytes() == ODD["height"].tobytes()
        assert store.outcomes() == {task.id: "done"}


def test_results_are_only_added(path):
    with Store(path) as store:
        store.add(TASK, Outcome(error="It failed."))
        assert store.outcomes() == {TASK.id: "failed"}
        store.add(TASK, Outcome(ODD))
        store.add(TASK, Outcome({"height": np.zeros(3)}))
        store.add(TASK, Outcome(error="Too late."))
        assert store.outcomes() == {TASK.id: "done"}
        assert store.done("height")[TASK.id].tobytes() == ODD["height"].tobytes()
    with sqlite3.connect(path) as raw:
        for change in ("UPDATE results SET data = 0", "DELETE FROM attempts", "DELETE FROM results"):
            with pytest.raises(sqlite3.IntegrityError, match="results only grow"):
                raw.execute(change)
    raw.close()


def test_failures_are_told_until_they_are_superseded(path):
    declaration = study()
    first = tasks(declaration, {})[0]
    with Store(path) as store:
        store.add(first, Outcome(error="Bad luck."))
        assert store.points(declaration)[0].failures == ["Bad luck."]
        store.add(first, work(first))
        assert store.points(declaration)[0].failures == []


def test_overlapping_blocks_are_taken_once_and_fewer_repeats_suffice(path):
    with Store(path) as store:
        for repeats in (7, 12, 30):
            run(study(repeats=repeats), store)
    for repeats in (4, 30):
        for row in table(path, study(repeats=repeats)):
            assert row[1] == list(range(repeats))


def test_provenance_names_the_code_the_machine_and_the_time(path):
    filled(path)
    filled(path)
    with Store(path, "r") as store:
        found = store.provenance()
    assert found["seeds"] == [7]
    assert {"markone", "commit", "python", "numpy", "numba", "platform", "machine"} <= set(found)
    assert found["tasks"] == 18
    assert found["seconds"] > 0
    assert len(found["sessions"]) == 2
    assert found["sessions"][0]["started"] <= found["first"] <= found["last"]


def test_a_declaration_is_kept_beside_the_answers(path):
    declaration = study(fixed={"cost": float("inf")}, repeats=2, read_first="Careful.")
    with Store(path) as store:
        store.declare(declaration, 12)
        store.declare(declaration, 18)
        assert [parse(data) for data in store.declarations()] == [declaration]
        assert store.status().total == 18


def test_a_second_writer_is_refused_and_a_reader_is_not(path):
    with Store(path) as store:
        with pytest.raises(StoreBusy, match=r"Another process is writing to .*study.sqlite. Wait"):
            Store(path)
        store.add(TASK, Outcome(ODD))
        with Store(path, "r") as reader:
            assert reader.outcomes() == {TASK.id: "done"}
            with pytest.raises(StoreError, match="opened to read"):
                reader.add(TASK, Outcome(ODD))
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
    code = (
        f"import os; from markone.lab.store import Store; s = Store({str(path)!r}); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    Store(path).close()


@pytest.mark.parametrize("mode", ["w", "r"])
def test_what_is_not_a_store(path, mode):
    path.write_text("alpha,height\n" * 100)
    with pytest.raises(StoreError, match="is not a markone store: it is no SQLite database"):
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
    """SQLite's own limit of pages answers as the full disk does."""
    declaration = study(repeats=2000, fixed={"cost": 1e7})
    with Store(path) as store:
        pages = store.rows("PRAGMA page_count")[0][0]
        store.rows(f"PRAGMA max_page_count = {pages + 6}")
        with pytest.raises(StoreError, match=r"is full. All that was saved is safe: free some space"):
            run(declaration, store)
        saved = store.status().done
        assert 0 < saved < len(tasks(declaration, {}))
    with Store(path) as store:
        assert run(declaration, store).skipped == saved
        assert tasks(declaration, store.done()) == []


def test_a_read_only_store(path, tmp_path_factory):
    filled(path, 4)
    with Store(path) as store:
        store.rows("PRAGMA query_only = ON")
        with pytest.raises(StoreError, match="cannot be written: it, or its folder, is read-only"):
            store.add(TASK, Outcome(ODD))
    with Store(path, "r") as store:
        assert len(store.outcomes()) == 4


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs to become somebody else")
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


def test_older_stores_are_migrated_and_newer_ones_refused(path, monkeypatch):
    """Version 0 never existed: made up, it had no column for the worker."""
    filled(path, 4)
    raw = sqlite3.connect(path)
    raw.execute("ALTER TABLE attempts DROP COLUMN worker")
    raw.execute("PRAGMA user_version = 0")
    raw.commit()
    with pytest.raises(StoreError, match="has format 0, which this markone cannot bring up to 1"):
        Store(path)
    add = "ALTER TABLE attempts ADD COLUMN worker TEXT"
    monkeypatch.setitem(schema.MIGRATIONS, 0, lambda connection: connection.execute(add))
    with Store(path) as store:
        assert len(store.outcomes()) == 4
        store.add(TASK, Outcome(ODD, worker="me"))
    raw.execute("PRAGMA user_version = 2")
    raw.close()
    with pytest.raises(StoreError, match="written by a newer markone"):
        Store(path)


def test_shards_are_merged_and_what_is_missing_is_named(path, tmp_path):
    declaration = study()
    parts = [tmp_path / f"part{i}.sqlite" for i in range(3)]
    for i, part in enumerate(parts):
        with Store(part) as store:
            run(declaration, store, shard=(i, 3))
    with Store(path) as store:
        first = merge(store, parts[:2], declaration)
        missing = tasks(declaration, store.done())
        assert len(first.missing) == len(missing) > 0
        assert first.missing[0].startswith("toy N=")
        second = merge(store, [*parts, parts[2]], declaration)
        assert (second.missing, second.differing) == ([], [])
        assert first.added + second.added == len(tasks(declaration, {}))
        assert len(store.provenance()["sessions"]) == 3
        assert [parse(data) for data in store.declarations()] == [declaration]
    with Store(tmp_path / "whole.sqlite") as store:
        run(declaration, store)
    assert table(path, declaration) == table(tmp_path / "whole.sqlite", declaration)


def test_a_merge_says_what_differs_and_keeps_what_it_has(path, tmp_path):
    with Store(tmp_path / "other.sqlite") as store:
        store.add(TASK, Outcome({"height": np.zeros(3), "positive": np.zeros(3)}))
    with Store(path) as store:
        store.add(TASK, Outcome(ODD))
        report = merge(store, [tmp_path / "other.sqlite"])
        assert report.added == 0
        assert TASK.id in report.differing[0]
        assert store.done("height")[TASK.id].tobytes() == ODD["height"].tobytes()


@pytest.mark.parametrize("ending", ["csv", "parquet", "nc"])
def test_exports_read_back_to_the_same_bits(path, tmp_path, ending):
    declaration = study(fixed={"rule": "minover"})
    with Store(path) as store:
        run(declaration, store)
        target = export(store, declaration, tmp_path / f"table.{ending}")
        points = store.points(declaration)
    assert sorted(p.name for p in tmp_path.glob("*table*")) == [target.name]
    heights = np.concatenate([point.values["height"] for point in points])
    if ending == "nc":
        import xarray

        with xarray.open_dataset(target, engine="scipy") as data:
            assert data["height"].dims == ("N", "alpha", "repeat")
            assert data["height"].values.ravel().tobytes() == heights.tobytes()
            assert "numpy" in data.attrs["provenance"]
        return
    if ending == "csv":
        rows = list(csv.DictReader(target.read_text().splitlines()))
    else:
        from pyarrow import parquet

        rows = parquet.read_table(target).to_pylist()
    assert np.array([float(row["height"]) for row in rows]).tobytes() == heights.tobytes()
    assert [int(row["repeat"]) for row in rows[:12]] == list(range(12))
    assert {row["rule"] for row in rows} == {"minover"}


def test_exports_that_cannot_be_made(path, tmp_path, monkeypatch):
    with Store(filled(path)) as store:
        with pytest.raises(ValueError, match=r"table.xlsx must end in .csv, .parquet, .nc"):
            export(store, study(), tmp_path / "table.xlsx")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(ImportError, match=r"needs pyarrow.*pip install 'markone\[parquet\]'"):
            export(store, study(), tmp_path / "table.parquet")
