"""Complete and quasi-complete separation: which coefficients of a logistic regression are infinite."""

from markone.perceptron.recession.separation_result import Separation, separation

__all__ = ["Separation", "separation"]
