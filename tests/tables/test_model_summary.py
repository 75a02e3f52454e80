"""Summaries of fitted models."""

import numpy as np
from toy_package import fitted

from markone.tables.inspect.model_summary import summarise_classifier


def test_support_vectors_weights_and_the_certificate_are_named():
    _, _, pipeline = fitted("adatron", slice(0, 100))
    rows = list(range(101, 201))
    found = summarise_classifier(pipeline, ["p", "q", "r", "s"], rows, "standard")
    model = pipeline["model"]
    assert found.support == {"b against a": [101 + k for k in model.support_]}
    assert any("all rows are on the correct side; no weights reach more than" in s for s in found.sentences)
    order = np.argsort(-np.abs(model.coef_[0]))
    assert found.bars.features == [["p", "q", "r", "s"][k] for k in order]
    assert np.array_equal(found.bars.values[0], model.coef_[0][order])


def test_relevances_are_sorted_and_prototypes_are_in_the_units_of_the_table(toy_package):
    X, y, pipeline = fitted("toy-student")
    found = summarise_classifier(pipeline, ["p", "q", "r", "s"], list(range(150)), "none")
    assert found.bars.features == ["s", "r", "q", "p"]
    labels, at = found.prototypes
    assert labels == ["a", "b", "c"]
    assert np.allclose(at, [X[y == label].mean(axis=0) for label in "abc"])
