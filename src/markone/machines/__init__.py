"""Machines of perceptrons: committee and parity, trained jointly or grown unit by unit."""

from markone import lazy_import

HOMES = {
    "CommitteeMachine": "markone.machines.committee",
    "MachineDisplay": "markone.machines.display",
    "ParityMachine": "markone.machines.parity",
}

__all__ = list(HOMES)
__getattr__ = lazy_import.lazy_names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
