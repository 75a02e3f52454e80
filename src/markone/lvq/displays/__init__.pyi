# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.lvq.displays.metric import AccuracyRejectDisplay as AccuracyRejectDisplay
from markone.lvq.displays.metric import MetricDisplay as MetricDisplay
from markone.lvq.displays.metric import RelevanceDisplay as RelevanceDisplay
from markone.lvq.displays.metric import TrainingDisplay as TrainingDisplay
from markone.lvq.displays.plane import CellsDisplay as CellsDisplay
from markone.lvq.displays.plane import ProjectionDisplay as ProjectionDisplay

HOMES: dict[str, str]
__all__: list[str]
