"""The catalogue of students, what they say of themselves, and how they are kept."""

import sys
from types import ModuleType

import numpy as np
import pytest
import skops.io
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline

from markone.tables import fitting, model_file, models
from markone.tables.model_summary import summarise
from markone.tables.plan import ColumnPlan
from markone.tables.report import sentences
from markone.tables.report.page import page
from markone.tables.report.to_dict import to_dict
from markone.tables.scaling import Scaling
from markone.tables.scores import Judge


@pytest.mark.parametrize(
    ("name", "friendly"),
    [
        ("AdaTron", "adatron"),
        ("KernelAdaTron", "kernel-adatron"),
        ("PerceptronRule", "perceptron-rule"),
        ("GMLVQ", "gmlvq"),
        ("MatrixLVQ1", "matrix-lvq1"),
    ],
)
def test_friendly_names(name, friendly):
    assert models.friendly(name) == friendly
    assert models.key(friendly) == models.key(name)


def test_every_classifier_of_the_rooms_is_there_and_nothing_else():
    names = models.names()
    assert {"adaline", "adatron", "hebb", "kernel-adatron", "knn", "minover", "pocket", "soft-margin"} <= set(
        names
    )
    assert "separability" not in names


class ToyStudent(ClassifierMixin, BaseEstimator):
    """Nearest prototype with a relevance: what the LVQ room's students show."""

    def __init__(self, strength=1.0):
        self.strength = strength

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.prototypes_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
        self.prototype_labels_ = self.classes_
        self.relevance_ = np.arange(X.shape[1]) / X.shape[1]
        self.trace_ = np.rec.array([(1, 2.0)], dtype=[("step", int), ("cost", float)])
        return self

    def predict(self, X):
        d = ((X[:, None] - self.prototypes_) ** 2).sum(axis=2)
        return self.prototype_labels_[d.argmin(axis=1)]


class NeedsArguments(ToyStudent):
    def __init__(self, something):
        self.something = something


@pytest.fixture
def room(monkeypatch):
    """A new room of the house, with students that no list mentions."""
    module = ModuleType("markone.toys")
    module.HOMES = {"ToyStudent": "markone.toys", "NeedsArguments": "markone.toys", "help": "markone.toys"}
    module.ToyStudent, module.NeedsArguments, module.help = ToyStudent, NeedsArguments, print
    monkeypatch.setitem(sys.modules, "markone.toys", module)
    monkeypatch.setattr(models, "ROOMS", (*models.ROOMS, "toys"))
    monkeypatch.setattr(model_file, "ROOMS", (*models.ROOMS, "toys"))
    monkeypatch.setattr(ToyStudent, "__module__", "markone.toys")


def test_a_new_room_is_found_without_an_edit(room):
    assert "toy-student" in models.names()
    assert "needs-arguments" not in models.names()
    assert isinstance(models.make("Toy_Student", {"strength": 2}, 0), ToyStudent)


def test_presets_settings_and_seed():
    soft = models.make("soft-margin", {}, 7)
    assert (type(soft).__name__, soft.C, soft.random_state) == ("AdaTron", 1.0, 7)
    assert models.make("Soft Margin", {"C": 0.1, "random_state": 3}, 7).get_params()["C"] == 0.1
    assert models.make("SVM", {}, 0).kernel == "rbf"
    assert np.inf == models.make("adatron", {}, 0).C
    assert models.called("softmargin", soft) == "soft-margin"
    assert models.called("knn", models.make("knn", {"n_neighbors": 3}, 0)) == "knn"


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("adatrom", {}, r"no model 'adatrom'\. Did you mean 'adatron'\? The models: adaline, "),
        ("zzz", {}, r"no model 'zzz'\. The models: adaline, .*knn"),
        ("separability", {}, "no model 'separability'"),
        (
            "adatron",
            {"solvr": "fast"},
            r"adatron has no parameter 'solvr'\. Did you mean 'solver'\? It has C=inf",
        ),
    ],
)
def test_unknown_names_are_answered_with_the_known(name, settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        models.make(name, settings, 0)


def fitted(name, rows=slice(None)):
    X, k = load_iris(return_X_y=True)
    X, y = X[rows], np.array(["a", "b", "c"])[k[rows]]
    return X, y, Pipeline([("scaling", Scaling(4)), ("model", models.make(name, {}, 0))]).fit(X, y)


def test_support_vectors_weights_and_the_certificate_are_named():
    _, _, pipeline = fitted("adatron", slice(0, 100))
    rows = list(range(101, 201))
    found = summarise(pipeline, ["p", "q", "r", "s"], rows, "of z-scores")
    model = pipeline["model"]
    assert found.support == {"b against a": [101 + k for k in model.support_]}
    assert any("every row is on its side; no weights at all reach more than" in s for s in found.sentences)
    order = np.argsort(-np.abs(model.coef_[0]))
    assert found.bars.features == [["p", "q", "r", "s"][k] for k in order]
    assert np.array_equal(found.bars.values[0], model.coef_[0][order])


def test_relevances_are_sorted_and_prototypes_are_in_the_units_of_the_table(room):
    X, y, pipeline = fitted("toy-student")
    found = summarise(pipeline, ["p", "q", "r", "s"], list(range(150)), "")
    assert found.bars.features == ["s", "r", "q", "p"]
    labels, at = found.prototypes
    assert labels == ["a", "b", "c"]
    assert np.allclose(at, [X[y == label].mean(axis=0) for label in "abc"])


def test_a_student_without_scores_has_no_auc(room, tmp_path):
    fitted = fitting.fit(fitting.FitRequest("iris", model="toy-student", cv="3"))
    assert np.isnan(fitted.validation.estimates["auc"].mean)
    assert any(text.startswith("There is no AUC") for text in sentences.footnotes(fitted))
    assert to_dict(fitted)["scores"]["auc"]["mean"] is None
    html = page(fitted, ["fit", "iris"], "0")
    assert "figure-roc" not in html
    assert "<h3>Prototypes</h3>" in html
    assert to_dict(fitted)["student"]["prototypes"][0]["class"] == "setosa"


def kept(pipeline, path):
    model_file.dump(
        model_file.Model(ColumnPlan("k", []), pipeline, Judge(["a", "b", "c"], "c"), {"x": [1, None]}), path
    )
    return model_file.load(path)


@pytest.mark.parametrize(
    "name", ["adatron", "hebb", "kernel-adatron", "knn", "pocket", "adaline", "toy-student"]
)
def test_a_saved_student_is_the_same_student(room, tmp_path, name):
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
    with pytest.raises(ValueError, match=r"does not know: .*Stranger\. It was not loaded"):
        model_file.load(tmp_path / "evil.skops")


def test_functions_of_the_house_are_no_trusted_types():
    assert model_file.of_the_house("markone.perceptron.adatron.AdaTron")
    assert not model_file.of_the_house("markone.perceptron.measures.stability")
    assert not model_file.of_the_house("markone.perceptron.nothing.Here")
    assert not model_file.of_the_house("markone.cli.main.call")
    assert not model_file.of_the_house("os.system")


def test_files_that_are_no_models(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"markone fit \.\.\. --save no.skops"):
        model_file.load(tmp_path / "no.skops")
    (tmp_path / "a.pkl").write_bytes(b"\x80\x04}.")
    with pytest.raises(ValueError, match="Pickles are not loaded"):
        model_file.load(tmp_path / "a.pkl")
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("hello.txt", "hello")
    with pytest.raises(ValueError, match="not one of skops"):
        model_file.load(tmp_path / "a.zip")
    skops.io.dump([1, 2], tmp_path / "list.skops")
    with pytest.raises(ValueError, match="it has no plan of columns"):
        model_file.load(tmp_path / "list.skops")
    skops.io.dump({"plan": {}, "format": 99}, tmp_path / "new.skops")
    with pytest.raises(ValueError, match="has format 99"):
        model_file.load(tmp_path / "new.skops")
