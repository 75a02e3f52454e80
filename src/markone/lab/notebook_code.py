"""State of a class of a script or a notebook: a hash of all code there that its methods use."""

import hashlib
import inspect
from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any

# Module name of a script or a notebook; in a worker process started by it, the second one.
HERE = "__main__"
NAMES = frozenset({HERE, "__mp_main__"})
PLAIN = (str, bytes, bool, int, float, complex, type(None), tuple, frozenset)


def defining_module(cls: type) -> str:
    """Module of a class, by its name in the process that defines it."""
    return HERE if cls.__module__ in NAMES else cls.__module__


def class_state(thing: Any) -> str:
    """Hash of the methods of a class, its base classes, and the functions, classes and plain values of the
    same notebook that they refer to."""
    try:
        texts = sorted(_iterate_sources(thing, set()))
    except OSError:
        raise ValueError(f"The source of {thing.__name__} cannot be read here: write it to a file.") from None
    return f"sources {hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:16]}"


def _iterate_sources(thing: Any, seen: set[int]) -> Iterator[str]:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, type):
        for cls in thing.__mro__:
            if cls.__module__ in NAMES:
                for name, value in vars(cls).items():
                    yield from _iterate_name_sources(name, _unwrap_function(value), seen)
    elif isinstance(thing, FunctionType):
        yield _read_code_source(thing.__code__)
        for name in sorted(_collect_code_names(thing.__code__)):
            if name in thing.__globals__:
                yield from _iterate_name_sources(name, thing.__globals__[name], seen)


def _iterate_name_sources(name: str, value: Any, seen: set[int]) -> Iterator[str]:
    """Source of what a name refers to, if it is defined in the notebook."""
    if isinstance(value, PLAIN):
        if not name.startswith("__"):
            yield f"{name} = {value!r}"
    elif getattr(value, "__module__", None) in NAMES:
        yield from _iterate_sources(value, seen)


def _unwrap_function(value: Any) -> Any:
    """The function of a property, a class method or a static method."""
    return getattr(value, "fget", None) or getattr(value, "__func__", value)


@cache
def _read_code_source(code: CodeType) -> str:
    """Source text; cached, since it is needed for every grid point."""
    return inspect.getsource(code)


def _collect_code_names(code: CodeType) -> set[str]:
    """Names used by a code object and by the functions nested in it."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _collect_code_names(constant)
    return found
