"""Distances, each with its gradient, found by name. A new one: its file, one line here, its test."""

from importlib import import_module
from typing import Any

from markone.lvq.distances.base import Distance, Rows

HOMES = {
    "angle": "Angle",
    "cauchy_schwarz": "CauchySchwarz",
    "diagonal": "Diagonal",
    "euclidean": "Euclidean",
    "gamma": "Gamma",
    "gaussian": "Gaussian",
    "kullback_leibler": "KullbackLeibler",
    "local": "Local",
    "mahalanobis": "Mahalanobis",
    "minkowski": "Minkowski",
    "own": "Own",
    "quadratic": "Quadratic",
    "renyi": "Renyi",
    "tangent": "Tangent",
}
CLASSES = {name: module for module, name in HOMES.items()}
# An own distance is nothing without the user's two functions.
NAMES = sorted(set(HOMES) - {"own"})

__all__ = ["HOMES", "NAMES", "Distance", "Rows", "find", *CLASSES]


def find(distance: Any) -> Distance:
    """The distance itself, one by its name, or the user's own from a pair (function, gradient)."""
    if isinstance(distance, Distance):
        return distance
    if isinstance(distance, str) and distance in NAMES:
        return __getattr__(HOMES[distance])()
    if isinstance(distance, tuple | list) and len(distance) == 2 and all(map(callable, distance)):
        return __getattr__("Own")(*distance)
    raise ValueError(
        f"distance={distance!r} is none of {', '.join(NAMES)}, no Distance and no pair (function, gradient)."
    )


def __getattr__(name: str) -> Any:
    if name not in CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{CLASSES[name]}"), name)
