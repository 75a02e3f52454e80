"""Perceptron training by quadratic optimization (section 3.6): the solver behind AdaTron."""

from markone.perceptron.quadratic.optimum import Optimum, report
from markone.perceptron.quadratic.problem import Quadratic, State, judge
from markone.perceptron.quadratic.solve import maximise, solved

__all__ = ["Optimum", "Quadratic", "State", "judge", "maximise", "report", "solved"]
