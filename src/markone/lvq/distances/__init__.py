"""Distances with their gradients, by name. A new one: its file, one line here, its test."""

from importlib import import_module
from typing import Any

from markone.lvq.distances.base import Distance, Rows

# name -> submodule and class
HOMES = {
    "angle": "geometric.Angle",
    "cauchy_schwarz": "divergences.CauchySchwarz",
    "diagonal": "adaptive.Diagonal",
    "euclidean": "geometric.Euclidean",
    "gamma": "divergences.Gamma",
    "gaussian": "geometric.Gaussian",
    "kullback_leibler": "divergences.KullbackLeibler",
    "local": "adaptive.Local",
    "mahalanobis": "covariance.Mahalanobis",
    "minkowski": "geometric.Minkowski",
    "own": "custom.Own",
    "quadratic": "adaptive.Quadratic",
    "renyi": "divergences.Renyi",
    "tangent": "covariance.Tangent",
}
CLASSES = {home.rpartition(".")[2]: home.rpartition(".")[0] for home in HOMES.values()}
# An own distance needs the user's two functions.
NAMES = sorted(set(HOMES) - {"own"})

__all__ = ["HOMES", "NAMES", "Distance", "Rows", "find_distance", *CLASSES]


def find_distance(distance: Any) -> Distance:
    """Return a Distance as given, the one of this name, or one made of a pair (function, gradient)."""
    if isinstance(distance, Distance):
        return distance
    if isinstance(distance, str) and distance in NAMES:
        return __getattr__(HOMES[distance].rpartition(".")[2])()
    if isinstance(distance, tuple | list) and len(distance) == 2 and all(map(callable, distance)):
        return __getattr__("Own")(*distance)
    raise ValueError(
        f"distance={distance!r} is none of {', '.join(NAMES)}, no Distance and no pair (function, gradient)."
    )


def __getattr__(name: str) -> Any:
    if name not in CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{CLASSES[name]}"), name)
