"""Linear separability, with a certificate for either answer."""

from markone.perceptron.separable.separability_result import Separability, separability

__all__ = ["Separability", "separability"]
