"""scikit-learn's models by name, for comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Baseline:
    """Import path and settings of a model; `kept`: whether it may be saved in a file."""

    home: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    kept: bool = True

    @property
    def class_name(self) -> str:
        return self.home.rpartition(".")[2]

    def create_estimator(self) -> Any:
        module, _, name = self.home.rpartition(".")
        return getattr(import_module(module), name)(**self.settings)


# Brute force is fast enough here, and a saved model then contains rows instead of a tree.
BRUTE = {"algorithm": "brute"}
# Trees are index arrays that are not checked when a file is loaded: never load them from a file.
CLASSIFIERS: Mapping[str, Baseline] = {
    "forest": Baseline("sklearn.ensemble.RandomForestClassifier", kept=False),
    "gradient-boosting": Baseline("sklearn.ensemble.HistGradientBoostingClassifier", kept=False),
    "knn": Baseline("sklearn.neighbors.KNeighborsClassifier", BRUTE),
    "logistic": Baseline("sklearn.linear_model.LogisticRegression", {"max_iter": 1000}),
    "svc": Baseline("sklearn.svm.SVC"),
}
REGRESSORS: Mapping[str, Baseline] = {
    "forest": Baseline("sklearn.ensemble.RandomForestRegressor", kept=False),
    "gradient-boosting": Baseline("sklearn.ensemble.HistGradientBoostingRegressor", kept=False),
    "knn": Baseline("sklearn.neighbors.KNeighborsRegressor", BRUTE),
    "svr": Baseline("sklearn.svm.SVR"),
}
BASELINES_BY_TASK = {"classification": CLASSIFIERS, "regression": REGRESSORS}
