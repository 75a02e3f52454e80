"""Cost functions of distances, found by name. A new one: its file, one line here, its test."""

from importlib import import_module
from typing import Any

from markone.lvq.costs.base import Cost, Targets

HOMES = {"auc": "AUC", "glvq": "GLVQCost", "rslvq": "RSLVQCost"}
NAMES = sorted(HOMES)

__all__ = ["HOMES", "NAMES", "Cost", "Targets", "find"]


def find(name: str, **constants: Any) -> Cost:
    """The cost of this name with its constants."""
    return getattr(import_module(f"{__name__}.{name}"), HOMES[name])(**constants)
