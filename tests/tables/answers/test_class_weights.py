"""Class weights from the costs of errors."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from markone import AdaTron
from markone.tables import AnswerOptions, ColumnOptions, FitRequest, fit, headline
from markone.tables.answers.decision import balance_classes, set_class_weights
from markone.tables.comparing.differences import StudentChoice
from markone.tables.request import Folds
from markone.tables.scoring import ClassScoring

PRICED = ClassScoring(["fraud", "ok"], "fraud", [[0.0, 30.0], [1.0, 0.0]])


def test_the_weights_are_the_prices_and_said():
    model = AdaTron(C=1.0)
    (said,) = set_class_weights(model, PRICED)
    assert model.class_weight == {"fraud": 30.0, "ok": 1.0}
    assert said == "Class weights in training, by the cost of an error: fraud 30, ok 1."


@pytest.mark.parametrize(
    ("model", "judge"),
    [
        (AdaTron(C=1.0, class_weight="balanced"), PRICED),
        (KNeighborsClassifier(), PRICED),
        (AdaTron(C=1.0), ClassScoring(["fraud", "ok"], "fraud")),
        (AdaTron(C=1.0), ClassScoring(["fraud", "ok"], "fraud", [[0.0, 30.0], [0.0, 0.0]])),
        (AdaTron(C=1.0), ClassScoring(["a", "b", "c"], "a", [[0.0, 1.0, 2.0]] * 3)),
    ],
    ids=["chosen", "cannot", "no prices", "one is free", "three classes"],
)
def test_otherwise_the_model_stays_as_it_is(model, judge):
    before = model.get_params()
    assert set_class_weights(model, judge) == []
    assert model.get_params() == before


def rare(path, apart):
    """13 of 400: so few that the soft margin may do best to answer always the same."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(400, 4)), np.array(["ok"] * 387 + ["fraud"] * 13)
    X[387:, 0] += apart
    lines = [",".join([*(f"{v:.6f}" for v in row), label]) for row, label in zip(X, y, strict=True)]
    path.write_text("a,b,c,d,y\n" + "\n".join(lines[k] for k in rng.permutation(400)))
    return path


def asked(path, costs=(), settings=()):
    request = FitRequest(str(path), "soft-margin", ColumnOptions("y"), list(settings), cv="1x5")
    request.answers = AnswerOptions(list(costs))
    return request


def test_who_finds_none_is_told_what_to_try(tmp_path):
    found = fit(asked(rare(tmp_path / "t.csv", 0.5), settings=["class_weight=none"]))
    text = headline(found)
    assert "finds 0.0 %" in text
    assert "weight them more: --set class_weight=balanced or --cost" in text
    # Weights of 1e-15 order nothing, and are shown as what they are.
    assert found.validation.estimates["auc"].mean == 0.5
    assert "All weights are zero" in " ".join(found.summary.sentences)
    accuracy = found.validation.estimates["accuracy"]
    assert accuracy.low < 0.955
    assert accuracy.high > 0.975


def test_the_worst_of_three_classes_comes_with_advice(tmp_path):
    rng = np.random.default_rng(3)
    y = np.repeat(["a", "b", "c"], [60, 40, 12])
    x = rng.normal(size=112) + np.repeat([0.0, 3.0, 1.5], [60, 40, 12])
    path = tmp_path / "t.csv"
    path.write_text(
        "x,z,y\n" + "\n".join(f"{v:.4f},{rng.normal():.4f},{k}" for v, k in zip(x, y, strict=True))
    )
    found = fit(asked(path))
    assert headline(found).endswith(
        "To miss fewer, give the classes equal weight: --set class_weight=balanced."
    )
    # Settings without a model are those of the default model: the recommended one is named.
    found.students = StudentChoice("soft-margin", "auc", [], {}, 112, Folds(1, 5), "")
    assert headline(found).endswith("weight: --model soft-margin --set class_weight=balanced.")
    weighted = fit(asked(path, settings=["class_weight=balanced"]))
    assert "To miss fewer" not in headline(weighted)


def test_a_price_finds_most_of_them_and_pays(tmp_path):
    found = fit(asked(rare(tmp_path / "t.csv", 2.0), ["fraud:ok=30"]))
    cost = found.validation.estimates["cost"].mean
    assert cost < 0.8 * found.baseline["cost"]
    assert any("Class weights in training" in note for note in found.notes)


def test_unbalanced_classes_have_equal_weight_by_default(tmp_path):
    path = rare(tmp_path / "t.csv", 2.0)
    found = fit(asked(path))
    assert found.pipeline["model"].class_weight == "balanced"
    assert any(
        note.startswith("96.8 % of the rows are 'ok': the classes have equal weight") for note in found.notes
    )
    assert found.validation.estimates["balanced_accuracy"].mean > 0.8
    strict = asked(path)
    strict.options.strict = True
    assert fit(strict).pipeline["model"].class_weight is None


@pytest.mark.parametrize(
    ("model", "y", "fixed"),
    [
        (AdaTron(C=1.0), np.array(["a"] * 75 + ["b"] * 25), ()),
        (AdaTron(C=1.0, class_weight={"a": 1.0, "b": 2.0}), np.array(["a"] * 90 + ["b"] * 10), ()),
        (AdaTron(C=1.0), np.array(["a"] * 90 + ["b"] * 10), ("class_weight",)),
        (KNeighborsClassifier(), np.array(["a"] * 90 + ["b"] * 10), ()),
    ],
    ids=["balanced enough", "chosen", "set by the user", "cannot"],
)
def test_classes_are_balanced_only_where_it_applies(model, y, fixed):
    before = model.get_params()
    assert balance_classes(model, y, fixed) == []
    assert model.get_params() == before
