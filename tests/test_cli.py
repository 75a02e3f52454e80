"""The command `markone`: messages and exit codes, with fake modules in place of `markone.lab`."""

import json
import re
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from markone import theory
from markone.cli.main import run_command_line
from markone.cli.theory import curves
from markone.errors import Interrupted, StoreBusy, StoreError
from markone.lab import catalogue, foreign_code, run_paths, store
from markone.run import executors

POWER = "Power: with 100 repeats a difference of 0.01 in error is seen in 80 % of all runs (1 claim)."


class Store:
    """Remembers how it was opened; `done` is what a test puts there."""

    opened: list

    def __init__(self, path, mode="w"):
        self.opened.append((str(path), mode))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def done(self, measure=None):
        return {}

    def points(self, declaration):
        return ["points"]

    def provenance(self):
        return {"commit": "abc"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # A command begins with no package allowed, whatever other tests of this process have allowed.
    monkeypatch.setattr(foreign_code, "_allowed", set())
    return tmp_path


class Declared(SimpleNamespace):
    """An experiment of thirty grid points."""

    def __len__(self):
        return 30


@pytest.fixture
def lab(here, monkeypatch):
    """Fake modules of the laboratory; `lab.summary` is what a run gives, an exception is raised."""
    import_module("markone.lab.store.storage")  # with the real modules, also in other tests
    asked = SimpleNamespace(
        summary=SimpleNamespace(done=144, failed=0, skipped=0, seconds=12.0, alone=0), todo=[], run={}
    )

    def load(experiment):
        if experiment != "capacity":
            raise ValueError(f"{experiment} has one error:\n  There is no file or experiment {experiment!r}.")
        return Declared(name="capacity", title="How many?", precision=0.1, precision_of=None)

    def run(declaration, store, make_executor, *, progress, shard, yes_really):
        asked.run = {"executor": make_executor, "shard": shard}
        if isinstance(asked.summary, Exception):
            raise asked.summary
        progress(1, 1, None)
        return asked.summary

    def merge(target, sources, declaration, other_code):
        asked.sources = [path.name for path in sources]
        return asked.merged

    def write(declaration, points, provenance, folder):
        return SimpleNamespace(html=folder / "report.html", markdown=folder / "report.md")

    def named(backend, workers, scheduler, trusted):
        if backend != "dask":
            executors.executor_factory(backend, workers, scheduler)  # for its sentences
        return backend, workers, scheduler

    asked.opened = Store.opened = []
    asked.merged = SimpleNamespace(added=3, missing=[], differing=[])
    fakes = {
        "lab.load": {"load_declaration": load},
        "lab.schedule.remaining": {
            "count_tasks": lambda declaration, done: SimpleNamespace(missing=len(asked.todo)),
            "survey_tasks": lambda declaration, done: asked.todo,
            "check_task_count": lambda declaration: None,
            "Survey": tuple,
            "Ints": tuple,
        },
        "lab.store.results": {"Store": Store},
        "lab.runner.run": {"run": run},
        "lab.store.merge": {"merge_stores": merge},
        "lab.store.export": {
            "export_results": lambda store, declaration, path: Path(path).write_text("N,alpha\n")
        },
        "lab.report.pages": {"write_report": write},
        "lab.claims.power": {"describe_power": lambda declaration: [POWER]},
        "run.executors": {"executor_factory": named, "count_cores": lambda: 4},
    }
    for name, content in fakes.items():
        module = ModuleType(f"markone.{name}")
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        package, _, last = module.__name__.rpartition(".")
        monkeypatch.setattr(import_module(package), last, module, raising=False)
    return asked


def store_of(name="capacity", file="results.sqlite"):
    path = run_paths.RUNS / name / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


# starting

LIGHT = """
import sys
from markone.cli.main import run_command_line
run_command_line(sys.argv[1:])
heavy = {"numpy", "scipy", "sklearn", "numba", "matplotlib"} & set(sys.modules)
assert not heavy, heavy
"""


@pytest.mark.parametrize(
    "words", [["--help"], ["run", "--help"], ["list"], ["slurm", "capacity", "--shards", "4"]]
)
def test_looking_imports_nothing_heavy(words, tmp_path):
    subprocess.run([sys.executable, "-c", LIGHT, *words], check=True, cwd=tmp_path, capture_output=True)


def test_the_module_can_be_started_and_help_names_every_command(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "markone", "--help"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0
    for command in (
        "list",
        "new",
        "check",
        "run",
        "status",
        "report",
        "theory",
        "slurm",
        "merge",
        "export",
        "compare",
        "draw",
    ):
        assert re.search(rf"\b{command}\b", done.stdout), command


def test_the_console_script_is_declared():
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"markone": "markone.cli:main"}
    assert {"lab", "dask", "mpi", "parquet", "netcdf"} <= set(project["optional-dependencies"])


# usage


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rum"], "Did you mean 'run'"),
        (["run"], "Missing argument"),
        (["run", "capacity", "--workers", "0"], "--workers"),
        (["run", "capacity", "--backend", "threds"], "threads"),
        (["run", "capacity", "--shard", "5/4"], "--shard '5/4' must be i/n with 1 <= i <= n"),
        (["run", "capacity", "--shard", "one"], "for example 3/64"),
        (["run", "capacity", "--scheduler", "tcp://a:1"], "needs --backend dask, not threads"),
        (["run", "capazity"], "There is no file or experiment 'capazity'"),
        (["new", "capazity"], "There is no experiment 'capazity'. Did you mean 'capacity'"),
        (["theory", "bays"], "Did you mean bayes"),
        (["status", "no.toml"], "There is no file no.toml"),
        (["report", "capacity"], "Run it first: markone run capacity"),
    ],
)
def test_bad_usage_is_2_with_a_sentence(lab, capsys, words, sentence):
    assert run_command_line(words) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


def test_a_traceback_on_request(lab, monkeypatch):
    monkeypatch.setenv("MARKONE_TRACEBACK", "1")
    with pytest.raises(ValueError, match="capazity"):
        run_command_line(["run", "capazity"])


# run


def test_run_tells_where_the_results_are(lab, capsys):
    assert run_command_line(["run", "capacity"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{POWER}\n")
    assert "144 tasks in 12 s, stored in runs/capacity/results.sqlite." in said
    assert "markone report capacity" in said
    assert lab.opened == [("runs/capacity/results.sqlite", "w")]
    assert lab.run == {"executor": ("threads", None, None), "shard": None}


def test_the_power_is_said_before_the_first_run_only(lab, capsys):
    store_of()
    assert run_command_line(["run", "capacity"]) == 0
    assert POWER not in capsys.readouterr().out


def test_run_twice_has_nothing_to_do(lab, capsys):
    lab.summary = SimpleNamespace(done=0, failed=0, skipped=144, seconds=0.1)
    assert run_command_line(["run", "capacity"]) == 0
    assert "Nothing to do: all 144 tasks are stored" in capsys.readouterr().out


def test_failed_tasks_are_1(lab, capsys):
    lab.summary = SimpleNamespace(done=141, failed=3, skipped=0, seconds=1.0)
    assert run_command_line(["run", "capacity", "--quiet"]) == 1
    assert "3 tasks failed, 141 were stored" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Interrupted("Saved 104/144; run the same command to continue."), 130),
        (KeyboardInterrupt(), 130),
        (StoreBusy("Another process is writing."), 3),
        (StoreError("The store is damaged."), 3),
        (OSError(28, "No space left on device"), 3),
        (ImportError("This needs mpi4py. Install it with: pip install 'markone[mpi]'"), 2),
        (ModuleNotFoundError("No module named 'distributed'", name="distributed"), 2),
    ],
)
def test_exit_codes(lab, monkeypatch, capsys, error, code):
    def run(*_, **__):
        raise error

    monkeypatch.setattr(sys.modules["markone.lab.runner.run"], "run", run)
    assert run_command_line(["run", "capacity"]) == code
    said = capsys.readouterr().err
    assert said.strip().endswith((".", "'", "device"))
    assert "Traceback" not in said


def test_interrupted_says_how_to_continue(lab, capsys):
    lab.summary = Interrupted("Saved 104/144; run the same command to continue.")
    assert run_command_line(["run", "capacity"]) == 130
    assert capsys.readouterr().err == "Saved 104/144; run the same command to continue.\n"


def test_a_missing_package_names_its_extra(lab, capsys):
    lab.summary = ModuleNotFoundError("No module named 'distributed'", name="distributed")
    assert run_command_line(["run", "capacity"]) == 2
    assert "pip install 'markone[dask]'" in capsys.readouterr().err


def test_workers_backend_and_scheduler_reach_the_executor(lab):
    run_command_line(["run", "capacity", "--backend", "processes", "--workers", "3"])
    assert lab.run["executor"] == ("processes", 3, None)
    run_command_line(["run", "capacity", "--backend", "dask", "--scheduler", "tcp://a:1"])
    assert lab.run["executor"] == ("dask", None, "tcp://a:1")


def test_a_shard_has_its_own_store_and_is_counted_from_one(lab):
    assert run_command_line(["run", "capacity", "--shard", "3/64"]) == 0
    assert lab.run["shard"] == (2, 64)
    assert lab.opened == [("runs/capacity/results-shard-3-of-64.sqlite", "w")]


def test_json_is_json(lab, capsys):
    assert run_command_line(["run", "capacity", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in lines] == ["progress", "finished"]
    assert lines[-1]["done"] == 144


def test_quiet_is_quiet(lab, capsys):
    assert run_command_line(["run", "capacity", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


# check


def fake_estimate(monkeypatch, found):
    fakes = {
        "estimate_run_time": lambda declaration, todo: found,
        "survey_tasks": lambda declaration, done: [],
        "check_task_count": lambda declaration: None,
        "count_cores": lambda: 4,
    }
    for name, fake in fakes.items():
        monkeypatch.setattr(f"markone.lab.runner.estimate.{name}", fake)


def test_check_counts_and_estimates_and_stores_nothing(lab, here, monkeypatch, capsys):
    found = SimpleNamespace(points=30, tasks=60, repeats=1500, seconds=400.0, at_most=400.0)
    fake_estimate(monkeypatch, found)
    assert run_command_line(["check", "capacity"]) == 0
    said = capsys.readouterr().out
    assert "30 grid points, 60 tasks to run, 1500 repeats in them." in said
    assert f"\n{POWER}\n" in said
    assert said.endswith("The power of its claims is known after 10 runs of each point.\n")
    assert (
        "About 7 min on one core; 100 s on the 4 cores here." in said.replace("1.7 min", "100 s")
        or "2 min" in said
    )
    assert list(here.iterdir()) == []


def test_check_gives_the_upper_bound_of_a_precision(lab, monkeypatch, capsys):
    found = SimpleNamespace(points=1, tasks=1, repeats=9, seconds=10.0, at_most=7200.0)
    fake_estimate(monkeypatch, found)
    assert run_command_line(["check", "capacity"]) == 0
    assert "at most 2 h 0 min until all points reach the precision" in capsys.readouterr().out


# report, merge, export


def test_report_names_its_files_and_what_is_missing(lab, capsys):
    store_of()
    lab.todo = ["a", "b"]
    assert run_command_line(["report", "capacity"]) == 0
    said = capsys.readouterr().out
    assert "Wrote runs/capacity/report.html and runs/capacity/report.md" in said
    assert "2 tasks are still missing: markone run capacity continues." in said


def test_merge_takes_the_shards_in_order(lab, capsys):
    for k in (10, 9, 1):
        store_of(file=f"results-shard-{k}-of-10.sqlite")
    assert run_command_line(["merge", "capacity"]) == 0
    assert lab.sources == [f"results-shard-{k}-of-10.sqlite" for k in (1, 9, 10)]
    assert "3 tasks of 3 stores merged into" in capsys.readouterr().out


def test_merge_names_what_is_missing(lab, capsys):
    store_of(file="results-shard-1-of-2.sqlite")
    lab.merged = SimpleNamespace(added=3, missing=[f"storage N={k}" for k in range(12)], differing=[])
    assert run_command_line(["merge", "capacity"]) == 1
    said = capsys.readouterr().err
    assert "12 tasks are missing: markone run capacity computes them here." in said
    assert "storage N=9\n" in said
    assert "storage N=10\n" not in said


def test_merge_without_shards(lab, capsys):
    assert run_command_line(["merge", "capacity"]) == 2
    assert "There are no shards beside runs/capacity/results.sqlite" in capsys.readouterr().err


def test_export(lab, here, capsys):
    store_of()
    assert run_command_line(["export", "capacity", "values.csv"]) == 0
    assert (here / "values.csv").read_text() == "N,alpha\n"


# status


@pytest.fixture
def database(monkeypatch):
    """The tables that `status` reads, opened as the laboratory does it."""
    module = ModuleType("markone.lab.store.database")
    module.translate_errors = lambda path: nullcontext()
    module.open_to_read = sqlite3.connect
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(store, "database", module, raising=False)
    monkeypatch.delitem(sys.modules, "markone.lab.store.status", raising=False)
    monkeypatch.delattr(store, "status", raising=False)


def recorded(name, rows, total):
    path = store_of(name)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE attempts (point INTEGER, start INTEGER, stop INTEGER, status TEXT)")
    connection.execute("CREATE TABLE tally (done INTEGER, failed INTEGER, last INTEGER)")
    connection.execute("CREATE TABLE declarations (total INTEGER, added TEXT)")
    moment = int((datetime.now(UTC) - timedelta(hours=5)).timestamp()) if rows else 0
    connection.executemany("INSERT INTO attempts VALUES (1, ?1, ?1 + 1, ?2)", rows)
    statuses = [status for _, status in rows]
    tally = (statuses.count("done"), statuses.count("failed"), moment)
    connection.execute("INSERT INTO tally VALUES (?, ?, ?)", tally)
    connection.executemany("INSERT INTO declarations VALUES (?, ?)", [(9, "2026-01"), (total, "2026-02")])
    connection.commit()
    connection.close()


def test_status_counts_a_task_that_failed_and_was_done_later_as_done(here, database, capsys):
    recorded("capacity", [(0, "failed"), (0, "done"), (1, "done"), (2, "failed")], 144)
    assert run_command_line(["status"]) == 0
    said = capsys.readouterr().out
    assert said == (
        "runs/capacity/results.sqlite: 2 of 144 tasks, 1 failed, last result 5 h 0 min ago; "
        "`markone run` continues it\n"
    )


def test_status_of_all_runs_and_of_one(here, database, capsys):
    recorded("capacity", [(0, "done")], 1)
    recorded("lms", [], 7)
    assert run_command_line(["status"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "runs/capacity/results.sqlite: 1 of 1 tasks, finished",
        "runs/lms/results.sqlite: 0 of 7 tasks; `markone run` continues it",
    ]
    assert run_command_line(["status", "lms", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["done"], found["total"], found["silence"], found["finished"]) == (0, 7, None, False)


def test_status_without_runs(here, database, capsys):
    assert run_command_line(["status"]) == 0
    assert "Nothing has been run here yet. Start with: markone run demo_capacity" in capsys.readouterr().out


# list, new, slurm, doctor


def test_list_shows_every_experiment(capsys):
    assert run_command_line(["list"]) == 0
    said = capsys.readouterr().out
    for entry in catalogue.list_experiments():
        assert re.search(rf"^  {entry.name} +{entry.time}  {re.escape(entry.title)}$", said, re.MULTILINE)
    headings = re.findall(r"^(?:Chapter (\d): )?(\w.*)$", said.split("\n\n")[0], re.MULTILINE)
    assert headings == [(str(n), title) for n, title in catalogue.CHAPTERS.items() if n]
    assert run_command_line(["list", "--json"]) == 0
    names = [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]
    assert names == [entry.name for entry in catalogue.list_experiments()]


def test_new_writes_a_copy_with_its_comments_and_its_own_name(here, capsys):
    assert run_command_line(["new", "capacity", "mine.toml"]) == 0
    text, shipped = (here / "mine.toml").read_text(), catalogue.find_experiment("capacity").path.read_text()
    shipped = catalogue.TIME.sub("", shipped)  # which is that of the original
    assert text == shipped.replace('name = "capacity"  ', 'name = "mine"  ', 1)
    assert tomllib.loads(text)["name"] == "mine"
    assert "markone run mine.toml" in capsys.readouterr().out


def test_new_overwrites_only_by_force(here, capsys):
    (here / "capacity.toml").write_text("my work")
    assert run_command_line(["new", "capacity"]) == 2
    assert (
        "capacity.toml exists already. Choose another file, or overwrite it with --force."
        in capsys.readouterr().err
    )
    assert (here / "capacity.toml").read_text() == "my work"
    assert run_command_line(["new", "capacity", "--force"]) == 0
    assert tomllib.loads((here / "capacity.toml").read_text())["name"] == "capacity"


def test_the_slurm_script_runs_every_shard_once(here, capsys):
    assert (
        run_command_line(["slurm", "capacity_large", "--shards", "64", "--cores", "2", "--hours", "1.5"]) == 0
    )
    script = capsys.readouterr().out
    assert script.startswith("#!/bin/bash\n")
    assert "#SBATCH --array=1-64\n" in script
    assert "#SBATCH --cpus-per-task=2\n" in script
    assert "#SBATCH --time=01:30:00\n" in script
    assert script.endswith('exec markone run capacity_large --shard "$SLURM_ARRAY_TASK_ID/64" --workers 2\n')
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_the_slurm_script_quotes_paths(here, capsys):
    (here / "my own.toml").write_text('name = "mine"\n')
    assert run_command_line(["slurm", "my own.toml", "--shards", "2", "--store", "a b.sqlite"]) == 0
    script = capsys.readouterr().out
    assert "--job-name=markone-mine\n" in script
    assert "exec markone run 'my own.toml' --shard" in script
    assert "--store 'a b.sqlite'\n" in script


def test_the_slurm_script_can_be_portable(here, capsys):
    assert run_command_line(["slurm", "capacity", "--shards", "2", "--portable"]) == 0
    assert capsys.readouterr().out.endswith("--workers 1 --portable\n")


def test_portable_after_numpy_was_imported_is_refused_with_what_to_do(here, capsys):
    from markone.numerics import cpu

    if cpu.compile_target()[0] == cpu.LEVEL:
        pytest.skip("these tests run for the portable kind")
    assert run_command_line(["run", "demo_capacity", "--portable"]) == 2
    said = capsys.readouterr().err
    assert "before Python starts" in said or "Leave out --portable" in said
    assert not (here / "runs").exists()


def test_the_slurm_script_refuses_no_time(here, capsys):
    assert run_command_line(["slurm", "capacity", "--shards", "2", "--hours", "0"]) == 2
    assert "must be positive" in capsys.readouterr().err


def test_doctor_finds_what_it_looks_for(here, capsys):
    code = run_command_line(["doctor", "--json"])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    names = [finding["name"] for finding in found]
    for name in (
        "python",
        "numpy",
        "numba",
        "cache folder",
        "compiled code",
        "BLAS threads",
        "cores",
        "disk",
    ):
        assert name in names
    assert code == (0 if all(finding["good"] for finding in found) else 1)
    assert all(finding["good"] or finding["advice"] for finding in found)


def test_doctor_gives_advice(here, monkeypatch, capsys):
    from markone.numerics import compiling

    monkeypatch.setattr(compiling, "CACHE", None)
    assert run_command_line(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "LOOK cache folder" in said
    assert "set MARKONE_CACHE_DIR to a folder you can write to" in said


# theory


def test_theory_lists_every_curve(capsys):
    assert run_command_line(["theory"]) == 0
    said = capsys.readouterr().out
    assert all(f"{c.name} " in said for c in theory.list())


def test_theory_prints_the_curve(capsys):
    assert run_command_line(["theory", "bayes", "--alpha", "0.5,1,2", "--noise", "0.1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["alpha"] == [0.5, 1.0, 2.0]
    assert found["values"] == theory.curve("bayes")(np.array([0.5, 1.0, 2.0]), noise=0.1).tolist()
    assert run_command_line(["theory", "bayes", "--alpha=2", "--noise=0.1"]) == 0
    assert "alpha = 2        0.243" in capsys.readouterr().out


def test_theory_takes_whole_numbers_and_ranges(capsys):
    assert run_command_line(["theory", "separable_fraction", "--P", "20,40", "--N", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["values"] == pytest.approx([1.0, 0.5])
    np.testing.assert_allclose(curves.parse_numbers("0:2:0.5"), [0, 0.5, 1, 1.5, 2])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bayes"], "Give the values of alpha: markone theory bayes --alpha 0.5,1,2"),
        (["separable_fraction", "--P", "3"], "Give the values of N"),
        (
            ["bayes", "--alpha", "1", "--nois", "0.1"],
            "has no parameter 'nois'. Its parameters: --alpha, --noise",
        ),
        (
            ["bayes", "--alpha", "one"],
            "'one' is neither a list like 0.5,1,2 nor a range like 0:2:0.5 (steps)",
        ),
        (["bayes", "--alpha", "0:1:0"], "is neither a list"),
        (["bayes", "--alpha"], "Give parameters as --name value"),
    ],
)
def test_theory_says_what_is_missing(capsys, words, sentence):
    assert run_command_line(["theory", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_theory_draws(here, capsys):
    assert run_command_line(["theory", "hebb", "--alpha", "0:4:0.5", "--draw", "hebb.svg"]) == 0
    assert "<svg" in (here / "hebb.svg").read_text()


def test_the_version_is_that_of_the_package(capsys):
    import markone

    assert run_command_line(["--version"]) == 0
    assert capsys.readouterr().out == f"markone {markone.__version__}\n"


def test_docs_says_where_the_pages_are_or_how_to_build_them(tmp_path, capsys):
    from markone.cli.commands import system

    with pytest.raises(FileNotFoundError, match="in a clone of the repository: make docs"):
        system.open_docs(show=False, root=tmp_path)
    page = tmp_path / "docs" / "_build" / "html" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("")
    system.open_docs(show=False, root=tmp_path)
    assert capsys.readouterr().out.strip() == str(page)


def test_theory_takes_a_number_of_values_and_several_parameters(here, capsys):
    assert run_command_line(["theory", "bayes", "--alpha", "0.1:10:25", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(found["alpha"], np.linspace(0.1, 10, 25))
    words = ["theory", "separable_fraction", "--P", "10:30:10", "--N", "10,20"]
    assert run_command_line([*words, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["N"], line["P"]) for line in lines] == [(10, [10, 20, 30]), (20, [10, 20, 30])]
    assert run_command_line([*words, "--draw", "both.svg"]) == 0
    assert capsys.readouterr().out.count("N = 20") == 3
    assert run_command_line(["theory", "bayes", "--alpha", "3:1:0.5"]) == 2


def test_list_of_one_chapter(capsys):
    assert run_command_line(["list", "--chapter", "5", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {entry["chapter"] for entry in found} == {5}
    assert "iris" in {entry["name"] for entry in found}
    assert run_command_line(["list", "--chapter", "9"]) == 2
    assert "choose one of [1, 2, 3, 4, 5, 6]" in capsys.readouterr().err
