"""Code that is not markone's: whose may run, and which state of it a result belongs to.

A declaration names the packages it takes code from (`packages = ["my_rules"]`); none of them is imported
before its user allows it (`--allow my_rules`). Their state (the version of an installed package, else a hash
of the source files) is part of every task's id, and a worker that has another state refuses the task.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType
from typing import Any

from markone.lab.notebook_code import HERE, state_of_class
from markone.lab.source_files import of_module

# What markone needs anyway.
OURS = frozenset({"markone", "sklearn"})

_allowed: set[str] = set()
# Installed as a part of markone: ours, and packages with an entry point of ours.
_trusted: set[str] = set(OURS)
_folders: dict[str, str] = {}
_states: dict[str, str] = {}
# Classes of a script or a notebook that tasks were made with, as they were last.
_written_here: dict[str, str] = {}
_named: ContextVar[frozenset[str] | None] = ContextVar("named", default=None)


@dataclass(frozen=True)
class CodeState:
    """A package and the state of its source. `folder`: where it was found, if not on the import path."""

    package: str
    state: str
    folder: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.package} ({self.state})"


def allow(*packages: str) -> None:
    """The user's word: code of these packages may run in this process."""
    for package in packages:
        if not all(part.isidentifier() for part in package.split(".")):
            raise ValueError(f"{package!r} is not the name of a package: give one like my_rules.")
        _allowed.add(package.split(".")[0])


def allowed() -> list[str]:
    return sorted(_allowed)


def trust(package: str) -> None:
    """A package that was installed to be a part of markone."""
    _trusted.add(package)


def loaded() -> list[CodeState]:
    """What this process has imported that is not markone's."""
    used = {**_states, **_written_here}
    return [CodeState(package, state) for package, state in sorted(used.items()) if package != "markone"]


@contextmanager
def named_in_a_file(packages: Iterable[str], folder: str | Path | None = None) -> Iterator[None]:
    """While a declaration is read: only what it names may be used, and is looked for in its folder too."""
    names = frozenset(packages)
    token = _named.set(names)
    if folder is not None:
        _folders.update({name: str(Path(folder).resolve()) for name in names - OURS})
    try:
        yield
    finally:
        _named.reset(token)


def found(dotted: str) -> Any:
    """The object behind package.module.name, imported if its package is allowed."""
    module, _, name = dotted.rpartition(".")
    if not module:
        raise ValueError(f"{dotted!r} has no package before its name: write package.Name.")
    require_allowed(dotted)
    load(dotted.split(".")[0])
    home = imported(module)
    if not hasattr(home, name):
        hint = "write it to a file that workers can import" if module == HERE else f"it has {public(home)}"
        raise ValueError(f"{module} has no {name!r}: {hint}.")
    return getattr(home, name)


def public(module: ModuleType) -> str:
    classes = sorted(name for name, value in vars(module).items() if name[0] != "_" and callable(value))
    return ", ".join(classes[:12]) + (", ..." if len(classes) > 12 else "") or "nothing public"


def require_allowed(dotted: str) -> None:
    package, named = dotted.split(".")[0], _named.get()
    if package in _trusted:
        return
    if named is not None and package not in named:
        raise ValueError(
            f"{dotted} is code of {package}, which the declaration does not name: "
            f'add packages = ["{package}"] to it.'
        )
    if package not in _allowed:
        raise ValueError(
            f"{dotted} is code of {package}, which comes with this declaration and not with markone. Read "
            f"it; if it may run here, allow it: --allow {package}, or allow=[{package!r}] in Python."
        )


def load(package: str) -> ModuleType:
    """The package itself, with its folder on the import path behind all others."""
    folder = _folders.get(package, "")
    if folder and folder not in sys.path:
        sys.path.append(folder)
        invalidate_caches()
    module = imported(package)
    if package not in _states:
        _states[package] = state_of(module)
    return module


def imported(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise ValueError(
            f"There is no package {error.name!r} here: put it beside the declaration, or install it."
        ) from None


def state_of(module: ModuleType) -> str:
    """The version of what is installed, or a hash of the files that can change."""
    files = of_module(module)
    version = getattr(module, "__version__", "")
    if version and (module.__name__ in OURS or any("site-packages" in path.parts for path in files[:1])):
        return f"version {version}"
    content = hashlib.sha256()
    for path in files:
        content.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"sources {content.hexdigest()[:16]}"


def state(package: str) -> CodeState:
    """As this process has imported it: an edited file counts when Python is started anew. Of a script or a
    notebook (__main__.Name) the class itself counts, which may be defined anew (notebook_code.py)."""
    if package.startswith(f"{HERE}."):
        _written_here[package] = state_of_class(found(package))
        return CodeState(package, _written_here[package])
    load(package)
    return CodeState(package, _states[package], _folders.get(package, ""))


def require_unchanged() -> None:
    """Refuse to go on with code that is no longer what its files say."""
    for package in (_named.get() or frozenset()) & _states.keys() - OURS:
        if state_of(load(package)) != _states[package]:
            raise ValueError(
                f"The files of {package} have changed since this process imported them: start Python anew, "
                "so that the results belong to what is written there."
            )


def require(states: Iterable[CodeState]) -> None:
    """In a worker: import what a task needs, as it was when the task was made, or refuse it."""
    for asked in states:
        allow(asked.package.split(".")[0])
        if asked.folder:
            _folders.setdefault(asked.package, asked.folder)
        here = state(asked.package)
        if here != asked:
            raise RuntimeError(
                f"This worker has {here}, but the task was made with {asked}: install or copy the same code "
                "here and start the worker anew."
            )
