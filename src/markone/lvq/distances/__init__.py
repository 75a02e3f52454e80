"""Distances with their gradients, by name. A new one: its file, one line here, its test."""

from typing import Any

from markone import lazy_import
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
    "own": "geometric.Own",
    "quadratic": "adaptive.Quadratic",
    "renyi": "divergences.Renyi",
    "tangent": "covariance.Tangent",
}
CLASSES = {name: f"{__name__}.{module}" for module, name in (home.split(".") for home in HOMES.values())}
# An own distance needs the user's two functions.
NAMES = sorted(set(HOMES) - {"own"})

__all__ = ["HOMES", "NAMES", "Distance", "Rows", "find_distance", *CLASSES]
__getattr__, __dir__ = lazy_import.lazy_names(__name__, CLASSES, __all__)


def find_distance(distance: Any) -> Distance:
    """Return a Distance as given, the one of this name, or one made of a pair (function, gradient)."""
    if isinstance(distance, Distance):
        return distance
    if isinstance(distance, str) and distance in NAMES:
        found: Distance = __getattr__(HOMES[distance].split(".")[1])()
        return found
    if isinstance(distance, tuple | list) and len(distance) == 2 and all(map(callable, distance)):
        own: Distance = __getattr__("Own")(*distance)
        return own
    raise ValueError(
        f"distance={distance!r} is none of {', '.join(NAMES)}, no Distance and no pair (function, gradient)."
    )
