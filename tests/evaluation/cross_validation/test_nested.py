"""Nested cross-validation: the search in each fold."""

import pytest
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
)
from sklearn.neighbors import KNeighborsClassifier

from markone.data import load
from markone.evaluation import nested_cross_validation


def test_nested_scores_are_those_of_the_search_in_each_fold():
    iris = load("iris")
    grid, student = {"n_neighbors": [1, 5, 15]}, KNeighborsClassifier()
    nested = nested_cross_validation(student, grid, iris.X, iris.y, outer=3, inner=4)
    for k, (train, test) in enumerate(StratifiedKFold(3).split(iris.X, iris.y)):
        search = GridSearchCV(student, grid, cv=4).fit(iris.X[train], iris.y[train])
        assert nested.chosen[k] == search.best_params_
        assert nested.inner[k] == search.best_score_
        assert nested.table.scores["accuracy"][k] == search.score(iris.X[test], iris.y[test])
    assert nested.optimism == pytest.approx(nested.inner.mean() - nested.mean)
    assert sum(times for _, times in nested.choices()) == 3
    assert "chosen" in str(nested)
