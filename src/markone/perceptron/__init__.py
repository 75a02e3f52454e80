"""One student: sign(w . xi). Every perceptron of the notes as a scikit-learn estimator."""

from markone.perceptron.adaline import Adaline
from markone.perceptron.adatron import AdaTron
from markone.perceptron.hebb import Hebb
from markone.perceptron.kernel_adatron import KernelAdaTron
from markone.perceptron.lms import LMS
from markone.perceptron.margin_cost import MarginCost
from markone.perceptron.minover import MinOver
from markone.perceptron.perceptron_rule import PerceptronRule
from markone.perceptron.pocket import Pocket
from markone.perceptron.rosenblatt import Rosenblatt
from markone.perceptron.separability import Separability, separability

__all__ = [
    "LMS",
    "AdaTron",
    "Adaline",
    "Hebb",
    "KernelAdaTron",
    "MarginCost",
    "MinOver",
    "PerceptronRule",
    "Pocket",
    "Rosenblatt",
    "Separability",
    "separability",
]
