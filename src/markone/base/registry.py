"""The rooms of the house and the public names in them: every other list is made from this one.

A room's `__init__` says where each of its public names lives (HOMES). They are loaded when first used, so
that nobody waits for what is not needed; nothing here imports a room before it is asked for.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

# Who may call whom: each floor those below it, not its neighbours. What is not here is above all of them.
FLOORS = (
    ("errors",),
    ("numerics",),
    ("data",),
    ("base",),
    ("perceptron",),
    ("machines", "hopfield", "lvq", "networks"),
    ("evaluation",),
    ("show",),
    ("lab",),
    ("tables",),
    ("figures",),
    ("web",),
    ("cli",),
)
# Rooms whose classes are names of `markone` itself.
SUBJECTS = ("perceptron", "machines", "hopfield", "lvq", "networks")
# Packages with names that are loaded lazily.
LAZY = ("data", *SUBJECTS, "perceptron.version_space", "lvq.displays", "evaluation", "show", "tables", "lab")
# The one function that everybody asks for first.
FIRST_QUESTION = "separability"


def homes(package: str) -> Mapping[str, str]:
    """The public names of a package, and the module each lives in."""
    found: Mapping[str, str] = import_module(f"markone.{package}").HOMES
    return found


def public_names() -> dict[str, str]:
    """What `markone` itself offers: the classes of all subjects. Functions stay in theirs, but for one."""
    names = {name: home for room in SUBJECTS for name, home in homes(room).items()}
    return {name: home for name, home in names.items() if name[0].isupper() or name == FIRST_QUESTION}


def load(name: str) -> Any:
    """The object behind one of the public names."""
    return getattr(import_module(public_names()[name]), name)


def estimators() -> dict[str, type]:
    """Every public class with `fit` and parameters."""
    found = {name: load(name) for name in public_names() if name[0].isupper()}
    return {name: cls for name, cls in found.items() if hasattr(cls, "fit") and hasattr(cls, "get_params")}


def classifiers() -> dict[str, type]:
    """Those that tell classes apart and can be made without arguments: what a table can be given to."""
    from sklearn.base import is_classifier

    return {name: cls for name, cls in estimators().items() if _plain(cls) and is_classifier(cls())}


def _plain(cls: type) -> bool:
    try:
        cls()
    except TypeError:
        return False
    return True
