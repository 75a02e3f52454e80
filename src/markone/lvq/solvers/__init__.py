"""Solvers that minimise a cost, by name: each a dataclass of its settings with `minimise`."""

from importlib import import_module
from typing import Any

from markone.lvq.solvers.objective import Outcome, Solver

HOMES = {"lbfgs": "LBFGS", "stochastic": "Stochastic", "waypoint": "Waypoint"}
CLASSES = {name: module for module, name in HOMES.items()}
NAMES = sorted(HOMES)

__all__ = ["HOMES", "NAMES", "Outcome", "Solver", "find_solver", *CLASSES]


def find_solver(solver: Any) -> Solver:
    """Return a solver object as given, or the one of this name with its default settings."""
    return solver if isinstance(solver, Solver) else __getattr__(HOMES[solver])()


def __getattr__(name: str) -> Any:
    if name not in CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{CLASSES[name]}"), name)
