"""The benchmarks can be imported, and the small ones run."""

import math
import sys
from importlib import import_module
from pathlib import Path

import pytest

from markone.lab import scenarios

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    yield lambda name: import_module(f"benchmarks.{name}")
    for name in [name for name in sys.modules if name.split(".")[0] == "benchmarks"]:
        monkeypatch.delitem(sys.modules, name)


def test_each_can_be_imported_without_its_peers(benchmark):
    for name in [*benchmark("__main__").ALL, "partitions", "tables_of_r", "web_load"]:
        module = benchmark(name)
        assert callable(getattr(module, "compare", None) or module.main), name


def test_reading_measures_fit_load_and_pandas(benchmark, tmp_path):
    reading = benchmark("reading")
    path = reading.write_numbers(tmp_path / "small.csv", 60, 3)
    for reader in reading.READERS:
        assert reading.make_reader(reader, path)() is not None
    assert reading.measure_peak("fit", path) > 0
    assert reading.make_reader("fit", reading.write_mixed(tmp_path / "mixed.csv", 60))().X.shape[0] == 60


def test_the_runner_counts_in_seconds(benchmark, monkeypatch):
    # Do not install the scenario of the benchmark for other tests.
    monkeypatch.setattr(scenarios, "__path__", list(scenarios.__path__))
    runner = benchmark("runner")
    runner.install_scenario()
    clock, work = runner.measure_steady_state(runner.MAKERS["threads"](1), 1, 1)
    assert 0 < clock < 600
    assert 0 < work < 600, "a round takes milliseconds: these are not seconds"


def test_a_history_that_is_off_is_compared_with_the_same_loop(benchmark):
    recording = benchmark("recording")
    problem, epochs = recording.problem_and_epochs()
    recording.bare(problem, epochs)
    recording.off(problem, epochs)


def test_shares_of_proofs(benchmark, monkeypatch):
    certificates = benchmark("certificates")
    monkeypatch.setattr(certificates, "ROUNDS", 1)
    assert all(math.isfinite(row.ratio) for row in certificates.compare())


def test_partitions_write_their_files(benchmark, tmp_path):
    from markone.tables import describe_partitions

    folder = benchmark("partitions").write_partitions(tmp_path / "all", 50, 3, 2)
    assert describe_partitions(folder, "class").rows == 50
