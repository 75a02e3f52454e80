"""Estimators by command-line name."""

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from toy_package import ToyStudent

from markone.base import registry
from markone.tables import models


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
    assert models.friendly_name(name) == friendly
    assert models.normalised_name(friendly) == models.normalised_name(name)


def test_every_classifier_of_the_rooms_is_there_and_nothing_else():
    names = models.model_names()
    assert {"adaline", "adatron", "hebb", "kernel-adatron", "knn", "minover", "pocket", "soft-margin"} <= set(
        names
    )
    assert "separability" not in names


def test_a_new_package_is_found_without_an_edit(toy_package):
    assert "toy-student" in models.model_names()
    assert "needs-arguments" not in models.model_names()
    assert isinstance(models.create_model("Toy_Student", {"strength": 2}, 0), ToyStudent)


def test_presets_settings_and_seed():
    soft = models.create_model("soft-margin", {}, 7)
    assert (type(soft).__name__, soft.C, soft.random_state) == ("AdaTron", 1.0, 7)
    assert models.create_model("Soft Margin", {"C": 0.1, "random_state": 3}, 7).get_params()["C"] == 0.1
    assert models.create_model("SVM", {}, 0).kernel == "rbf"
    assert np.inf == models.create_model("adatron", {}, 0).C
    assert models.display_name("softmargin", soft) == "soft-margin"
    assert models.display_name("knn", models.create_model("knn", {"n_neighbors": 3}, 0)) == "knn"


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
        models.create_model(name, settings, 0)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_every_estimator_of_the_house_is_a_model_by_itself(task):
    """Derived from the registry: what is made without arguments and has the role is there under its name."""
    asked = is_regressor if task == "regression" else is_classifier
    made = {name: made_of(cls) for name, cls in registry.public_estimators().items()}
    able = {models.friendly_name(name) for name, model in made.items() if model is not None and asked(model)}
    assert able <= set(models.model_names(task))
    assert len(able) >= (2 if task == "regression" else 25)


def made_of(cls):
    try:
        return cls()
    except TypeError:
        return None


def test_a_model_of_the_other_task_is_explained():
    with pytest.raises(ValueError, match=r"no model 'gmlvq' for regression: it predicts classes, but the ta"):
        models.create_model("gmlvq", {}, 0, "regression")
    with pytest.raises(ValueError, match=r"'svr' for classification: it predicts numbers, .*--task regress"):
        models.create_model("svr", {}, 0)


def test_baselines_of_scikit_learn_by_short_and_long_name():
    assert type(models.create_model("forest", {"n_estimators": 7}, 3)).__name__ == "RandomForestClassifier"
    assert type(models.create_model("forest", {}, 3, "regression")).__name__ == "RandomForestRegressor"
    assert type(models.create_model("RandomForestClassifier", {}, 0)).__name__ == "RandomForestClassifier"
    assert models.display_name("logistic", models.create_model("logistic", {}, 0)) == "logistic"
    with pytest.raises(ValueError, match="made of trees"):
        models.check_model_can_be_saved("forest")
    models.check_model_can_be_saved("gmlvq")


def test_linear_and_ridge_are_the_linear_unit():
    assert models.create_model("linear", {}, 0, "regression").ridge == 0.0
    assert models.create_model("ridge", {"ridge": 3.0}, 0, "regression").ridge == 3.0
