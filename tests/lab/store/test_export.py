"""Exported files."""

import csv
import sys

import numpy as np
import pytest
from toy_declarations import study

from markone.lab.runner.run import run
from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store.export import export_results
from markone.lab.store.results import Store

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
            export_results(store, study(), tmp_path / "table.xlsx")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(ImportError, match=r"needs pyarrow.*pip install 'markone\[parquet\]'"):
            export_results(store, study(), tmp_path / "table.parquet")
