"""The students by friendly names, found in the rooms of the house: a new one needs no line here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any

import markone
from markone.numerics.text import did_you_mean

# Tables are rarely separable: the same students with a finite price of errors.
PRESETS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "soft-margin": ("adatron", {"C": 1.0}),
    "svm": ("kernel-adatron", {"C": 1.0}),
}
ONE_WORD = {"ada-tron": "adatron", "min-over": "minover"}


def friendly(name: str) -> str:
    """KernelAdaTron -> kernel-adatron, MatrixLVQ1 -> matrix-lvq1, GMLVQ -> gmlvq."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
    for parts, whole in ONE_WORD.items():
        words = words.replace(parts, whole)
    return words


def called(name: str, model: Any) -> str:
    """The preset that was asked for, else the student itself."""
    presets = {key(preset): preset for preset in PRESETS}
    neighbours = {"KNeighborsClassifier": "knn"}
    own = type(model).__name__
    return presets.get(key(name), neighbours.get(own, friendly(own)))


def key(name: str) -> str:
    """What two spellings of a name have in common."""
    return re.sub(r"[\s_-]", "", name).lower()


def homes() -> dict[str, str]:
    """Every public class of markone, and where it lives: the one list; nothing is imported for it."""
    return {name: home for name, home in markone.HOMES.items() if name[0].isupper()}


def rooms() -> set[str]:
    """markone.perceptron, markone.lvq, ...: where students are at home."""
    return {".".join(home.split(".")[:2]) for home in homes().values()}


def names() -> list[str]:
    """All models a table can be given to."""
    found = [friendly(name) for name in homes() if usable(name)]
    return sorted([*found, *PRESETS, "knn"])


def usable(name: str) -> bool:
    """A classifier that can be made without arguments and takes a table rather than a matrix of pairs."""
    from sklearn.base import is_classifier
    from sklearn.utils import get_tags

    try:
        model = load(name)()
    except TypeError:
        return False
    if not hasattr(model, "fit") or not hasattr(model, "get_params"):
        return False
    return is_classifier(model) and not get_tags(model).input_tags.pairwise


def masking() -> list[str]:
    """The models whose distance can skip a missing value."""
    from sklearn.utils import get_tags

    usable_ones = [name for name in homes() if usable(name)]
    return sorted(friendly(name) for name in usable_ones if get_tags(load(name)()).input_tags.allow_nan)


def load(name: str) -> Any:
    return getattr(import_module(homes()[name]), name)


def make(name: str, settings: Mapping[str, Any], seed: int) -> Any:
    """The student with its settings; parameters that it does not have are refused with those it has."""
    settings = dict(settings)
    if key(name) in {key(preset) for preset in PRESETS}:
        name, preset = next(value for word, value in PRESETS.items() if key(word) == key(name))
        settings = {**preset, **settings}
    model = of_class(name)()
    known = model.get_params(deep=False)
    check(settings, known, friendly(type(model).__name__))
    if "random_state" in known:
        settings.setdefault("random_state", seed)
    return model.set_params(**settings)


def of_class(name: str) -> Any:
    if key(name) in ("knn", "kneighbors", "kneighborsclassifier"):
        from sklearn.neighbors import KNeighborsClassifier

        # Brute force is fast enough here, and a saved model then holds rows instead of a tree.
        return partial(KNeighborsClassifier, algorithm="brute")
    for each in homes():
        if key(each) == key(name) and usable(each):
            return load(each)
    every = names()
    raise ValueError(
        f"There is no model {name!r}.{did_you_mean(name, every)} The models: {', '.join(every)}."
    )


def check(settings: Mapping[str, Any], known: Mapping[str, Any], model: str) -> None:
    for name in settings:
        if name not in known:
            has = ", ".join(f"{k}={v}" for k, v in known.items())
            raise ValueError(f"{model} has no parameter {name!r}.{did_you_mean(name, known)} It has {has}.")
