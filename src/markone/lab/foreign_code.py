"""Foreign code: which packages may run, and the state of the code that a result belongs to.

A declaration names the packages it takes code from (`packages = ["my_rules"]`); none of them is imported
before the user allows it (`--allow my_rules`). Their state (the version of an installed package, else a hash
of the source files) is part of every task's id, and a worker with another state refuses the task.
"""

import ast
import hashlib
import inspect
import pickle
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from dis import get_instructions
from functools import cache
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from markone.lazy_import import require_module

# Packages that need no permission.
OURS = frozenset({"markone", "sklearn"})

_allowed: set[str] = set()
# Packages installed as a part of markone: OURS, and those with a markone entry point.
_trusted: set[str] = set(OURS)
_folders: dict[str, str] = {}
_states: dict[str, str] = {}
# Last states of the classes of a script or a notebook that tasks use.
_written_here: dict[str, str] = {}
# Objects of a script or a notebook by their dotted names, given here or sent with a task; and those given
# here, with their state, as sent.
_given: dict[str, Any] = {}
_sent: dict[str, tuple[str, bytes]] = {}
_named: ContextVar[frozenset[str] | None] = ContextVar("named", default=None)
# Module name of a script or a notebook; in a worker process started by it, the second one.
HERE = "__main__"
HERE_NAMES = frozenset({HERE, "__mp_main__"})
PLAIN = (str, bytes, bool, int, float, complex, type(None), tuple, frozenset)
# What the results of a scenario depend on; and what they are made of in other objects.
DECIDING = ("run", "parameters", "depends_on", "version_of", "function")


@dataclass(frozen=True)
class CodeState:
    """A package and the state of its source. `folder`: where it was found, if not on the import path;
    `content`: the pickled object, if it belongs to a script or a notebook."""

    package: str
    state: str
    folder: str = field(default="", compare=False)
    content: bytes = field(default=b"", compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.package} ({self.state})"


def allow_packages(*packages: str) -> None:
    """Allow code of these packages to run in this process."""
    for package in packages:
        if not all(part.isidentifier() for part in package.split(".")):
            raise ValueError(f"{package!r} is not the name of a package: give one like my_rules.")
        _allowed.add(package.split(".")[0])


def allowed_packages() -> list[str]:
    return sorted(_allowed)


def trust_package(package: str) -> None:
    """Trust a package that was installed as a part of markone."""
    _trusted.add(package)


def loaded_code_states() -> list[CodeState]:
    """States of the foreign code that this process has imported."""
    used = {**_states, **_written_here}
    return [CodeState(package, state) for package, state in sorted(used.items()) if package != "markone"]


@contextmanager
def restrict_packages(packages: Iterable[str], folder: str | Path | None = None) -> Iterator[None]:
    """While a declaration is read: allow only the packages it names, and search its folder for them too."""
    names = frozenset(packages)
    token = _named.set(names)
    if folder is not None:
        _folders.update({name: str(Path(folder).resolve()) for name in names - OURS})
    try:
        yield
    finally:
        _named.reset(token)


def name_object(thing: Any, name: str) -> str:
    """Dotted name of an object made in Python, which may run from now on: its name in its module, or, for one
    of a script or a notebook, `name` below __main__."""
    function = getattr(thing, "run", None) or getattr(thing, "function", None) or thing
    home = str(getattr(inspect.unwrap(function), "__module__", None))
    if home in HERE_NAMES or home.split(".")[0] in OURS:
        dotted = f"{HERE}." + re.sub(r"\W", "_", name)
        _given[dotted] = thing
        allow_packages(HERE)
        return dotted
    names = [key for key, value in getattr(sys.modules.get(home), "__dict__", {}).items() if value is thing]
    if not names:
        raise ValueError(f"{name} belongs to the module {home}: assign it to a name at the top level there.")
    allow_packages(home)
    return f"{home}.{names[0]}"


def import_object(dotted: str) -> Any:
    """Import the object package.module.name, if its package is allowed."""
    module, _, name = dotted.rpartition(".")
    if not module:
        raise ValueError(f"{dotted!r} has no package before its name: write package.Name.")
    if dotted.split(".")[0] in OURS:
        raise ValueError(
            f"{dotted}: what belongs to markone or scikit-learn is not imported by its path here."
        )
    _require_allowed_package(dotted)
    if dotted in _given:
        return _given[dotted]
    _load_package(dotted.split(".")[0])
    home = _import_named_module(module)
    if not hasattr(home, name):
        hint = (
            "write it to a file that workers can import"
            if module == HERE
            else f"it has {_format_public_names(home)}"
        )
        raise ValueError(f"{module} has no {name!r}: {hint}.")
    return getattr(home, name)


def _format_public_names(module: ModuleType) -> str:
    classes = sorted(name for name, value in vars(module).items() if name[0] != "_" and callable(value))
    return ", ".join(classes[:12]) + (", ..." if len(classes) > 12 else "") or "nothing public"


def _require_allowed_package(dotted: str) -> None:
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
            f"{dotted} is code of {package}, which is part of this declaration and not of markone. Read "
            f"it; to run it here, allow it: --allow {package}, or allow=[{package!r}] in Python."
        )


def _load_package(package: str) -> ModuleType:
    """Import a package, with its folder at the end of the import path."""
    folder = _folders.get(package, "")
    if folder and folder not in sys.path:
        sys.path.append(folder)
        invalidate_caches()
    module = _import_named_module(package)
    if package not in _states:
        _states[package] = _module_state(module)
    return module


def _import_named_module(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise ValueError(
            f"There is no package {error.name!r} here: put it beside the declaration, or install it."
        ) from None


def package_files(package: str) -> dict[str, Path]:
    """The source files of a package that is used here, by their paths relative to its folder."""
    module = _load_package(package)
    place = Path(module.__file__ or "").resolve()
    folder = place.parents[1] if place.name == "__init__.py" else place.parent
    return {path.relative_to(folder).as_posix(): path for path in _list_module_files(module)}


def _module_state(module: ModuleType) -> str:
    """Version of an installed package, or a hash of its source files."""
    files = _list_module_files(module)
    version = getattr(module, "__version__", "")
    if version and (module.__name__ in OURS or any("site-packages" in path.parts for path in files[:1])):
        return f"version {version}"
    content = hashlib.sha256()
    for path in files:
        content.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"sources {content.hexdigest()[:16]}"


def package_of(dotted: str) -> str:
    """What the state of an object belongs to: its package, or the object itself in a script or a notebook."""
    package = dotted.split(".")[0]
    return dotted if package == HERE else package


def package_state(package: str) -> CodeState:
    """State of a package as this process has imported it. Of a script or a notebook (__main__.Name) it is
    that of the object, which may be redefined."""
    if package.startswith(f"{HERE}."):
        thing = import_object(package)
        _written_here[package] = state = class_state(thing)
        if _sent.get(package, ("",))[0] != state:
            _sent[package] = state, require_module("cloudpickle", "lab").dumps(thing)
        return CodeState(package, state, content=_sent[package][1])
    _load_package(package)
    return CodeState(package, _states[package], _folders.get(package, ""))


def require_unchanged_packages() -> None:
    """Raise if files of a named package have changed since they were imported."""
    for package in (_named.get() or frozenset()) & _states.keys() - OURS:
        if _module_state(_load_package(package)) != _states[package]:
            raise ValueError(
                f"The files of {package} have changed since this process imported them: restart Python, "
                "so that the results belong to the present files."
            )


def require_code_states(states: Iterable[CodeState]) -> None:
    """In a worker: import the code of a task; raise if its state differs from that in the task."""
    for required in states:
        allow_packages(required.package.split(".")[0])
        if required.content and required.package not in _sent:
            if _written_here.get(required.package) != required.state:
                _given[required.package] = pickle.loads(required.content)
                _written_here[required.package] = required.state
            continue
        if required.folder:
            _folders.setdefault(required.package, required.folder)
        here = package_state(required.package)
        if here != required:
            raise RuntimeError(
                f"This worker has {here}, but the task was made with {required}: install or copy the same "
                "code here and restart the worker. A student must not change the global variables it uses."
            )


def defining_module(cls: Any) -> str:
    """Module of a class or a function, by its name in the process that defines it."""
    return HERE if cls.__module__ in HERE_NAMES else cls.__module__


def class_state(thing: Any) -> str:
    """Hash of a function, or of the methods of a class and its base classes, and of the functions, classes
    and values of the same notebook that they refer to; of a scenario, of what its results depend on."""
    try:
        texts = sorted(_iterate_sources(thing, set()))
    except OSError:
        name = getattr(thing, "__name__", None) or thing.name
        raise ValueError(f"The source of {name} cannot be read here: write it to a file.") from None
    return f"sources {hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:16]}"


def _iterate_sources(thing: Any, seen: set[int]) -> Iterator[str]:
    if callable(thing):
        thing = inspect.unwrap(thing)
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, type):
        for cls in thing.__mro__:
            if cls.__module__ in HERE_NAMES:
                for name, value in vars(cls).items():
                    # The function of a property, a class method or a static method.
                    yield from _iterate_name_sources(
                        name, getattr(value, "fget", None) or getattr(value, "__func__", value), seen
                    )
    elif isinstance(thing, FunctionType):
        yield _read_code_source(thing.__code__)
        used = _collect_code_names(thing.__code__)
        known = {name: thing.__globals__[name] for name in used if name in thing.__globals__}
        known |= inspect.getclosurevars(thing).nonlocals
        for k, value in enumerate((*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values())):
            known[f"default {k}"] = value
        for name, value in sorted(known.items(), key=lambda pair: pair[0]):
            yield from _iterate_name_sources(name, value, seen)
    else:
        for name in DECIDING:
            yield from _iterate_name_sources(name, getattr(thing, name, None), seen)


def _iterate_name_sources(name: str, value: Any, seen: set[int]) -> Iterator[str]:
    """Source of what a name refers to, if it is defined in the notebook."""
    if isinstance(value, PLAIN):
        if not name.startswith("__"):
            yield f"{name} = {value!r}"
    elif isinstance(value, list | dict) or type(value).__module__ == "numpy":
        with suppress(Exception):  # it has parts that no worker can be sent either
            yield f"{name} = {hashlib.sha256(pickle.dumps(value)).hexdigest()}"
    elif getattr(value, "__module__", None) in HERE_NAMES:
        yield from _iterate_sources(value, seen)


@cache
def _read_code_source(code: CodeType) -> str:
    """Source text; cached, since it is needed for every grid point."""
    return inspect.getsource(code)


def _collect_code_names(code: CodeType) -> set[str]:
    """Names used by a code object and by the functions nested in it, but not those of global variables that
    it assigns, such as a counter of its calls."""
    assigned = {one.argval for one in get_instructions(code) if one.opname == "STORE_GLOBAL"}
    found = set(code.co_names) - assigned
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _collect_code_names(constant)
    return found


def _list_module_files(module: ModuleType) -> list[Path]:
    """All files of a package; of a single file also those in its folder that it imports, recursively."""
    place = getattr(module, "__file__", None)
    if place is None:
        return []
    path = Path(place).resolve()
    return (
        sorted(path.parent.rglob("*.py"))
        if path.name == "__init__.py"
        else sorted(_collect_local_files({}, path))
    )


def _collect_local_files(seen: dict[Path, None], path: Path) -> list[Path]:
    if path in seen:
        return []
    seen[path] = None
    if path.suffix == ".py":
        for name in _iterate_imported_names(path):
            for beside in (path.with_name(f"{name}.py"), path.with_name(name) / "__init__.py"):
                if beside.is_file():
                    files = [beside] if beside.name != "__init__.py" else sorted(beside.parent.rglob("*.py"))
                    for file in files:
                        _collect_local_files(seen, file)
    return list(seen)


def _iterate_imported_names(path: Path) -> Iterator[str]:
    """Top-level names of all imports of a file, also inside functions."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]
