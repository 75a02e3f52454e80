"""The text of a student from a stranger: no code, no file, bounded size."""

import inspect
import sys
from contextlib import contextmanager, suppress
from functools import cache

import joblib
import numpy as np
import pytest
from sklearn.utils import all_estimators

from markone.base import registry
from markone.lab.scenarios.estimators.allowed_estimators import CLASSES, MAX_CHARACTERS, REFUSED_PARAMETERS
from markone.lab.scenarios.estimators.student_expressions import (
    canonical_expression,
    parse_student,
    public_class_name,
)
from markone.lab.scenarios.estimators.student_measures import ignore_convergence_warnings

STEPS = "steps=[('a', sklearn.preprocessing.StandardScaler), ('b', sklearn.svm.SVC)]"
ALLOWED = [f"sklearn.{module}.{name}" for module, names in CLASSES.items() for name in names.split()]
_events: list[str] = []
_watched: list[bool] = []


def _record_event(event, arguments):
    if not _watched:
        return
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        if "__pycache__" not in str(arguments[0]):
            _events.append(f"open {arguments[0]}")
    elif event in ("pickle.find_class", "subprocess.Popen", "os.system"):
        _events.append(f"{event} {arguments}")


sys.addaudithook(_record_event)


@contextmanager
def no_file_written_no_pickle_loaded():
    _events.clear()
    _watched.append(True)
    try:
        yield
    finally:
        _watched.clear()
    assert _events == []


def _may_be_dangerous(cls, key, default):
    """Parameters that take a path, a cache, a function, or any string."""
    constraints = getattr(cls, "_parameter_constraints", {}).get(key, [])
    words = ("memory", "path", "file", "cache", "callback", "func", "verbose", "dir", "input", "getter")
    kinds = (str, callable, "no_validation")
    return any(word in key for word in words) or any(one in kinds for one in constraints) or default is None


@pytest.mark.filterwarnings("ignore")
def test_no_parameter_of_scikit_learn_names_a_file_a_cache_or_a_function(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    joblib.Memory("data", verbose=0).cache(np.sin)(1.0)
    estimators, refused = [cls for _, cls in all_estimators()], 0
    with no_file_written_no_pickle_loaded():
        for cls in estimators:
            for key, parameter in inspect.signature(cls).parameters.items():
                if _may_be_dangerous(cls, key, parameter.default):
                    with pytest.raises(ValueError):
                        parse_student(f"{public_class_name(cls)}({key}='data')")
                    refused += 1
    assert len(estimators) > 190
    assert refused > 500


@cache
def names_of_scikit_learn():
    return {public_class_name(cls) for _, cls in all_estimators()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ALLOWED)
def test_listed_classes_exist_and_fit_without_files(name):
    assert name in names_of_scikit_learn()
    rng = np.random.default_rng(0)
    X, y = np.abs(rng.standard_normal((40, 3))), np.repeat([-1.0, 1.0], 20)
    with no_file_written_no_pickle_loaded(), ignore_convergence_warnings():
        try:
            made = parse_student(
                f"sklearn.pipeline.Pipeline(steps=[('one', {name}), ('two', sklearn.svm.SVC)])"
            )
            student = made if hasattr(made.steps[0][1], "transform") else parse_student(name)
        except ValueError:  # needs parts of its own
            return
        with suppress(ValueError, TypeError):
            student.fit(X, y)


@pytest.mark.parametrize("key", sorted(REFUSED_PARAMETERS))
def test_refused_parameters(key):
    with pytest.raises(ValueError, match=f"must not set {key}, because"):
        parse_student(f"sklearn.pipeline.Pipeline({STEPS}, {key}='data')")


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("sklearn.svm.SVC(kernel='mine')", r"kernel = 'mine' must be one of linear, poly"),
        ("sklearn.linear_model.Perceptron(tol='data')", "must be no string"),
        ("sklearn.model_selection.GridSearchCV(estimator=AdaTron)", "may use: the list of sklearn.model_sel"),
        ("sklearn.conftest.X", "may use: the list of sklearn.conftest has no 'X', but nothing"),
        ("markone.web.app.X", "is not imported by its path here"),
        ("AdaTron(n_jobs=4)", "must not set n_jobs"),
        (
            "sklearn.ensemble.RandomForestClassifier(n_estimators=1000000001)",
            "n_estimators = 1000000001 is larg",
        ),
        ("sklearn.neural_network.MLPClassifier(hidden_layer_sizes=(9, 10000000))", "is larger than 1000000"),
        ("AdaTron(C=[" + "1, " * 30 + "])", "it has 32 values, more than the 30"),
        ("x" * 5000, f"has 5000 characters: a student has at most {MAX_CHARACTERS}"),
        ("-" * 3900 + "1", "nested too deeply|is no name|values, more than"),
        ("a" + ".a" * 1900, "nested too deeply|is code of a"),
        ("(" * 1900, "is no student"),
        ("sklearn.semi_supervised.SelfTrainingClassifier", "is no classifier"),
        ("sklearn.pipeline.Pipeline(steps=3)", "is no classifier"),
        ("AdaTron\0", "is no student"),
    ],
)
def test_sentences(written, sentence):
    with pytest.raises(ValueError, match=sentence):
        canonical_expression(written)


def test_depth():
    def nested(levels):
        student = "AdaTron"
        for _ in range(levels - 1):
            student = f"sklearn.multiclass.OneVsRestClassifier(estimator={student})"
        return student

    assert canonical_expression(nested(4)) == nested(4)
    with pytest.raises(ValueError, match="nested more than 4 deep"):
        canonical_expression(nested(5))


def test_every_classifier_of_ours_may_be_used():
    for name in registry.public_classifiers():
        assert canonical_expression(f"markone.{name}") == name
