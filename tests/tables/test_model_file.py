"""Saved models, and files that are refused."""

import zipfile

import numpy as np
import pytest
import skops.io
from sklearn.dummy import DummyClassifier
from toy_package import fitted

from markone.tables import model_file
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.scoring import ClassScoring


def kept(pipeline, path):
    model_file.write_model_file(
        model_file.SavedModel(
            ColumnPlan("k", []), pipeline, ClassScoring(["a", "b", "c"], "c"), {"x": [1, None]}
        ),
        path,
    )
    return model_file.load_model(path)


@pytest.mark.parametrize(
    "name", ["adatron", "hebb", "kernel-adatron", "knn", "pocket", "adaline", "toy-student"]
)
def test_a_saved_student_is_the_same_student(toy_package, tmp_path, name):
    rows = slice(0, 100) if name == "adatron" else slice(None)
    X, _, pipeline = fitted(name, rows)
    again = kept(pipeline, tmp_path / "m.skops")
    assert np.array_equal(again.pipeline.predict(X), pipeline.predict(X))
    if hasattr(pipeline, "decision_function"):
        assert np.array_equal(again.pipeline.decision_function(X), pipeline.decision_function(X))
    assert again.facts == {"x": [1, None]}
    assert not hasattr(again.pipeline["model"], "trace_")
    assert [path.name for path in tmp_path.iterdir()] == ["m.skops"]


class Stranger(DummyClassifier):
    pass


def test_what_is_not_trusted_is_named_and_not_loaded(tmp_path):
    X, y, pipeline = fitted("hebb")
    pipeline.steps[-1] = ("model", Stranger().fit(X, y))
    with pytest.raises(ValueError, match=r"Stranger.*The model was not saved"):
        kept(pipeline, tmp_path / "m.skops")
    skops.io.dump({"plan": {}, "pipeline": pipeline}, tmp_path / "evil.skops")
    with pytest.raises(ValueError, match=r"unknown to markone: .*Stranger\. It was not loaded"):
        model_file.load_model(tmp_path / "evil.skops")


def test_functions_of_the_house_are_no_trusted_types():
    assert model_file.is_own_class("markone.perceptron.students.adatron.AdaTron")
    assert not model_file.is_own_class("markone.perceptron.measures.stability")
    assert not model_file.is_own_class("markone.perceptron.nothing.Here")
    assert not model_file.is_own_class("markone.cli.main.run_command_line")
    assert not model_file.is_own_class("os.system")


def test_an_archive_that_unpacks_to_very_much_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(model_file, "LARGEST", 10**6)
    with zipfile.ZipFile(tmp_path / "bomb.skops", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("schema.json", " " * 10**8)
    with pytest.raises(ValueError, match="more than any model: it was not loaded"):
        model_file.load_model(tmp_path / "bomb.skops")


def test_files_that_are_no_models(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"markone fit \.\.\. --save no.skops"):
        model_file.load_model(tmp_path / "no.skops")
    (tmp_path / "a.pkl").write_bytes(b"\x80\x04}.")
    with pytest.raises(ValueError, match="Pickles are not loaded"):
        model_file.load_model(tmp_path / "a.pkl")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("hello.txt", "hello")
    with pytest.raises(ValueError, match="not one of skops"):
        model_file.load_model(tmp_path / "a.zip")
    skops.io.dump([1, 2], tmp_path / "list.skops")
    with pytest.raises(ValueError, match="it has no plan of columns"):
        model_file.load_model(tmp_path / "list.skops")
    skops.io.dump({"plan": {}, "format": 99}, tmp_path / "new.skops")
    with pytest.raises(ValueError, match="has format 99"):
        model_file.load_model(tmp_path / "new.skops")


def damaged(data, rng):
    """A bit flipped, a part cut off or overwritten."""
    kind, at = rng.integers(4), int(rng.integers(len(data)))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes(rng.integers(0, 256, 40, dtype=np.uint8)) + data[at + 40 :]
    return data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]


def survives(data, path, X, expected):
    path.write_bytes(data)
    try:
        found = model_file.load_model(path).pipeline.predict(X)
    except ValueError as error:
        return path.name in str(error)
    # What is harmless (a date in the archive) is read as ever.
    return np.array_equal(found, expected)


@pytest.mark.parametrize("tries", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_damaged_file_is_refused_with_a_sentence_or_harmless(tmp_path, tries):
    X, _, pipeline = fitted("hebb")
    kept(pipeline, tmp_path / "m.skops")
    whole, rng = (tmp_path / "m.skops").read_bytes(), np.random.default_rng(5)
    expected = pipeline.predict(X)
    outcomes = [survives(damaged(whole, rng), tmp_path / "m.skops", X, expected) for _ in range(tries)]
    assert outcomes == [True] * tries
