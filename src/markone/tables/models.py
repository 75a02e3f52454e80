"""Estimators by command-line name: those of `markone.HOMES` and some of scikit-learn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import markone
from markone.numerics.text import suggestion_text
from markone.tables.plan.target import CLASSIFICATION as CLASSIFICATION
from markone.tables.plan.target import REGRESSION as REGRESSION

# Tables are rarely separable: the same estimators with a finite C.
PRESETS: Mapping[str, Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    CLASSIFICATION: {"soft-margin": ("adatron", {"C": 1.0}), "svm": ("kernel-adatron", {"C": 1.0})},
    # Maximum likelihood, and a posteriori with a prior as wide as the noise, for inputs of z-scores.
    REGRESSION: {"linear": ("linear-unit", {}), "ridge": ("linear-unit", {"ridge": 1.0})},
}
DEFAULT = {CLASSIFICATION: "soft-margin", REGRESSION: "ridge"}
# Rows above which a soft margin ends at its `tol`. Where the classes are unbalanced or rows repeat, thousands
# of rows lie on the margin: the solution to rounding takes 9 s instead of 0.01 s (5000 rows of 24 inputs),
# and changes the weights less than one row more or less does.
LONG_TABLE_ROWS = 1000
# With a kernel a tenth of the time, and the predictions of all 1309 rows of the titanic are those of 1e-6;
# scikit-learn's SVC ends there at a relative gap of 1e-4, too.
KERNEL_TOLERANCE = 1e-4
JOINED_NAMES = {"ada-tron": "adatron", "min-over": "minover"}


def friendly_name(name: str) -> str:
    """KernelAdaTron -> kernel-adatron, MatrixLVQ1 -> matrix-lvq1, GMLVQ -> gmlvq."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
    for parts, whole in JOINED_NAMES.items():
        words = words.replace(parts, whole)
    return words


def display_name(name: str, model: Any, task: str = CLASSIFICATION) -> str:
    """Return the display name: the preset, scikit-learn's short name, or that of the estimator."""
    presets = {normalised_name(preset): preset for preset in PRESETS[task]}
    own = type(model).__name__
    baseline_names = {found.class_name: short for short, found in BASELINES_BY_TASK[task].items()}
    return presets.get(normalised_name(name), baseline_names.get(own, friendly_name(own)))


def normalised_name(name: str) -> str:
    """Normalise a name: lower case without separators."""
    return re.sub(r"[\s_-]", "", name).lower()


def _class_modules() -> dict[str, str]:
    """Public classes of markone and their modules; nothing is imported."""
    return {name: home for name, home in markone.HOMES.items() if name[0].isupper()}


def estimator_packages() -> set[str]:
    """Packages with estimators: markone.perceptron, markone.lvq, ..."""
    return {".".join(home.split(".")[:2]) for home in _class_modules().values()}


def model_names(task: str = CLASSIFICATION) -> list[str]:
    """Names of all models for tables."""
    found = [friendly_name(name) for name in _class_modules() if _is_usable(name, task)]
    return sorted([*found, *PRESETS[task], *BASELINES_BY_TASK[task]])


def _is_usable(name: str, task: str = CLASSIFICATION) -> bool:
    """Return whether the class fits this task, needs no arguments and takes no pairwise matrix."""
    from sklearn.base import is_classifier, is_regressor
    from sklearn.utils import get_tags

    try:
        model = _load_class(name)()
    except TypeError:
        return False
    if not hasattr(model, "fit") or not hasattr(model, "get_params"):
        return False
    suitable = is_regressor(model) if task == REGRESSION else is_classifier(model)
    return suitable and not get_tags(model).input_tags.pairwise


def models_with_masking() -> list[str]:
    """Names of the models whose distance can skip a missing value."""
    from sklearn.utils import get_tags

    usable_ones = [name for name in _class_modules() if _is_usable(name)]
    return sorted(
        friendly_name(name) for name in usable_ones if get_tags(_load_class(name)()).input_tags.allow_nan
    )


def _load_class(name: str) -> Any:
    return getattr(import_module(_class_modules()[name]), name)


def create_model(name: str, settings: Mapping[str, Any], seed: int, task: str = CLASSIFICATION) -> Any:
    """Create the estimator with its settings; raise for unknown parameters."""
    settings, presets = (
        dict(settings),
        {normalised_name(word): found for word, found in PRESETS[task].items()},
    )
    if normalised_name(name) in presets:
        name, preset = presets[normalised_name(name)]
        settings = {**preset, **settings}
    model = _find_model(name, task)
    known = model.get_params(deep=False)
    check_model_parameters(settings, known, display_name(name, model, task))
    if "random_state" in known:
        settings.setdefault("random_state", seed)
    return model.set_params(**settings)


def _find_model(name: str, task: str) -> Any:
    found = _find_baseline(name, task)
    if found is not None:
        return found.create_estimator()
    for each in _class_modules():
        if normalised_name(each) == normalised_name(name) and _is_usable(each, task):
            return _load_class(each)()
    every = model_names(task)
    raise ValueError(
        f"There is no model {name!r}{_explain_other_task(name, task)}{suggestion_text(name, every)} The "
        f"models: {', '.join(every)}."
    )


def _find_baseline(name: str, task: str) -> Baseline | None:
    """The model of scikit-learn with this short name or class name."""
    for short, found in BASELINES_BY_TASK[task].items():
        if normalised_name(name) in (normalised_name(short), normalised_name(found.class_name)):
            return found
    return None


def _explain_other_task(name: str, task: str) -> str:
    """Explain that the name belongs to a model of the other task, if it does."""
    other = CLASSIFICATION if task == REGRESSION else REGRESSION
    if normalised_name(name) not in {normalised_name(each) for each in model_names(other)}:
        return "."
    what = "classes, but the target holds numbers" if task == REGRESSION else "numbers, but these are classes"
    return f" for {task}: it predicts {what} (--task {other} uses it)."


def check_model_parameters(settings: Mapping[str, Any], known: Mapping[str, Any], model: str) -> None:
    for name in settings:
        if name not in known:
            has = ", ".join(f"{k}={v}" for k, v in known.items())
            raise ValueError(
                f"{model} has no parameter {name!r}.{suggestion_text(name, known)} It has {has}."
            )


def check_model_can_be_saved(name: str) -> None:
    """Raise before the fit if the model cannot be saved."""
    if any((found := _find_baseline(name, task)) and not found.kept for task in BASELINES_BY_TASK):
        raise ValueError(
            f"--save: {name} is made of trees, and a file of trees is not safe to load, so `markone predict` "
            "accepts none. Leave out --save, or choose another model."
        )


def relax_tolerance(model: Any, settings: Mapping[str, Any], P: int) -> list[str]:
    """Stop an exact solver at its tolerance on a long table, unless set by the user; return notes."""
    known = model.get_params(deep=False)
    if P <= LONG_TABLE_ROWS or not known.get("exact", False) or {"exact", "tol"} & set(settings):
        return []
    tol = max(KERNEL_TOLERANCE, known["tol"]) if "kernel" in known else known["tol"]
    model.set_params(exact=False, tol=tol)
    return [
        f"With more than {LONG_TABLE_ROWS} rows the solver stops when its cost is within {tol:g} of "
        "the best (--set exact=true: to rounding)."
    ]


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
