"""All private names of scikit-learn that are used, imported only here; seeds by its convention.

A new release that moves one of them breaks only this file. Public names are imported where they are used.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from sklearn import get_config
from sklearn.base import _fit_context
from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, Options, StrOptions
from sklearn.utils.multiclass import _check_partial_fit_first_call as check_partial_fit_first_call
from sklearn.utils.validation import _check_sample_weight as check_sample_weight

from markone.base.checks import check_finite, check_numbers

if TYPE_CHECKING:
    # scikit-learn has no types, and a class with a base of type Any would accept any keyword.
    class BaseEstimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...
        def __sklearn_tags__(self) -> Any: ...

    class ClassifierMixin:
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

    class RegressorMixin:
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...
else:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

__all__ = [
    "BaseEstimator",
    "CachedParameterNames",
    "ClassifierMixin",
    "HasMethods",
    "Interval",
    "Options",
    "RegressorMixin",
    "StrOptions",
    "check_partial_fit_first_call",
    "check_sample_weight",
    "draw_seeds",
    "fit_context",
    "safe_indexing",
]


# Class attributes that cache the parameter names and validated parameter values.
NAMES, KNOWN_GOOD = "_names_of_parameters", "_parameters_known_good"


class CachedParameterNames:
    """Caches the parameter names per class.

    scikit-learn inspects `__init__` again at each `fit`, which takes longer than a small fit.
    """

    @classmethod
    def _get_param_names(cls) -> list[str]:
        found = cls.__dict__.get(NAMES)
        if found is None or found[0] is not cls.__init__:
            names = super()._get_param_names()  # type: ignore[misc]  # mixed into classes without types
            found = (cls.__init__, tuple(names))
            setattr(cls, NAMES, found)
        return list(found[1])


# Immutable types: equal values are equally valid.
HASHABLE_TYPES = frozenset({bool, int, float, str, type(None)})
# Largest number of validated parameter sets that are cached per class.
REMEMBERED = 1000


def _known_good(kind: Any) -> set[tuple[Any, ...]]:
    """Parameter sets of the class that have been validated before."""
    found = kind.__dict__.get(KNOWN_GOOD)
    if found is None or found[0] is not kind._parameter_constraints:
        found = (kind._parameter_constraints, set())
        setattr(kind, KNOWN_GOOD, found)
    return cast("set[tuple[Any, ...]]", found[1])


def _plain_parameters(estimator: Any) -> tuple[Any, ...] | None:
    """The values of the parameters and their types (True == 1 == 1.0), or None if one is an object."""
    values = [getattr(estimator, name) for name in type(estimator)._get_param_names()]
    types = list(map(type, values))
    return (*values, *types) if HASHABLE_TYPES.issuperset(types) else None


Method = TypeVar("Method", bound=Callable[..., Any])


def fit_context(*, prefer_skip_nested_validation: bool) -> Callable[[Method], Method]:
    """Validate the parameters before the method runs and the weights afterwards.

    Unlike scikit-learn's own it preserves the type of the method and caches validated parameter sets.
    """
    validated = _fit_context(prefer_skip_nested_validation=prefer_skip_nested_validation)

    def decorate(method: Method) -> Method:
        checked = validated(method)

        @wraps(method)
        def fit(self: Any, *arguments: Any, **options: Any) -> Any:
            known, values = _known_good(type(self)), _plain_parameters(self)
            if values is not None and values in known:
                found = method(self, *arguments, **options)
            else:
                check_numbers(self)
                found = checked(self, *arguments, **options)
                # Later calls of partial_fit validate nothing, nor do any calls if validation is switched off.
                whole = method.__name__ != "partial_fit" and not get_config()["skip_parameter_validation"]
                if whole and values is not None and len(known) < REMEMBERED:
                    known.add(values)
            check_finite(self)
            return found

        return cast("Method", fit)

    return decorate


def draw_seeds(random_state: Any, count: int) -> tuple[int, ...]:
    """Draw `count` integers from a generator, a seed or the global generator (None)."""
    return (_cached_seeds if type(random_state) is int else _draw_uncached)(random_state, count)


def _draw_uncached(random_state: Any, count: int) -> tuple[int, ...]:
    generator = check_random_state(random_state)
    return tuple(int(generator.randint(2**31 - 1)) for _ in range(count))


# Seeding numpy's RandomState takes as long as a small fit.
_cached_seeds = lru_cache(maxsize=256)(_draw_uncached)
