"""Exported files."""

import csv
import json
import sqlite3
import sys
from contextlib import closing

import numpy as np
import pytest
from toy_declarations import study

from markone.errors import StoreError
from markone.lab import Experiment
from markone.lab.runner.run import run
from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store import blocks
from markone.lab.store.export import export_results
from markone.lab.store.results import Store
from markone.run.outcomes import TaskOutcome

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def filled(path, count=None):
    with Store(path) as store:
        for task in list_remaining_tasks(study(), {})[:count]:
            store.add(task, run_task(task))
    return path


@pytest.mark.parametrize("ending", ["csv", "parquet", "nc"])
def test_exports_read_back_to_the_same_bits(path, tmp_path, ending):
    declaration = study(fixed={"rule": "minover"})
    with Store(path) as store:
        run(declaration, store)
        target = export_results(store, declaration, tmp_path / f"table.{ending}")
        points = store.points(declaration)
    beside = [f"{target.name}-metadata.json"] if ending == "csv" else []
    assert sorted(p.name for p in tmp_path.glob("*table*")) == [target.name, *beside]
    for name in beside:
        assert json.loads((tmp_path / name).read_text())["declaration"]["name"] == declaration.name
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


@pytest.mark.parametrize("chunk", [1, 5, 4096])
def test_points_are_read_in_batches_as_at_once(path, tmp_path, monkeypatch, chunk):
    """Also unfinished points, failed ones, and points that share their results."""
    monkeypatch.setattr(blocks, "CHUNK", chunk)
    shared = Experiment.load("demo_capacity").with_(N=[5, 20], alpha=[1.5, 1.58, 1.6, 2.0], repeats=6)
    with Store(tmp_path / "shared.sqlite") as store:
        run(shared.declaration, store)
        check_same_points(store, shared.declaration)
    with Store(filled(path, 7)) as store:
        task = list_remaining_tasks(study(), store.done())[0]
        store.add(task, TaskOutcome(error="no"))
        check_same_points(store, study())


def check_same_points(store, declaration):
    for one, other in zip(store.points(declaration), store.iterate_points(declaration), strict=True):
        assert (one.parameters, one.repeats, one.failures) == (
            other.parameters,
            other.repeats,
            other.failures,
        )
        assert {k: v.tobytes() for k, v in one.values.items()} == {
            k: v.tobytes() for k, v in other.values.items()
        }


def test_a_damaged_row_is_not_exported(path, tmp_path):
    filled(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER keep_attempts")
        connection.execute("UPDATE attempts SET seconds = seconds + 1 WHERE id = 3")
        connection.commit()
    with Store(path, "r") as store, pytest.raises(StoreError, match="is damaged"):
        export_results(store, study(), tmp_path / "table.csv")
    assert list(tmp_path.glob("*.csv")) == []


def test_exports_that_cannot_be_made(path, tmp_path, monkeypatch):
    with Store(filled(path)) as store:
        with pytest.raises(ValueError, match=r"table.xlsx must end in .csv, .parquet, .nc"):
            export_results(store, study(), tmp_path / "table.xlsx")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(ImportError, match=r"needs pyarrow.*pip install 'markone\[parquet\]'"):
            export_results(store, study(), tmp_path / "table.parquet")
