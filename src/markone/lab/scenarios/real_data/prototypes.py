"""Prototype classifiers on real data   (chapter 5 of the notes).

A repeat is a fold: ten repeats of ten folds are one cross-validation. Features are z-scored in the fold.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Literal

import numpy as np
from pydantic import Field

from markone.data import load
from markone.lab.scenario import SHARE, Picture, Scenario, Settings
from markone.lab.scenarios.real_data.data_sets import fold_splits, load_examples, standardize_features
from markone.lab.scenarios.real_data.students import repeat_seed, train_prototypes

PrototypeStudent = Literal["class_means", "lvq1", "glvq", "grlvq", "gmlvq", "lgmlvq", "rslvq", "mrslvq"]


class Parameters(Settings):
    """A data set of scikit-learn, a student, and the number of prototypes per class."""

    data: Literal["iris", "wine", "breast_cancer", "digits"]
    student: PrototypeStudent
    per_class: int = Field(1, ge=1)
    folds: int = Field(10, ge=2)


def run(p: Parameters, seed: int, start: int, stop: int) -> list[Any]:
    X, y = load_examples(p.data)
    rows = []
    for k, (train, test) in enumerate(fold_splits(p.data, -1, p.folds, seed, start, stop), start):
        Z = standardize_features(X, train)
        model = train_prototypes(p.student, p.per_class, Z[train], y[train], repeat_seed(seed, k))
        errors = [1 - model.score(Z[part], y[part]) for part in (test, train)]
        rows.append((1 - errors[0], *errors))
    return rows


def cost(p: Parameters) -> float:
    """Cost of one fit: about a hundred evaluations of P x M x N multiplications, more for matrices."""
    X, y = load_examples(p.data)
    matrix = X.shape[1] if p.student in ("gmlvq", "lgmlvq", "mrslvq") else p.per_class * len(np.unique(y))
    return 100.0 * X.size * max(matrix, p.per_class * len(np.unique(y)))


def _scaled_table(data: str) -> tuple[Any, Any, list[str]]:
    """All rows z-scored, class names of the labels, and feature names."""
    table = load(data)
    X, y = load_examples(data)
    return (
        standardize_features(X, np.arange(len(y))),
        np.asarray(table.class_names)[y],
        list(table.feature_names),
    )


def _fit_all_examples(point: Any, seed: int) -> tuple[Any, Any, Any, list[str]]:
    """The student of a grid point, trained on all examples."""
    p = Parameters.model_validate(point.parameters)
    Z, y, names = _scaled_table(p.data)
    return train_prototypes(p.student, p.per_class, Z, y, seed), Z, y, names


def _draw_metric(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 5.2, left: prototypes, spectrum, relevances and off-diagonal Lambda, trained on all examples."""
    from markone.lvq.displays import MetricDisplay

    model, _, _, names = _fit_all_examples(points[0], seed)
    MetricDisplay.from_estimator(model, figure=figure, names=names)


def _draw_projection(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 5.2, right: the examples on the two leading eigenvectors."""
    from markone.lvq.displays import ProjectionDisplay

    for ax, point in zip(np.atleast_1d(figure.subplots(1, len(points))), points, strict=True):
        model, Z, y, _ = _fit_all_examples(point, seed)
        ProjectionDisplay.from_estimator(model, Z, y, ax=ax, scaled=False)


def _draw_cells(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 5.1: nearest neighbour and nearest prototype in the plane of the last two features."""
    from sklearn.neighbors import KNeighborsClassifier

    from markone.lvq.displays import CellsDisplay

    p = Parameters.model_validate(points[0].parameters)
    Z, y, names = _scaled_table(p.data)
    Z = Z[:, -2:]
    left, right = figure.subplots(1, 2, sharey=True)
    CellsDisplay.from_estimator(KNeighborsClassifier(1).fit(Z, y), Z, y, ax=left, title="nearest neighbour")
    model = train_prototypes(p.student, p.per_class, Z, y, seed)
    CellsDisplay.from_estimator(model, Z, y, ax=right, title="nearest prototype")
    left.set(xlabel=f"{names[-2]}, z-score", ylabel=f"{names[-1]}, z-score")
    right.set(xlabel=f"{names[-2]}, z-score")
    right.legend(fontsize="small", loc="lower right")


SCENARIO = Scenario(
    name="prototypes",
    version=1,
    parameters=Parameters,
    measures={
        "accuracy": "correct in the fold",
        "test_error": "fraction wrong in the fold",
        "training_error": "fraction wrong among the training examples",
    },
    cost=cost,
    run=run,
    ranges=dict.fromkeys(("accuracy", "test_error", "training_error"), SHARE),
    data=itemgetter("data"),
    pictures={
        "metric": Picture("Prototypes and relevances", _draw_metric, (7.0, 5.0)),
        "projection": Picture("On the two leading eigenvectors of Lambda", _draw_projection, (5.0, 3.8)),
        "cells": Picture("Nearest neighbour and nearest prototypes", _draw_cells, (6.8, 3.2)),
    },
)
