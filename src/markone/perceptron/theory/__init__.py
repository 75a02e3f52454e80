"""Exact results for storage and for batch learning of a rule, N -> infinity.

Plain functions of alpha = P/N (arrays in, arrays out), without simulation. `markone.theory` lists the curves.
"""

from markone.perceptron.theory import adaline, bayes, capacity, convergence, gibbs, hebb, max_stability, rule
from markone.perceptron.theory.convex import logistic, soft_margin, squared_hinge

__all__ = [
    "adaline",
    "bayes",
    "capacity",
    "convergence",
    "gibbs",
    "hebb",
    "logistic",
    "max_stability",
    "rule",
    "soft_margin",
    "squared_hinge",
]
