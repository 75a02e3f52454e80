"""Rows of several kinds of CPU: recorded, reported, and avoided by portable runs."""

import json
import os
import platform
import subprocess
import sys

import pytest
from toy_declarations import study, table

from markone.lab.load import load_declaration
from markone.lab.report.content import collect_content
from markone.lab.runner.run import reject_other_cpu, run
from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store.merge import merge_stores
from markone.lab.store.results import Store
from markone.numerics import cpu
from markone.run.executors import thread_workers
from markone.run.outcomes import TaskOutcome

ZEN = {"compiled for": "znver3", "features": "avx avx2 sse4a", "BLAS": "openblas Zen", "numpy": "X86_V3"}
XEON = {"compiled for": "cascadelake", "features": "avx avx2", "BLAS": "openblas SkylakeX", "numpy": "X86_V4"}


def filled(path, kinds):
    """One task of each kind in turn."""
    with Store(path) as store:
        for kind, task in zip(kinds, list_remaining_tasks(study(), {}), strict=False):
            store.add(task, TaskOutcome(run_task(task).values, cpu=json.dumps(kind) if kind else ""))
    return path


def kinds_of(path):
    with Store(path, "r") as store:
        return [(kind["compiled for"], kind["tasks"]) for kind in store.provenance()["cpus"]]


def test_a_run_records_the_kind_that_computed(toy, tmp_path):
    with Store(tmp_path / "study.sqlite") as store:
        run(study(), store, thread_workers(2))
    assert kinds_of(tmp_path / "study.sqlite") == [(cpu.compile_target()[0], 18)]


def test_kinds_are_counted_and_come_along_in_a_merge(toy, tmp_path):
    filled(tmp_path / "a.sqlite", [ZEN, XEON, ZEN])
    assert kinds_of(tmp_path / "a.sqlite") == [("znver3", 2), ("cascadelake", 1)]
    with Store(tmp_path / "b.sqlite") as store:
        merge_stores(store, [tmp_path / "a.sqlite"])
    assert kinds_of(tmp_path / "b.sqlite") == [("znver3", 2), ("cascadelake", 1)]


def test_the_report_says_that_there_are_two(toy, tmp_path):
    for name, kinds in (("one", [ZEN, ZEN]), ("two", [ZEN, XEON, ZEN]), ("none", [None, None])):
        with Store(filled(tmp_path / name, kinds), "r") as store:
            remarks = " ".join(collect_content(study(), store.points(study()), store.provenance()).caveats)
        assert ("kinds of CPU" in remarks) == (name == "two")
        if name == "two":
            assert (
                "by 2 kinds of CPU: 2 tasks for znver3 with openblas Zen and numpy X86_V3 (sse4a); 1 task "
                "for cascadelake with openblas SkylakeX and numpy X86_V4. The last bits" in remarks
            )


def test_rows_from_before_count_as_unknown(toy, tmp_path):
    filled(tmp_path / "study.sqlite", [None, ZEN])
    assert kinds_of(tmp_path / "study.sqlite") == [("znver3", 1), ("an unknown CPU", 1)]


def test_a_portable_run_keeps_nothing_of_another_kind(monkeypatch):
    monkeypatch.delenv(cpu.PORTABLE_VARIABLE, raising=False)
    outcome = TaskOutcome({"height": [1.0]}, worker="far:1", cpu=json.dumps(XEON))
    assert reject_other_cpu(outcome) is outcome
    monkeypatch.setenv(cpu.PORTABLE_VARIABLE, "1")
    refused = reject_other_cpu(outcome)
    assert refused.values == {}
    assert "computed for cascadelake" in refused.error
    assert "start the workers with MARKONE_PORTABLE=1" in refused.error


def test_a_worker_that_was_asked_too_late_refuses(toy, monkeypatch):
    if cpu.compile_target()[0] == cpu.LEVEL:
        pytest.skip("these tests run for the portable kind")
    monkeypatch.setenv(cpu.PORTABLE_VARIABLE, "1")
    assert run_task(list_remaining_tasks(study(), {})[0]).error.startswith("NotPortable: ")


# Two kinds of CPU that any x86 can pretend to be: its own, and one without AVX.
OLD = {"NUMBA_CPU_NAME": "generic", "OPENBLAS_CORETYPE": "Nehalem"}
SMALL = """
name = "small"
title = "A few of {base}"
scenario = "{scenario}"
seed = 3
repeats = {repeats}
[grid]
{grid}
"""
STUDIES = {
    "storage": ("N = [20]\nalpha = [1.0, 2.0]", 8),
    "stability": ("N = [20]\nalpha = [1.0, 3.0]", 4),
}


def computed(folder, environment, *words):
    """The table that a process with this environment stores, its kinds, and the caveats of the report."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "markone", "run", str(folder.parent / "small.toml"), "--workers", "1", *words],
        env=os.environ | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    path = folder / "runs" / "small" / "results.sqlite"
    return path, table(path, load_declaration(str(folder.parent / "small.toml")))


@pytest.mark.skipif(platform.machine() != "x86_64" or bool(cpu.missing_features()), reason="needs x86-64-v3")
@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["storage", "stability"])
def test_portable_runs_of_two_kinds_of_cpu_give_the_same_bits(scenario, tmp_path, monkeypatch):
    for name in cpu.portable_settings():
        monkeypatch.delenv(name, raising=False)
    grid, repeats = STUDIES[scenario]
    text = SMALL.format(base=scenario, scenario=scenario, grid=grid, repeats=repeats)
    (tmp_path / "small.toml").write_text(text)
    here, first = computed(tmp_path / "here", {}, "--portable")
    there, second = computed(tmp_path / "there", OLD, "--portable")
    assert first == second
    with Store(here) as store:
        assert merge_stores(store, [there]).differing == []
    assert [name for name, _ in kinds_of(here)] == ["x86-64-v3"]
