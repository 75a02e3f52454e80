"""Classifiers as text in a declaration: AdaTron(C=1.0), sklearn.linear_model.Perceptron, my_rules.MyRule.

The parameters of the constructor identify a student; default values are not written. Only literals and
estimators are allowed as values, so that parsing runs no code except constructors.
"""

import ast
import inspect
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from markone.base import registry
from markone.lab import foreign_code
from markone.lab.foreign_code import HERE, CodeState, defining_module
from markone.numerics.text import unknown_name_text


def is_student(value: Any) -> bool:
    """Whether value is an estimator instance (not a class) that can be written as text."""
    return hasattr(value, "fit") and hasattr(value, "get_params") and not isinstance(value, type)


def write_student(student: Any) -> str:
    """Text of an instance; ValueError if a parameter cannot be written."""
    given, cls = student.get_params(deep=False), type(student)
    parts = [f"{key}={_write_value(given[key], key)}" for key in sorted(changed_parameters(student))]
    return public_class_name(cls) + (f"({', '.join(parts)})" if parts else "")


def changed_parameters(student: Any) -> set[str]:
    """Names of the parameters that differ from their default."""
    signature = inspect.signature(type(student)).parameters
    given = student.get_params(deep=False)
    return {key for key, value in given.items() if not _is_default(value, signature[key].default)}


def _is_default(value: Any, default: Any) -> bool:
    try:
        return type(value) is type(default) and bool(value == default)
    except ValueError:  # arrays
        return False


def _write_value(value: Any, key: str) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if is_student(value):
        return write_student(value)
    if isinstance(value, list | tuple):
        inner = ", ".join(_write_value(one, key) for one in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_write_value(v, key)}" for k, v in value.items()) + "}"
    if value is None or isinstance(value, str | bool | int | float):
        return repr(value)
    raise ValueError(
        f"{key} = {value!r} cannot be written in a declaration: use numbers, strings, lists or estimators."
    )


def public_class_name(cls: type) -> str:
    """Shortest import path of the class: AdaTron, sklearn.linear_model.Perceptron."""
    if registry.public_names().get(cls.__name__, "") == cls.__module__:
        return cls.__name__
    parts = defining_module(cls).split(".")
    for k in range(1, len(parts)):
        if getattr(import_module(".".join(parts[:k])), cls.__name__, None) is cls:
            return ".".join([*parts[:k], cls.__name__])
    return f"{defining_module(cls)}.{cls.__qualname__}"


@cache
def _classifier_names() -> dict[str, str]:
    """Map from normalized spelling to class name (adatron -> AdaTron) for every classifier of markone."""
    return {_normalize_name(name): name for name in registry.public_classifiers()}


def _normalize_name(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def parse_student(written: str) -> Any:
    """Build the classifier described by a text."""
    from sklearn.base import is_classifier

    try:
        tree = ast.parse(written.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise ValueError(
            f"{written!r} is no student: write a name like AdaTron, or package.Name(parameter=value)."
        ) from None
    student = _build_estimator(tree, written)
    if not is_classifier(student) or not hasattr(student, "predict"):
        raise ValueError(f"{written} is no classifier: it must have fit, predict and scikit-learn's tags.")
    return student


def _build_estimator(node: ast.expr, written: str) -> Any:
    """Build an estimator from name, package.name, or either with keyword arguments."""
    call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        raise ValueError(f"{written!r}: give the parameters of a student by their names, as in C=1.0.")
    cls = _find_class(_dotted_name(call.func, written), written)
    given = {str(keyword.arg): _parse_value(keyword.value, written) for keyword in call.keywords}
    try:
        return cls(**given)
    except TypeError as error:
        raise ValueError(f"{written}: {error}.") from None


def _find_class(name: str, written: str) -> type:
    if "." not in name:
        if _normalize_name(name) not in _classifier_names():
            raise ValueError(
                unknown_name_text("student of markone", name, [*_classifier_names().values()])
                + " Students of other packages need the package name."
            )
        return registry.load_public_name(_classifier_names()[_normalize_name(name)])
    cls = foreign_code.import_object(name)
    if not (isinstance(cls, type) and hasattr(cls, "fit") and hasattr(cls, "get_params")):
        raise ValueError(f"{name} is no estimator: it must be a class with fit and get_params.")
    return cls


def _dotted_name(node: ast.expr, written: str) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted_name(node.value, written)}.{node.attr}"
    raise ValueError(f"{written!r} is no student: {ast.unparse(node)} is no name.")


def _parse_value(node: ast.expr, written: str) -> Any:
    if isinstance(node, ast.Name) and node.id in ("inf", "nan"):
        return float(node.id)
    if isinstance(node, ast.Call | ast.Attribute | ast.Name):
        return _build_estimator(node, written)
    if isinstance(node, ast.List | ast.Tuple):
        items = [_parse_value(one, written) for one in node.elts]
        return items if isinstance(node, ast.List) else tuple(items)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ValueError(
            f"{written!r}: {ast.unparse(node)} is neither a number, a string nor an estimator."
        ) from None


@cache
def canonical_expression(written: str) -> str:
    """Canonical text of a student; ValueError if it is not a student."""
    return write_student(parse_student(written))


def student_code_states(written: str) -> tuple[CodeState, ...]:
    """Code states of the packages used in a text."""
    names = {defining_module(cls) for cls in estimator_classes(parse_student(written))}
    here = {cls for cls in estimator_classes(parse_student(written)) if defining_module(cls) == HERE}
    packages = {name.split(".")[0] for name in names} - {HERE}
    packages |= {f"{HERE}.{cls.__qualname__}" for cls in here}
    return tuple(foreign_code.package_state(package) for package in sorted(packages))


def estimator_classes(student: Any) -> set[type]:
    """Classes of the student and of all estimators inside it."""
    inside = student.get_params(deep=True).values()
    return {type(student), *(type(one) for one in inside if is_student(one))}


def seeded_student(written: str, seed: int, repeat: int) -> Any:
    """Build a new student; every random_state that is None is set from (seed, repeat)."""
    from sklearn.base import clone

    student = clone(parse_student(written))
    state = int(np.random.SeedSequence((seed, 1_000_003, repeat)).generate_state(1)[0] % 2**31)
    free = {
        name: state
        for name, given in student.get_params(deep=True).items()
        if given is None and (name == "random_state" or name.endswith("__random_state"))
    }
    return student.set_params(**free) if free else student
