"""Perceptron training by quadratic optimization (section 3.6): the solver behind AdaTron."""

from markone.perceptron.margin.optimum import Optimum, optimum_from_state
from markone.perceptron.margin.problem import Quadratic, State, evaluate_state
from markone.perceptron.margin.solve import solve_margin_problem, solve_quadratic

__all__ = [
    "Optimum",
    "Quadratic",
    "State",
    "evaluate_state",
    "optimum_from_state",
    "solve_margin_problem",
    "solve_quadratic",
]
