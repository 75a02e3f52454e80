"""Atomic writes: files are complete or absent."""

import os
import subprocess
import sys

import pytest

from markone.numerics.files import (
    escape_formula,
    process_exists,
    staged_file,
    staged_folder,
    write_atomically,
)


def test_a_file_appears_when_it_is_complete(tmp_path):
    target = tmp_path / "new" / "table.csv"
    with staged_file(target) as part:
        part.write_text("a")
        assert part.suffix == ".csv"
        assert not target.exists()
    assert target.read_text() == "a"
    with pytest.raises(ZeroDivisionError), staged_file(target) as part:
        raise ZeroDivisionError(part.write_text("half"))
    assert [p.name for p in target.parent.iterdir()] == ["table.csv"]
    assert target.read_text() == "a"


def test_permissions_are_those_of_any_new_file(tmp_path):
    (tmp_path / "plain").touch()
    write_atomically(tmp_path / "whole", b"x")
    assert (tmp_path / "plain").stat().st_mode == (tmp_path / "whole").stat().st_mode


def test_a_planted_link_is_not_followed(tmp_path, monkeypatch):
    """Also if its name could be guessed."""
    monkeypatch.setattr("secrets.token_hex", lambda n: "0" * 16)
    mine = tmp_path / "mine"
    mine.write_text("mine")
    (tmp_path / f".z.csv.part-{os.getpid()}-{'0' * 16}.csv").symlink_to(mine)
    with pytest.raises(FileExistsError):
        write_atomically(tmp_path / "z.csv", b"x")
    assert mine.read_text() == "mine"


def test_what_a_killed_process_left_is_cleared_and_what_lives_is_not(tmp_path):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    names = [f".[z].csv.part-{p}-{'a' * 16}.csv" for p in (gone.pid, os.getppid())]
    for name in [*names, ".[z].csv.part-mine", ".z.csv.part-1-b.csv"]:
        (tmp_path / name).touch()
    write_atomically(tmp_path / "[z].csv", b"x")
    assert not (tmp_path / names[0]).exists()
    assert (tmp_path / names[1]).exists() == process_exists(os.getppid())
    assert (tmp_path / ".[z].csv.part-mine").exists()
    assert (tmp_path / ".z.csv.part-1-b.csv").exists()


def test_a_folder_of_files_is_moved_together(tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "old.svg").touch()
    with staged_folder(tmp_path) as stage:
        (stage / "figures").mkdir()
        (stage / "figures" / "new.svg").touch()
        (stage / "page.html").touch()
        assert not (tmp_path / "page.html").exists()
    found = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file())
    assert found == ["figures/new.svg", "figures/old.svg", "page.html"]
    with pytest.raises(ZeroDivisionError), staged_folder(tmp_path) as stage:
        raise ZeroDivisionError((stage / "page.html").write_text("half"))
    assert (tmp_path / "page.html").read_text() == ""
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("cell", ["=cmd|calc", "+1 2", "-x", "@sum", "\t=1"])
def test_formulas_are_texts(cell):
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["-0.5", "+1e3", "-inf", "a=b", "", 3, -1.5, None])
def test_numbers_and_words_stay(cell):
    assert escape_formula(cell) == cell
