"""Three tables as files."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris


@pytest.fixture(autouse=True)
def _no_processes_for_slow_fits(monkeypatch):
    """On a busy machine each small fit would start processes, which import everything again."""
    monkeypatch.setattr("markone.tables.running.MIN_PARALLEL_SECONDS", float("inf"))


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def iris(here):
    data = load_iris()
    rows = [[*map(float, x), data.target_names[k]] for x, k in zip(data.data, data.target, strict=True)]
    from tables_on_disk import write

    write(here / "iris.csv", ["sepal length", "sepal width", "petal length", "petal width", "species"], rows)


@pytest.fixture
def cancer(here):
    data = load_breast_cancer()
    rows = [[*map(float, x), "MB"[k]] for x, k in zip(data.data[:200], data.target[:200], strict=True)]
    from tables_on_disk import write

    write(here / "cancer.csv", [*data.feature_names, "diagnosis"], rows)


@pytest.fixture
def patients(here):
    """Texts, a flag, an identifier, a constant, missing values; the outcome follows from age and ward."""
    rng = np.random.default_rng(5)
    age, ward = rng.uniform(20, 90, 80).round(1), rng.choice(["north", "south", "west"], 80)
    ill = age + 25 * (ward == "south") > 65
    rows = []
    for k in range(80):
        given = "" if k in (3, 17) else age[k]
        where = "" if k == 5 else ward[k]
        smokes = rng.choice(["yes", "no"])
        rows.append([f"P-{k:03}", given, where, smokes, 1, "ill" if ill[k] else "healthy"])
    from tables_on_disk import write

    write(here / "patients.csv", ["patient", "age", "ward", "smokes", "site", "outcome"], rows)
