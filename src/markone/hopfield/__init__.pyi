# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.hopfield.couplings import ferromagnet as ferromagnet
from markone.hopfield.couplings import hebb as hebb
from markone.hopfield.couplings import optimal_stability as optimal_stability
from markone.hopfield.couplings import pseudo_inverse as pseudo_inverse
from markone.hopfield.couplings import spin_glass as spin_glass
from markone.hopfield.memory import Hopfield as Hopfield
from markone.hopfield.states import Recall as Recall
from markone.hopfield.states import Trajectory as Trajectory

HOMES: dict[str, str]
__all__: list[str]
