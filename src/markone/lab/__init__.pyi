# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.lab.comparison import Comparison as Comparison
from markone.lab.comparison import compare as compare
from markone.lab.documents.reproduction import reproduce as reproduce
from markone.lab.experiment import Experiment as Experiment
from markone.lab.ranges import grid as grid
from markone.lab.result import Result as Result
from markone.lab.scenario import Point as Point
from markone.lab.scenario import Scenario as Scenario
from markone.lab.scenario import Theory as Theory
from markone.lab.scenario import stream as stream
from markone.lab.store.results import Store as Store

HOMES: dict[str, str]
__all__: list[str]
