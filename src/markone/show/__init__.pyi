# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.base.history import History as History
from markone.show.displays.curves import ConvergenceDisplay as ConvergenceDisplay
from markone.show.displays.curves import LearningCurveDisplay as LearningCurveDisplay
from markone.show.displays.networks import NetworkDisplay as NetworkDisplay
from markone.show.displays.networks import RecallDisplay as RecallDisplay
from markone.show.displays.perceptron import PerceptronDisplay as PerceptronDisplay
from markone.show.displays.spaces import FeatureSpaceDisplay as FeatureSpaceDisplay
from markone.show.displays.spaces import SphereDisplay as SphereDisplay
from markone.show.displays.stability import StabilityDisplay as StabilityDisplay
from markone.show.histories import growth_history as growth_history
from markone.show.histories import history_of as history_of
from markone.show.histories import recall_history as recall_history
from markone.show.player.animation import Animation as Animation
from markone.show.player.animation import animate as animate
from markone.web.notebook import plane as plane

HOMES: dict[str, str]
__all__: list[str]
