"""Damage of a store is detected, and undamaged rows are kept."""

import random
import shutil
import sqlite3
from contextlib import closing

import pytest
from toy_declarations import expected, study, table

from markone.cli.main import run_command_line
from markone.errors import StoreError
from markone.lab.runner.run import run
from markone.lab.store import database
from markone.lab.store.results import Store
from markone.lab.store.sql_schema import VERSION
from markone.lab.store.verify import examine_store, repair_store
from markone.run.executors import thread_workers

pytestmark = pytest.mark.usefixtures("toy")
BIG = {"repeats": 40}


@pytest.fixture
def path(tmp_path):
    with Store(tmp_path / "study.sqlite") as store:
        run(study(**BIG), store, thread_workers(2))
    return tmp_path / "study.sqlite"


def bits(path):
    """The table, or None if the store raises an error."""
    try:
        return table(path, study(**BIG))
    except StoreError:
        return None


def changed(path, statement):
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(f"DROP TRIGGER keep_attempts; DROP TRIGGER hold_attempts; {statement}")
        raw.commit()


DAMAGES = {
    "another number": "UPDATE attempts SET data = zeroblob(length(data)) WHERE id = 7",
    "other repeats": "UPDATE attempts SET start = start + 500, stop = stop + 500 WHERE id = 7",
    "a row less": "DELETE FROM attempts WHERE id = 7",
    "another point": "UPDATE points SET point = 'f' || substr(point, 2) WHERE id = 2",
    "other names": "UPDATE measures SET names = 'positive' || char(10) || 'height'",
    "another origin": "UPDATE workers SET code = '0.0 abc'",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_found_and_repaired(path, damage):
    assert examine_store(path).problems == []
    changed(path, damage)
    assert examine_store(path).problems
    with pytest.raises(StoreError, match=r"is damaged: rows in it .*markone verify --store .*--repair"):
        table(path, study(**BIG))
    kept, aside = repair_store(path)
    assert aside.name == "study.sqlite.damaged-1"
    assert examine_store(path).problems == []
    with Store(path) as store:
        summary = run(study(**BIG), store, thread_workers(2))
    assert (summary.skipped, summary.skipped + summary.done) == (kept, 48)
    assert table(path, study(**BIG)) == expected(study(**BIG))
    assert list(path.parent.glob(".repair*")) == []


def test_a_flipped_bit_is_found_or_harmless(path, tmp_path):
    right, data = bits(path), path.read_bytes()
    places = random.Random(3)
    found = 0
    for _ in range(40):
        bad = bytearray(data)
        bad[places.randrange(len(bad))] ^= 1 << places.randrange(8)
        path.write_bytes(bad)
        now = bits(path)
        assert now in (right, None)
        found += now is None
    assert found > 0


def test_a_schema_that_is_no_text_is_a_sentence(path):
    """SQLite's message contains the broken text, which Python cannot decode."""
    data = path.read_bytes()
    assert b"CREATE TABLE" in data
    path.write_bytes(data.replace(b"CREATE TABLE", b"CREATE \xed\x41BLE"))
    for mode in ("r", "w"):
        with pytest.raises(StoreError):
            Store(path, mode)


def test_a_cut_file_is_refused_by_readers_and_by_who_would_write(path):
    right, data = bits(path), path.read_bytes()
    for cut in (100, 5000, len(data) // 2):
        path.write_bytes(data[:-cut])
        for mode in ("r", "w"):
            with pytest.raises(StoreError, match="damaged"):
                Store(path, mode)
        assert "The end of the file is missing." in examine_store(path).problems
        repair_store(path)
        with Store(path) as store:
            run(study(**BIG), store, thread_workers(2))
        assert bits(path) == right


def test_what_cannot_be_read_at_all(path):
    path.write_bytes(b"x" * 9000)
    with pytest.raises(StoreError, match=r"Nothing in .* can be read"):
        examine_store(path)
    path.unlink()
    with pytest.raises(StoreError, match="There is no store"):
        repair_store(path)


def test_a_locked_store_is_not_called_damaged(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="is locked by another process"):
            examine_store(path)
    assert examine_store(path).problems == []


def test_a_sound_store_that_cannot_be_opened_for_its_log_is_read_without_it(path, monkeypatch):
    right, connect = examine_store(path).rows, database.connect_to_read

    def connect_in_read_only_folder(place, options):
        if "immutable" not in options:
            error = sqlite3.OperationalError("unable to open database file")
            error.sqlite_errorname = "SQLITE_CANTOPEN"
            raise error
        return connect(place, options)

    monkeypatch.setattr(database, "connect_to_read", connect_in_read_only_folder)
    found = examine_store(path)
    assert (found.rows, found.problems) == (right, [])


def test_a_store_of_a_newer_format_is_not_called_valid(path):
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(StoreError, match="written by a newer markone"):
        examine_store(path)


def test_a_store_deleted_under_a_run_is_an_error(tmp_path):
    sentence = "was deleted or moved while the run wrote to it"
    with Store(tmp_path / "study.sqlite") as store, pytest.raises(StoreError, match=sentence):
        run(study(**BIG), store, thread_workers(2), progress=lambda *_: store.path.unlink(missing_ok=True))


def test_the_command(path, capsys, monkeypatch):
    monkeypatch.chdir(path.parent)
    assert run_command_line(["verify", "--store", "study.sqlite"]) == 0
    assert capsys.readouterr().out == "study.sqlite: 48 rows, all valid.\n"
    shutil.copy(path, "other.sqlite")
    changed(path, DAMAGES["another number"])
    assert run_command_line(["verify", "--store", "study.sqlite"]) == 3
    said = capsys.readouterr().out
    assert "study.sqlite: 47 valid rows, but:" in said
    assert 'Wrong checksum: toy {"N": 5,' in said
    assert run_command_line(["verify", "--store", "study.sqlite", "--repair"]) == 0
    assert (
        "Kept 47 valid rows in study.sqlite; the old store is study.sqlite.damaged-1."
        in capsys.readouterr().out
    )
    assert run_command_line(["verify"]) == 2


@pytest.mark.parametrize("damaged", [True, False])
def test_what_a_killed_repair_has_left_is_taken_away(path, damaged):
    if damaged:
        changed(path, DAMAGES["a row less"])
    left = path.parent / ".repair-of-before"
    left.mkdir()
    (left / path.name).write_bytes(b"half of it")
    assert run_command_line(["verify", "--store", str(path), "--repair"]) == 0
    assert not left.exists()
