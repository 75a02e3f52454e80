"""Estimators of a package that no list mentions, and a pipeline fitted to iris."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.pipeline import Pipeline

from markone.tables import models
from markone.tables.scaling import Scaling


class ToyStudent(ClassifierMixin, BaseEstimator):
    """Nearest prototype with a relevance: as the estimators of LVQ have."""

    def __init__(self, strength=1.0):
        self.strength = strength

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.prototypes_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
        self.prototype_labels_ = self.classes_
        self.relevance_ = np.arange(X.shape[1]) / X.shape[1]
        self.trace_ = np.array([(1, 2.0)], dtype=[("step", int), ("cost", float)])
        return self

    def predict(self, X):
        d = ((X[:, None] - self.prototypes_) ** 2).sum(axis=2)
        return self.prototype_labels_[d.argmin(axis=1)]


class NeedsArguments(ToyStudent):
    def __init__(self, something):
        self.something = something


def fitted(name, rows=slice(None)):
    X, k = load_iris(return_X_y=True)
    X, y = X[rows], np.array(["a", "b", "c"])[k[rows]]
    return X, y, Pipeline([("scaling", Scaling(4)), ("model", models.create_model(name, {}, 0))]).fit(X, y)
