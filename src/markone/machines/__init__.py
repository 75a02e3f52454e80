"""Machines of perceptrons: committee and parity, trained jointly or grown unit by unit."""

from markone import lazy_import

HOMES = {
    "CommitteeMachine": "markone.machines.estimators",
    "MachineDisplay": "markone.machines.display",
    "ParityMachine": "markone.machines.estimators",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
