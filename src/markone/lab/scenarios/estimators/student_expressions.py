"""Classifiers as text in a declaration: AdaTron(C=1.0), sklearn.linear_model.Perceptron, my_rules.MyRule.

The parameters of the constructor identify a student; default values are not written. Only literals and
estimators are allowed as values, of scikit-learn only what `allowed_estimators` lists: parsing runs no code
except constructors. A student may also be a function (xi, S, rng) -> w, given by its dotted name.
"""

import ast
import inspect
from collections.abc import Callable
from functools import cache, lru_cache, partial
from importlib import import_module
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from markone.base import registry
from markone.lab import foreign_code
from markone.lab.foreign_code import CodeState, defining_module
from markone.lab.scenarios.estimators.allowed_estimators import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    load_sklearn_class,
    require_harmless_parameters,
    require_small_expression,
)
from markone.numerics.arrays import Floats
from markone.numerics.text import unknown_name_text


def is_student(value: Any) -> bool:
    """Whether value is an estimator instance (not a class) that can be written as text."""
    return hasattr(value, "fit") and hasattr(value, "get_params") and not isinstance(value, type)


def write_student(student: Any) -> str:
    """Text of an instance; ValueError if a parameter cannot be written."""
    if isinstance(student, FunctionStudent):
        return student.name
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
    shown = repr(written) if len(written) <= 200 else f"{written[:200]!r}..."
    if len(written) > MAX_CHARACTERS:
        raise ValueError(f"{shown} has {len(written)} characters: a student has at most {MAX_CHARACTERS}.")
    try:
        tree = _parse_tree(written, shown)
        require_small_expression(tree, shown)
        student = _build_estimator(tree, shown, 1)
    except (RecursionError, MemoryError):
        raise ValueError(f"{shown} is nested too deeply.") from None
    if not _is_usable_classifier(student):
        raise ValueError(f"{shown} is no classifier: it must have fit, predict and scikit-learn's tags.")
    return student


def _is_usable_classifier(student: Any) -> bool:
    """Whether scikit-learn takes it for a classifier; parts of a wrong type make it raise any error."""
    from sklearn.base import is_classifier

    try:
        student.get_params(deep=True)
        return is_classifier(student) and hasattr(student, "predict")
    except Exception:  # an object of a stranger, whose methods may raise anything
        return False


def _parse_tree(written: str, shown: str) -> ast.expr:
    try:
        return ast.parse(written.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise ValueError(
            f"{shown} is no student: write a name like AdaTron, or package.Name(parameter=value)."
        ) from None


def _build_estimator(node: ast.expr, shown: str, depth: int) -> Any:
    """Build an estimator from name, package.name, or either with keyword arguments."""
    if depth > MAX_DEPTH:
        raise ValueError(f"{shown}: estimators are nested more than {MAX_DEPTH} deep.")
    call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        raise ValueError(f"{shown}: give the parameters of a student by their names, as in C=1.0.")
    name = _dotted_name(call.func, shown)
    cls = _find_class(name)
    given = {str(keyword.arg): _parse_value(keyword.value, shown, depth) for keyword in call.keywords}
    if getattr(cls, "__module__", "").split(".")[0] in foreign_code.OURS:
        require_harmless_parameters(cls, given, name)
    try:
        return cls(**given)
    except TypeError as error:
        raise ValueError(f"{shown}: {error}.") from None


def _find_class(name: str) -> Any:
    if name.startswith("sklearn."):
        return load_sklearn_class(name)
    if "." not in name.removeprefix("markone."):
        name = name.removeprefix("markone.")
        if _normalize_name(name) not in _classifier_names():
            raise ValueError(
                unknown_name_text("student of markone", name, [*_classifier_names().values()])
                + " Students of other packages need the package name."
            )
        return registry.load_public_name(_classifier_names()[_normalize_name(name)])
    cls = foreign_code.import_object(name)
    if callable(cls) and not isinstance(cls, type):
        return partial(FunctionStudent, cls, name)
    if not (isinstance(cls, type) and hasattr(cls, "fit") and hasattr(cls, "get_params")):
        raise ValueError(
            f"{name} is no student: write a class with fit and get_params, or a function of (xi, S, rng)."
        )
    return cls


def _dotted_name(node: ast.expr, shown: str) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted_name(node.value, shown)}.{node.attr}"
    raise ValueError(f"{shown} is no student: {ast.unparse(node)} is no name.")


def _parse_value(node: ast.expr, shown: str, depth: int) -> Any:
    if isinstance(node, ast.Name) and node.id in ("inf", "nan"):
        return float(node.id)
    if isinstance(node, ast.Call | ast.Attribute | ast.Name):
        return _build_estimator(node, shown, depth + 1)
    if isinstance(node, ast.List | ast.Tuple):
        items = [_parse_value(one, shown, depth) for one in node.elts]
        return items if isinstance(node, ast.List) else tuple(items)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        raise ValueError(
            f"{shown}: {ast.unparse(node)} is neither a number, a string nor an estimator."
        ) from None


@lru_cache(maxsize=4096)
def canonical_expression(written: str) -> str:
    """Canonical text of a student; ValueError if it is not a student."""
    return write_student(parse_student(written))


def student_code_states(written: str) -> tuple[CodeState, ...]:
    """Code states of the packages used in a text."""
    student = parse_student(written)
    names = [f"{defining_module(cls)}.{cls.__qualname__}" for cls in estimator_classes(student)]
    names = [student.name] if isinstance(student, FunctionStudent) else names
    packages = {foreign_code.package_of(name) for name in names}
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


class FunctionStudent(ClassifierMixin, BaseEstimator):
    """sign(w xi) with w = learn(xi, S, rng): inputs (P, N), labels +-1, a numpy Generator. `name` is the
    dotted name of the function."""

    def __init__(self, learn: Callable[..., Any], name: str, random_state: int | None = None) -> None:
        self.learn, self.name, self.random_state = learn, name, random_state

    def fit(self, X: Floats, y: Floats) -> Self:
        rng = np.random.Generator(np.random.Philox(self.random_state))
        self.coef_ = learned_weights(self.learn, X, y, rng)[None]
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Floats) -> Floats:
        return np.where(X @ self.coef_[0] >= 0, 1.0, -1.0)


def learned_weights(learn: Callable[..., Any], xi: Floats, S: Floats, rng: np.random.Generator) -> Floats:
    """The weights that a function returns; ValueError if they are not N numbers."""
    w = np.asarray(learn(xi, S, rng), dtype=np.float64)
    if w.shape != xi.shape[1:]:
        name = getattr(learn, "__name__", "The student")
        raise ValueError(f"{name} returned the shape {w.shape} instead of {xi.shape[1]} weights.")
    return w
