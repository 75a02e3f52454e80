"""Linear separability, with a certificate for either answer."""

from markone.perceptron.separation.answer import Separability, separability

__all__ = ["Separability", "separability"]
