# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.perceptron.fewest_errors.minimal_errors import MinimalErrors as MinimalErrors
from markone.perceptron.maps.association import AssociationLayer as AssociationLayer
from markone.perceptron.maps.polynomial import PolynomialMap as PolynomialMap
from markone.perceptron.margin.kernel.kernel_adatron import KernelAdaTron as KernelAdaTron
from markone.perceptron.online.delta_rule import LMS as LMS
from markone.perceptron.online.delta_rule import PerceptronRule as PerceptronRule
from markone.perceptron.online.online_student import OnlineStudent as OnlineStudent
from markone.perceptron.recession import Separation as Separation
from markone.perceptron.recession import separation as separation
from markone.perceptron.separable import Separability as Separability
from markone.perceptron.separable import separability as separability
from markone.perceptron.separable.exact.verify import verify as verify
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

HOMES: dict[str, str]
__all__: list[str]
