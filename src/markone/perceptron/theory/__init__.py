"""Exact results for storage and for batch learning of a rule, N -> infinity.

Plain functions of alpha = P/N (arrays in, arrays out), without simulation. `markone.theory` lists the curves.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markone.perceptron.theory import (
        adaline,
        bayes,
        capacity,
        convergence,
        gibbs,
        hebb,
        max_stability,
        rule,
    )
    from markone.perceptron.theory.convex.students import logistic, soft_margin, squared_hinge

__all__ = [
    "adaline",
    "bayes",
    "capacity",
    "convergence",
    "gibbs",
    "hebb",
    "logistic",
    "max_stability",
    "rule",
    "soft_margin",
    "squared_hinge",
]


def __getattr__(name: str) -> Any:
    """The module or student of a name, imported when it is used: some need the theory engine."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in ("logistic", "soft_margin", "squared_hinge"):
        return getattr(import_module(f"{__name__}.convex.students"), name)
    return import_module(f"{__name__}.{name}")
