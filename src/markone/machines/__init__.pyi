# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.machines.display import MachineDisplay as MachineDisplay
from markone.machines.estimators import CommitteeMachine as CommitteeMachine
from markone.machines.estimators import ParityMachine as ParityMachine

HOMES: dict[str, str]
__all__: list[str]
