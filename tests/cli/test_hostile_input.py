"""Malicious names, files and numbers."""

import errno
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from markone.cli.main import run_command_line
from markone.lab import run_paths
from markone.lab.load import load_declaration
from markone.lab.runner import slurm
from markone.lab.store.export import export_results
from markone.run import executors
from markone.tables import table_prediction

HEAD = 'title = "t"\nscenario = "storage"\nseed = 1\nrepeats = 2\n'
GRID = "[grid]\nN = [10]\nalpha = [1.0]\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def declared(name="b", head=HEAD, grid=GRID):
    Path("b.toml").write_text(f'name = "{name}"\n{head}{grid}')
    return "b.toml"


@pytest.mark.parametrize("name", ["a\\nrm -rf ~\\n#", "../up", "a b", "", "-x", "a" * 200, "x;ls"])
@pytest.mark.parametrize("words", [["slurm", "--shards", "2"], ["check"], ["status"]])
def test_names_are_checked_wherever_they_come_in(here, capsys, words, name):
    assert run_command_line([words[0], declared(name), *words[1:]]) == 2
    said = capsys.readouterr()
    assert "rm -rf ~\n" not in said.out
    assert "Traceback" not in said.err


def test_a_file_name_cannot_leave_a_comment_of_the_job_script():
    with pytest.raises(ValueError, match="no job script should contain"):
        slurm.ArrayJob("x\nrm -rf ~\n.toml", "x", 2)
    with pytest.raises(ValueError, match="no job script should contain"):
        slurm.ArrayJob("x.toml", "x", 2, setup=["module load a\nrm"])
    with pytest.raises(ValueError, match="must be name=value"):
        slurm.ArrayJob("x.toml", "x", 2, options=["mem=4G --wrap=ls"])
    with pytest.raises(ValueError, match="is not a name of an experiment"):
        slurm.ArrayJob("x.toml", "x\nrm", 2).array_script()
    with pytest.raises(ValueError, match="is not a name of an experiment"):
        run_paths.experiment_name("../../etc/passwd")


class Nothing:
    def iterate_points(self, declaration):
        return iter([])

    def provenance(self):
        return {}


def test_export_does_not_follow_a_planted_link(here):
    victim = here / "victim"
    victim.write_text("mine")
    for name in (".z.csv.part.csv", f".z.csv.part-{os.getpid()}-{'0' * 16}.csv"):
        (here / name).symlink_to(victim)
    export_results(Nothing(), load_declaration("capacity"), here / "z.csv")
    assert victim.read_text() == "mine"
    assert not (here / "z.csv").is_symlink()


def test_predictions_hold_no_formulas():
    found = table_prediction.Predictions.__new__(table_prediction.Predictions)
    object.__setattr__(found, "header", ["row", "=cmd|calc"])
    object.__setattr__(found, "cells", [["1", "=cmd|calc"], ["2", "-0.5"]])
    assert table_prediction.to_safe_csv(found.header, found.cells) == "row,'=cmd|calc\n1,'=cmd|calc\n2,-0.5\n"


@pytest.mark.parametrize(
    ("address", "fine"),
    [
        ("tcp://127.0.0.1:8786", True),
        ("localhost:8786", True),
        ("tls://far.org:8786", True),
        ("tcp://[::1]:8786", True),
        ("tcp://far.org:8786", False),
        ("far.org:8786", False),
        ("tcp://127.evil.org:8786", False),
    ],
)
def test_dask_beyond_this_machine_needs_tls_or_a_word(monkeypatch, address, fine):
    monkeypatch.setitem(sys.modules, "distributed", object())
    executors.dask_workers(address, trusted=True)
    if fine:
        executors.dask_workers(address)
        return
    with pytest.raises(ValueError, match=r"without TLS: .*--trust-network"):
        executors.dask_workers(address)


NINES = "9" * 400


@pytest.mark.parametrize(
    ("head", "grid", "told"),
    [
        (HEAD, f"[grid]\nN=[10]\nalpha={{start=0, stop={NINES}, step=1}}\n", "too large: at most 2^63"),
        (HEAD, f"[grid]\nN=[{NINES}]\nalpha=[1.0]\n", "too large: at most 2^63"),
        (HEAD, f"[grid]\nN=[10]\nalpha=[1.0]\n[fixed]\nsweeps={NINES}\n", "too large: at most 2^63"),
        (HEAD.replace("repeats = 2", f"repeats = {NINES}"), GRID, "less than or equal to"),
        (HEAD, f"x = {'[' * 5000}{']' * 5000}\n{GRID}", "nested too deeply"),
        (HEAD.replace('"t"', '"a\\u001b[2J"'), GRID, r"title: 'a\x1b[2J' has control characters"),
        (f'{HEAD}"ke\\u001b[2Jy" = 1\n', GRID, r"There is no key 'ke\x1b[2Jy'"),
        (HEAD, f"{GRID}#{' ' * 1_000_000}", "has more than 1000000 bytes"),
        (HEAD.replace("storage", "..x"), GRID, "There is no scenario '..x'"),
        (HEAD, "[grid]\nN=[10]\nalpha=[1e300]\n", "A repeat of storage with N=10 alpha=1e+300"),
        (HEAD, "[grid]\nN=[1000000]\nalpha=[1.0]\n", "would take about 3.3e+02 years on one core"),
    ],
)
def test_declarations_out_of_all_bounds(here, capsys, head, grid, told):
    assert run_command_line(["check", declared(head=head, grid=grid)]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "\x1b" not in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bayes", "--alpha", "0:1e12:1"], "more than 1000000 values"),
        (["bayes", "--alpha", "0:1:1e-12"], "more than 1000000 values"),
        (["bayes", "--alpha", "0:inf:1"], "more than 1000000 values"),
        (["bayes", "--alpha", "1:0:1"], "is empty"),
    ],
)
def test_theory_out_of_all_bounds(capsys, words, told):
    assert run_command_line(["theory", *words]) == 2
    assert told in capsys.readouterr().err


def test_theory_far_out_is_nan(capsys):
    assert run_command_line(["theory", "bayes", "--alpha", "1e308"]) == 0
    assert "nan" in capsys.readouterr().out


def test_a_model_file_with_a_plan_that_is_none(here, capsys):
    skops = pytest.importorskip("skops.io", reason="models are saved by markone[lab]")
    (here / "z.csv").write_text("a,b\n1,2\n")
    for content in (
        {"plan": 1},
        {"plan": 1, "format": 3},
        {"plan": {}, "format": 3, "classes": 1},
        [np.ones(2)],
    ):
        skops.dump(content, here / "m.skops")
        assert run_command_line(["predict", "m.skops", "z.csv"]) == 2
        assert "m.skops" in capsys.readouterr().err


def test_column_names_do_not_reach_the_terminal_as_escapes(here, capsys):
    rows = "".join(f"{k},{k % 3},{'pq'[k % 2]}\n" for k in range(12))
    (here / "z.csv").write_text("x\x1b[31m,a[/b],y\n" + rows)
    assert run_command_line(["fit", "z.csv", "--model", "hebb", "--cv", "1x2", "--target", "y"]) == 0
    said = capsys.readouterr().out
    assert r"x\x1b[31m" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_errors_of_the_system_are_sentences(here, capsys, monkeypatch, number):
    def fail(*_, **__):
        raise OSError(number, os.strerror(number), "b.csv")

    monkeypatch.setattr("markone.lab.catalogue.list_experiments", fail)
    assert run_command_line(["list"]) == 3
    said = capsys.readouterr().err
    assert f"b.csv: {os.strerror(number)}." in said
    assert "Errno" not in said
    assert ("Free some space" in said) == (number != errno.EROFS)
