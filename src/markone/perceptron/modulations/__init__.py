"""A modulation f(E) of (3.12) typed by a person: a small grammar, read without eval, run by compiled code."""

from markone.perceptron.modulations.grammar import Modulation, read

__all__ = ["Modulation", "read"]
