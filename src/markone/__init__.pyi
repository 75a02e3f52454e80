# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone import hopfield as hopfield
from markone import lvq as lvq
from markone import machines as machines
from markone import networks as networks
from markone import perceptron as perceptron
from markone.hopfield.memory import Hopfield as Hopfield
from markone.lvq.inspect.rejection import Rejecting as Rejecting
from markone.lvq.models.glvq import GLVQ as GLVQ
from markone.lvq.models.glvq import GMLVQ as GMLVQ
from markone.lvq.models.glvq import GRLVQ as GRLVQ
from markone.lvq.models.glvq import LGMLVQ as LGMLVQ
from markone.lvq.models.kernel_glvq import KernelGLVQ as KernelGLVQ
from markone.lvq.models.lvq1 import LVQ1 as LVQ1
from markone.lvq.models.lvq1 import LVQ21 as LVQ21
from markone.lvq.models.lvq1 import LVQ3 as LVQ3
from markone.lvq.models.lvq1 import MatrixLVQ1 as MatrixLVQ1
from markone.lvq.models.lvq1 import OLVQ1 as OLVQ1
from markone.lvq.models.nearest_neighbours import NearestNeighbours as NearestNeighbours
from markone.lvq.models.nearest_neighbours import NearestPrototype as NearestPrototype
from markone.lvq.models.relational_glvq import RelationalGLVQ as RelationalGLVQ
from markone.lvq.models.rslvq import LMRSLVQ as LMRSLVQ
from markone.lvq.models.rslvq import MRSLVQ as MRSLVQ
from markone.lvq.models.rslvq import RSLVQ as RSLVQ
from markone.machines.display import MachineDisplay as MachineDisplay
from markone.machines.estimators import CommitteeMachine as CommitteeMachine
from markone.machines.estimators import ParityMachine as ParityMachine
from markone.networks.feed_forward import FeedForwardClassifier as FeedForwardClassifier
from markone.networks.feed_forward import FeedForwardRegressor as FeedForwardRegressor
from markone.networks.linear_unit import LinearUnit as LinearUnit
from markone.networks.neuron import IntegrateAndFire as IntegrateAndFire
from markone.perceptron.fewest_errors.minimal_errors import MinimalErrors as MinimalErrors
from markone.perceptron.maps.association import AssociationLayer as AssociationLayer
from markone.perceptron.maps.polynomial import PolynomialMap as PolynomialMap
from markone.perceptron.margin.kernel.kernel_adatron import KernelAdaTron as KernelAdaTron
from markone.perceptron.online.delta_rule import LMS as LMS
from markone.perceptron.online.delta_rule import PerceptronRule as PerceptronRule
from markone.perceptron.online.online_student import OnlineStudent as OnlineStudent
from markone.perceptron.recession import separation as separation
from markone.perceptron.separable import separability as separability
from markone.perceptron.students.adaline import Adaline as Adaline
from markone.perceptron.students.adatron import AdaTron as AdaTron
from markone.perceptron.students.hebb import Hebb as Hebb
from markone.perceptron.students.margin_cost import MarginCost as MarginCost
from markone.perceptron.students.minover import MinOver as MinOver
from markone.perceptron.students.pocket import Pocket as Pocket
from markone.perceptron.students.rosenblatt import Rosenblatt as Rosenblatt
from markone.perceptron.version_space.bayes_point import BayesPoint as BayesPoint
from markone.perceptron.version_space.gibbs import Gibbs as Gibbs
from markone.perceptron.version_space.space import VersionSpace as VersionSpace
from markone.tables.dispatch import fit as fit

__version__: str
HOMES: dict[str, str]
__all__: list[str]
