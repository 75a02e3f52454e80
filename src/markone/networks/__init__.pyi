# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.networks.activations import Response as Response
from markone.networks.activations import mcculloch_pitts as mcculloch_pitts
from markone.networks.activations import respond as respond
from markone.networks.activations import sigmoid as sigmoid
from markone.networks.activations import symmetric as symmetric
from markone.networks.feed_forward import FeedForwardClassifier as FeedForwardClassifier
from markone.networks.feed_forward import FeedForwardRegressor as FeedForwardRegressor
from markone.networks.hebbian import Conditioning as Conditioning
from markone.networks.hebbian import conditioning as conditioning
from markone.networks.hebbian import grow as grow
from markone.networks.linear_unit import LinearUnit as LinearUnit
from markone.networks.neuron import IntegrateAndFire as IntegrateAndFire
from markone.networks.neuron import Spikes as Spikes
from markone.networks.neuron import firing_rate as firing_rate

HOMES: dict[str, str]
__all__: list[str]
