"""`markone fit` of a folder of Parquet files."""

import json

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from markone.cli.main import run_command_line


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
    return run_command_line(["fit", *map(str, words)]), capsys.readouterr()


def test_scores_of_the_folder(folder, capsys):
    code, told = run(capsys, folder, "--target", "y", "--model", "gmlvq", "--set", "max_iter=5", "--cv", "3")
    assert code == 0
    assert "Of rows it has not seen, gmlvq gets" in told.out
    assert "600 rows in 3 folds" in told.out
    assert "balanced accuracy" in told.out


def test_numbers_for_a_machine(folder, capsys):
    code, told = run(capsys, folder, "--target", "a", "--cv", "1x5", "--json")
    assert code == 0
    assert json.loads(told.out)["scores"]["r2"]["mean"] > 0.9


def test_what_a_folder_cannot_have(folder, capsys):
    code, told = run(capsys, folder, "--target", "y", "--grid", "C=1,2")
    assert code == 2
    assert "does not support --grid" in told.err
    code, told = run(capsys, folder, "--target", "y", "--model", "svm")
    assert code == 2
    assert "KernelAdaTron needs all rows at once" in told.err
    code, told = run(capsys, folder, "--target", "y", "--group", "a")
    assert code == 2
    assert "does not support --group" in told.err


def test_missing_values_are_counted_and_told_where_they_know_the_class(tmp_path, capsys):
    rng = np.random.default_rng(0)
    for k in range(2):
        y = rng.integers(0, 2, 200)
        a = np.where((y == 1) & (rng.random(200) < 0.5), np.nan, rng.normal(size=200))
        table = pyarrow.table({"a": a, "b": rng.normal(size=200), "y": y})
        pyarrow.parquet.write_table(table, tmp_path / f"{k}.parquet")
    code, told = run(capsys, tmp_path, "--target", "y", "--model", "hebb", "--cv", "2", "--strict")
    assert code == 2
    assert "Column 'a' has missing values" in told.err
    words = (tmp_path, "--target", "y", "--model", "hebb", "--cv", "2", "--missing", "median")
    code, told = run(capsys, *words)
    assert code == 0
    assert "Whether 'a' is missing depends on the class" in told.out
    assert "This may be misleading" in told.out
    code, told = run(capsys, *words, "--json")
    content = json.loads(told.out)
    assert content["missing"]["a"] > 50
    assert content["findings"][0]["doubts_score"] is True
    assert len(content["quantiles"]["b"]) == 5


@pytest.mark.parametrize("model", ["gmlvq", "soft-margin"])
def test_a_page_and_a_model_of_a_folder(folder, capsys, tmp_path_factory, model):
    out = tmp_path_factory.mktemp("out")
    page, kept = out / "page.html", out / "m.skops"
    words = ("--target", "y", "--model", model, "--cv", "1x3", "--report", page, "--save", kept)
    code, told = run(capsys, folder, *words)
    assert code == 0
    assert "Each class" in told.out
    text = page.read_text()
    assert "Of rows it has not seen" in text
    assert "The student of all rows" in text
    answers = out / "answers.csv"
    assert run_command_line(["predict", str(kept), str(folder), "--out", str(answers)]) == 0
    lines = answers.read_text().splitlines()
    assert len(lines) == 1 + 600
    assert lines[0].startswith("file,row,label,score")
    assert lines[1].startswith("0.parquet,1,")
    assert lines[-1].startswith("2.parquet,200,")
    truth = pyarrow.parquet.read_table(folder)["y"].to_pylist()
    said = [line.split(",")[2] for line in lines[1:]]
    assert np.mean([a == str(b) for a, b in zip(said, truth, strict=True)]) > 0.9


def test_a_folder_of_numbers_is_kept_with_its_band(folder, capsys, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    page, kept, answers = out / "page.html", out / "m.skops", out / "answers.csv"
    code, _ = run(capsys, folder, "--target", "c", "--report", page, "--save", kept, "--cv", "1x3")
    assert code == 0
    assert "explains" in page.read_text()
    one = folder / "0.parquet"
    assert run_command_line(["predict", str(kept), str(one), "--out", str(answers)]) == 0
    header, first = answers.read_text().splitlines()[:2]
    assert header.split(",")[1:4] == ["prediction", "low 95 %", "high 95 %"]
    truth = pyarrow.parquet.read_table(one)["c"][0].as_py()
    assert float(first.split(",")[1]) == pytest.approx(truth, abs=0.1)


def test_answers_of_a_folder_need_a_file(folder, capsys, tmp_path_factory):
    kept = tmp_path_factory.mktemp("out") / "m.skops"
    run(capsys, folder, "--target", "y", "--model", "hebb", "--cv", "1x3", "--save", kept)
    assert run_command_line(["predict", str(kept), str(folder)]) == 2
    assert "give --out" in capsys.readouterr().err


def test_rows_without_a_target_are_refused(tmp_path, capsys):
    table = pyarrow.table({"a": [1.0, 2.0, 3.0], "y": ["u", None, "v"]})
    pyarrow.parquet.write_table(table, tmp_path / "0.parquet")
    code, told = run(capsys, tmp_path, "--target", "y")
    assert code == 2
    assert "'y' is missing in 1 row of 0.parquet" in told.err
