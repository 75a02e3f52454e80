"""Cost functions of distances, by name. A new one: its file, one line here, its test."""

from importlib import import_module
from typing import Any

from markone.lvq.costs.base import Cost, PhiCost, Targets

HOMES = {"auc": "AUC", "glvq": "GLVQCost", "rslvq": "RSLVQCost"}
NAMES = sorted(HOMES)

__all__ = ["HOMES", "NAMES", "Cost", "PhiCost", "Targets", "cost_class", "phi_cost_names"]


def cost_class(name: str) -> Any:
    """Cost class of this name."""
    return getattr(import_module(f"{__name__}.{name}"), HOMES[name])


def phi_cost_names() -> list[str]:
    """Names of the costs with a function Phi."""
    return [name for name in NAMES if issubclass(cost_class(name), PhiCost)]
