"""Lazy imports: theory must not wait for a compiler."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str], names: list[str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a module's `__getattr__` (PEP 562) and `__dir__` from its public names and their modules."""

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return load, lambda: list(homes) if names is None else names


def require_module(module: str, extra: str | None = None) -> Any:
    """Import an optional dependency; raise ImportError with the install command if it is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        name = module.split(".")[0]
        wanted = f"'markone[{extra}]'" if extra else name
        raise ImportError(f"This needs {name}. Install it with: pip install {wanted}") from error
