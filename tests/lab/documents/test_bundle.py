"""An archive of a run: complete, computed again to the same bits, and any edited number is found."""

import json
import random
import shutil
import subprocess
import sys
import zipfile

import pytest

from markone.cli.main import run_command_line
from markone.lab.documents.bundle import check_bundle, unpack_bundle

OWN = """
import numpy as np
from markone.lab import Scenario, stream
from markone.lab.scenario import Settings
import helper

class Coin(Settings):
    p: float

def run(c, seed, start, stop):
    return {"heads": np.array([helper.toss(stream(seed, k), c.p) for k in range(start, stop)])}

SCENARIO = Scenario("coin", 1, Coin, {"heads": "fraction"}, cost=lambda c: 100.0, run=run)
"""
TEXT = """
name = "coins"
title = "Coins"
packages = ["mine"]
scenario = "mine.py"
seed = 3
repeats = 40
[grid]
p = [0.25, 0.5]
[[figure]]
name = "heads"
x = "p"
measures = ["heads"]
"""


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    """The folder of a run of an own scenario, with its archive."""
    folder = tmp_path_factory.mktemp("bundle")
    (folder / "mine.py").write_text(OWN)
    (folder / "helper.py").write_text("def toss(rng, p):\n    return float((rng.random(100) < p).mean())\n")
    (folder / "coins.toml").write_text(TEXT)
    for words in (["run", "coins.toml", "--quiet"], ["bundle", "coins.toml"]):
        run_command(folder, *words, "--allow", "mine")
    return folder


def run_command(folder, *words, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "markone", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_what_is_in_it(bundled):
    with zipfile.ZipFile(bundled / "coins.zip") as archive:
        names = set(archive.namelist())
        crate = json.loads(archive.read("ro-crate-metadata.json"))
        versions = archive.read("requirements.txt").decode()
        assert archive.read("code/mine.py").decode() == OWN
    wanted = {
        "declaration.toml",
        "results.sqlite",
        "results.csv",
        "results.csv-metadata.json",
        "CITATION.cff",
    }
    assert wanted | {"code/helper.py", "report/report.html", "environment.json", "SHA256SUMS"} <= names
    assert "numpy==" in versions
    parts = {one["@id"] for one in crate["@graph"]}
    assert names - {"SHA256SUMS", "ro-crate-metadata.json"} <= parts


def test_it_is_computed_again_in_another_place(bundled, tmp_path):
    archive = shutil.copy(bundled / "coins.zip", tmp_path)
    refused = run_command(tmp_path, "unbundle", archive, "--into", "no", "--run", code=2)
    assert "--allow mine" in refused
    shown = run_command(tmp_path, "unbundle", archive, "--run", "--allow", "mine")
    assert "all as they were written" in shown
    assert "every value has the same bits" in shown


def test_another_result_is_found_by_computing_again(bundled, tmp_path):
    """Also if the checksums of the archive were written again."""
    unpack_bundle(bundled / "coins.zip", tmp_path / "a")
    helper = tmp_path / "a" / "code" / "helper.py"
    helper.write_text(helper.read_text().replace("rng.random(100) < p", "rng.random(100) <= p / 2"))
    from markone.lab.documents import bundle

    (tmp_path / "a" / "SHA256SUMS").unlink()
    bundle._write_sums(tmp_path / "a")
    shutil.make_archive(str(tmp_path / "b"), "zip", tmp_path / "a")
    words = ["unbundle", str(tmp_path / "b.zip"), "--run", "--allow", "mine"]
    assert "results.csv differs from what was computed now" in run_command(tmp_path, *words, code=3)


def test_any_edited_number_is_found(bundled, tmp_path):
    unpack_bundle(bundled / "coins.zip", tmp_path / "a")
    assert check_bundle(tmp_path / "a").problems == []
    chosen = random.Random(7)
    files = [path for path in sorted((tmp_path / "a").rglob("*")) if path.is_file()]
    for _ in range(100):
        path = chosen.choice(files)
        before = path.read_bytes()
        digits = [k for k, byte in enumerate(before) if chr(byte).isdigit()]
        k = chosen.choice(digits or range(len(before)))
        other = chosen.choice([c for c in b"0123456789" if c != before[k]])
        path.write_bytes(before[:k] + bytes([other]) + before[k + 1 :])
        assert check_bundle(tmp_path / "a").problems, path
        path.write_bytes(before)
    assert check_bundle(tmp_path / "a").problems == []


def test_files_are_missing_added_or_outside(bundled, tmp_path):
    unpack_bundle(bundled / "coins.zip", tmp_path / "a")
    (tmp_path / "a" / "results.csv").unlink()
    (tmp_path / "a" / "new").touch()
    assert check_bundle(tmp_path / "a").problems == ["results.csv is missing.", "new is not in SHA256SUMS."]
    for name in ("../out", "/out", "a/../../out"):
        with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
            archive.writestr(name, "x")
        with pytest.raises(ValueError, match="outside its own folder"):
            unpack_bundle(tmp_path / "evil.zip", tmp_path / "b")
    with pytest.raises(FileExistsError, match="exists already"):
        unpack_bundle(bundled / "coins.zip", tmp_path / "a")


def test_unfinished_runs_are_refused(bundled, capsys, monkeypatch):
    monkeypatch.chdir(bundled)
    assert run_command_line(["bundle", "coins.toml", "--allow", "mine", "--set", "p=0.25,0.5,0.75"]) == 2
    assert "There is no store" in capsys.readouterr().err
