"""Names and packages that are loaded when they are first used: theory must not wait for a compiler."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A module's `__getattr__` (PEP 562): each public name and the module it lives in."""

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return load


def needed(module: str, extra: str | None = None) -> Any:
    """Import what belongs to an extra, or to none of ours, or say how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        name = module.split(".")[0]
        wanted = f"'markone[{extra}]'" if extra else name
        raise ImportError(f"This needs {name}. Install it with: pip install {wanted}") from error
