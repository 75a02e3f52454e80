"""Solvers that minimise a cost, by name: each a dataclass of its settings with `minimise`."""

from typing import Any

from markone import lazy_import
from markone.lvq.solvers.objective import Outcome, Solver

HOMES = {"lbfgs": "LBFGS", "stochastic": "Stochastic", "waypoint": "Waypoint"}
CLASSES = {name: f"{__name__}.{module}" for module, name in HOMES.items()}
NAMES = sorted(HOMES)

__all__ = ["HOMES", "NAMES", "Outcome", "Solver", "find_solver", *CLASSES]
__getattr__, __dir__ = lazy_import.lazy_names(__name__, CLASSES, __all__)


def find_solver(solver: Any) -> Solver:
    """Return a solver object as given, or the one of this name with its default settings."""
    return solver if isinstance(solver, Solver) else __getattr__(HOMES[solver])()
