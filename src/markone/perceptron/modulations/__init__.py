"""Modulations f(E) of (3.12) as text: a small grammar, parsed without eval and run by compiled code."""

from markone.perceptron.modulations.grammar import Modulation, parse_modulation

__all__ = ["Modulation", "parse_modulation"]
