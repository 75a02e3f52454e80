"""`markone fit` of a folder of Parquet files."""

import json

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from markone.cli.main import call


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    for k in range(3):
        y = rng.integers(0, 2, 200)
        X = rng.normal(size=(200, 2)) + 2 * y[:, None]
        table = pyarrow.table({"a": X[:, 0], "b": X[:, 1], "c": X.sum(axis=1), "y": y})
        pyarrow.parquet.write_table(table, tmp_path / f"{k}.parquet")
    return tmp_path


def run(capsys, *words):
    return call(["fit", *map(str, words)]), capsys.readouterr()


def test_scores_of_the_folder(folder, capsys):
    code, told = run(capsys, folder, "--target", "y", "--model", "gmlvq", "--set", "max_iter=5", "--cv", "3")
    assert code == 0
    assert "gmlvq on rows it has not seen, 600 rows in 3 folds" in told.out
    assert "balanced accuracy" in told.out


def test_numbers_for_a_machine(folder, capsys):
    code, told = run(capsys, folder, "--target", "a", "--json")
    assert code == 0
    assert json.loads(told.out)["scores"]["r2"]["mean"] > 0.9


def test_what_a_folder_cannot_have(folder, capsys):
    code, told = run(capsys, folder, "--target", "y", "--report", "x.html")
    assert code == 2
    assert "not for --report" in told.err
    code, told = run(capsys, folder, "--target", "y", "--model", "svm")
    assert code == 2
    assert "KernelAdaTron needs all rows at once" in told.err
    code, told = run(capsys, folder, "--target", "y", "--group", "a")
    assert code == 2
    assert "not for --group" in told.err


def test_missing_values_are_counted_and_told_where_they_know_the_class(tmp_path, capsys):
    rng = np.random.default_rng(0)
    for k in range(2):
        y = rng.integers(0, 2, 200)
        a = np.where((y == 1) & (rng.random(200) < 0.5), np.nan, rng.normal(size=200))
        table = pyarrow.table({"a": a, "b": rng.normal(size=200), "y": y})
        pyarrow.parquet.write_table(table, tmp_path / f"{k}.parquet")
    code, told = run(capsys, tmp_path, "--target", "y", "--model", "hebb", "--cv", "2")
    assert code == 2
    assert "Column 'a' has missing values" in told.err
    words = (tmp_path, "--target", "y", "--model", "hebb", "--cv", "2", "--missing", "median")
    code, told = run(capsys, *words)
    assert code == 0
    assert "Whether 'a' is missing depends on the class" in told.out
    assert "This may be untrue" in told.out
    code, told = run(capsys, *words, "--json")
    content = json.loads(told.out)
    assert content["missing"]["a"] > 50
    assert content["findings"][0]["doubts_score"] is True
    assert len(content["quantiles"]["b"]) == 5
