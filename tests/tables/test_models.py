"""The catalogue of students by friendly names."""

import numpy as np
import pytest
from toy_room import ToyStudent

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
    assert models.friendly(name) == friendly
    assert models.key(friendly) == models.key(name)


def test_every_classifier_of_the_rooms_is_there_and_nothing_else():
    names = models.names()
    assert {"adaline", "adatron", "hebb", "kernel-adatron", "knn", "minover", "pocket", "soft-margin"} <= set(
        names
    )
    assert "separability" not in names


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
