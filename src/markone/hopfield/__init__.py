"""Associative memory: couplings that store patterns, and the dynamics that recall them."""

from markone import lazy_import

HOMES = {
    "Hopfield": "markone.hopfield.memory",
    "Recall": "markone.hopfield.states",
    "Trajectory": "markone.hopfield.states",
    "ferromagnet": "markone.hopfield.couplings",
    "hebb": "markone.hopfield.couplings",
    "optimal_stability": "markone.hopfield.couplings",
    "pseudo_inverse": "markone.hopfield.couplings",
    "spin_glass": "markone.hopfield.couplings",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
