"""Stores of several hosts in one place: a shared folder, and file systems of fsspec."""

import os
import signal
import subprocess
import sys

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from toy_declarations import expected, study, table

from markone.errors import StoreError
from markone.lab.runner.run import run
from markone.lab.store import storage as module
from markone.lab.store.results import Store
from markone.lab.store.storage import Storage, mirror_store
from markone.lab.store.verify import examine_store

pytestmark = pytest.mark.usefixtures("toy")


class Refusing(MemoryFileSystem):
    protocol = "refusing"
    store: dict = {}  # noqa: RUF012 - as in fsspec

    def put_file(self, *arguments, **options):
        raise PermissionError("Access Denied")


@pytest.fixture(params=["folder", "file", "memory"])
def place(request, tmp_path):
    if request.param == "memory":
        yield "memory://bucket/runs"
        fsspec.filesystem("memory").rm("/bucket", recursive=True)
    else:
        yield str(tmp_path / "shared") if request.param == "folder" else (tmp_path / "shared").as_uri()


def run_on(host, place, path, monkeypatch, shard=None):
    """What `markone run --storage` does on a host."""
    monkeypatch.setattr(module.platform, "node", lambda: host)
    path.parent.mkdir(parents=True, exist_ok=True)
    storage = Storage(place, study().name)
    with mirror_store(storage, path, shard), Store(path) as store:
        return run(study(), store, shard=shard)


def files_in(place):
    storage = Storage(place, study().name)
    return sorted(name.rpartition("/")[2] for name in storage.files.ls(storage.folder, detail=False))


def test_two_hosts_share_the_work_and_a_third_merges_it(place, tmp_path, monkeypatch):
    shards = [tmp_path / host / f"results-shard-{k}-of-2.sqlite" for k, host in ((1, "a"), (2, "b"))]
    done = [
        run_on(path.parent.name, place, path, monkeypatch, shard=(k, 2)).done for k, path in enumerate(shards)
    ]
    assert min(done) > 0
    assert len(files_in(place)) == 2
    # Another host continues the first shard: everything is there.
    other = run_on("c", place, tmp_path / "c" / shards[0].name, monkeypatch, shard=(0, 2))
    assert (other.done, other.skipped) == (0, done[0])
    path = tmp_path / "merged.sqlite"
    with Store(path) as store:
        report, number = Storage(place, study().name).merge_into(store, study())
    assert (report.added, report.missing, report.differing, number) == (sum(done), [], [], 3)
    assert table(path, study()) == expected(study())
    for copy in Storage(place, study().name).iterate_copies(tmp_path):
        assert examine_store(copy).problems == []
    assert list(tmp_path.glob("*.download")) == list(tmp_path.glob("*.upload")) == []


def test_two_hosts_with_the_same_local_path_do_not_overwrite_each_other(place, tmp_path, monkeypatch):
    path = tmp_path / "results.sqlite"
    first = run_on("a", place, path, monkeypatch)
    path.unlink()
    second = run_on("b", place, path, monkeypatch)
    assert (second.done, second.skipped) == (0, first.done)
    assert len(files_in(place)) == 2


def test_a_run_uploads_at_intervals(place, tmp_path, monkeypatch):
    path, storage, seen = tmp_path / "results.sqlite", Storage(place, study().name), set()
    monkeypatch.setattr(module, "INTERVAL", 0.0)
    with mirror_store(storage, path) as upload_if_due, Store(path) as store:
        count = iter(range(100))

        def progress(*step):
            upload_if_due()
            with Store(tmp_path / f"{next(count)}.sqlite") as other:
                seen.add(storage.merge_into(other)[0].added)

        run(study(), store, progress=progress)
    assert len(seen) > 1


def test_a_place_that_refuses_keeps_the_rows_here(tmp_path, monkeypatch):
    fsspec.register_implementation("refusing", Refusing, clobber=True)
    path = tmp_path / "results.sqlite"
    with pytest.raises(StoreError, match=r"took no results: they are safe in .*Access Denied"):
        run_on("a", "refusing://bucket", path, monkeypatch)
    assert table(path, study()) == expected(study())
    with pytest.raises(StoreError, match="cannot be used"):
        Storage("nonsense://bucket", "study")


KILLED = """
import os, signal, sys
from pathlib import Path
from fsspec.implementations.local import LocalFileSystem
from markone.lab.store.storage import Storage

def put_file(self, source, target, **options):
    data = Path(source).read_bytes()
    Path(target).write_bytes(data[: len(data) // 2])
    os.kill(os.getpid(), signal.SIGKILL)

LocalFileSystem.put_file = put_file
Storage(sys.argv[1], "study").upload(Path(sys.argv[2]))
"""


def test_a_kill_in_the_middle_of_an_upload_leaves_the_former_file(tmp_path, monkeypatch):
    place, path = str(tmp_path / "shared"), tmp_path / "results.sqlite"
    done = run_on(os.uname().nodename, place, path, monkeypatch).done
    killed = subprocess.run([sys.executable, "-c", KILLED, place, path], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert [name.endswith(".part") for name in files_in(place)] == [False, True]
    with Store(tmp_path / "merged.sqlite") as store:
        report, number = Storage(place, study().name).merge_into(store, study())
    assert (report.added, report.missing, number) == (done, [], 1)
    # The next upload takes the place of the part.
    Storage(place, study().name).upload(path)
    assert [name.endswith(".part") for name in files_in(place)] == [False]
