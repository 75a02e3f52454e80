"""The packages, their layers and their public names: every other list is derived from this one.

The `__init__` of a package lists its public names and the module of each (HOMES). They are imported when
first used; nothing here imports a package earlier.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

# Layers: a package may import those of earlier rows, not of its own row. What is not listed is above all.
LAYERS = (
    ("errors", "lazy_import"),
    ("numerics",),
    ("data",),
    ("base",),
    ("perceptron",),
    ("machines", "hopfield", "lvq", "networks"),
    ("evaluation",),
    ("show",),
    ("run",),
    ("lab",),
    ("tables",),
    ("figures",),
    ("web",),
    ("cli",),
)
# Packages whose classes are names of `markone` itself.
SUBJECTS = ("perceptron", "machines", "hopfield", "lvq", "networks")
# Packages with names that are loaded lazily.
LAZY = ("data", *SUBJECTS, "perceptron.version_space", "lvq.displays", "evaluation", "show", "tables", "lab")
# Classes of results: names of their packages, not of `markone` itself.
RESULTS = {"Conditioning", "LinearScorer", "OriginalUnits", "Recall", "RelevanceIntervals", "Response"}
RESULTS |= {"Robustness", "Separability", "Separation", "Spikes", "Trajectory"}
# Functions that are also names of `markone` itself.
TOP_LEVEL_FUNCTIONS = ("separability", "separation", "fit")


def modules_of_names(package: str) -> Mapping[str, str]:
    """The public names of a package, and the module of each."""
    found: Mapping[str, str] = import_module(f"markone.{package}").HOMES
    return found


def public_names() -> dict[str, str]:
    """Names of `markone` itself by module: classes of all subjects but results, and the functions above."""
    names = {"fit": modules_of_names("tables")["fit"]}
    names |= {name: home for subject in SUBJECTS for name, home in modules_of_names(subject).items()}
    return {
        name: home
        for name, home in names.items()
        if (name[0].isupper() and name not in RESULTS) or name in TOP_LEVEL_FUNCTIONS
    }


def load_public_name(name: str) -> Any:
    """Import the object of a public name."""
    return getattr(import_module(public_names()[name]), name)


def public_estimators() -> dict[str, type]:
    """Every public class with `fit` and parameters."""
    found = {name: load_public_name(name) for name in public_names() if name[0].isupper()}
    return {name: cls for name, cls in found.items() if hasattr(cls, "fit") and hasattr(cls, "get_params")}


def public_classifiers() -> dict[str, type]:
    """Public classifiers that need no arguments: the models available for tables."""
    from sklearn.base import is_classifier

    return {
        name: cls
        for name, cls in public_estimators().items()
        if _has_default_arguments(cls) and is_classifier(cls())
    }


def _has_default_arguments(cls: type) -> bool:
    try:
        cls()
    except TypeError:
        return False
    return True
