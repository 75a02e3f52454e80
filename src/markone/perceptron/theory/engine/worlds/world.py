"""The examples' side of the equations: from m, s, V, b to m_hat, q_hat, V_hat, for each kind of examples.

A world is a sum over labels; for each it has the density of the margin field e = y h before learning.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import Phi, panel_quadrature, phi
from markone.perceptron.theory.engine.channels import Linear, Teacher
from markone.perceptron.theory.engine.losses import Loss
from markone.perceptron.theory.engine.prox_integrals import (
    FieldNodes,
    IntArray,
    field_nodes,
    gaussian_edges,
)

# Nodes per panel with which roots are improved at most; they are checked with twice as many.
MOST_NODES = 96


@dataclass(frozen=True)
class State:
    """Order parameters, arrays (m,): q = s + m^2/rho is the variance of the field."""

    m: Array
    s: Array
    V: Array
    b: Array
    noise: Array
    rho: float

    @property
    def q(self) -> Array:
        return self.s + self.m**2 / self.rho

    def take_problems(self, index: IntArray) -> "State":
        """The states of these problems, which may repeat."""
        m, s, V, b, noise = (a[index] for a in (self.m, self.s, self.V, self.b, self.noise))
        return State(m, s, V, b, noise, self.rho)


@dataclass(frozen=True)
class Averages:
    """Per example: m_hat, q_hat, V_hat and the mean force on b."""

    force_along: Array
    force2: Array
    stiffness: Array
    force_b: Array


@dataclass(frozen=True)
class Training:
    """On the training examples: error, mean loss, fraction with l' not zero, mean of E^2 (or u^2)."""

    epsilon_t: Array
    loss: Array
    support: Array
    square: Array


class World(ABC):
    """Averages over the training examples and errors on new ones."""

    # |w|^2 counts once less than there are classes.
    classes = 2
    most_nodes = MOST_NODES

    @abstractmethod
    def average_forces(self, loss: Loss, state: State, n: int) -> Averages:
        """The averages of the equations, by n nodes per panel."""

    @abstractmethod
    def observe_training(self, loss: Loss, state: State, n: int) -> Training:
        """What is observed on the training examples."""

    @abstractmethod
    def fresh_label_error(self, state: State, n: int) -> Array:
        """Probability of a wrong label on a new example."""


class FieldWorld(World):
    """Labels with their multiplicity, edges of panels and density of e for each label."""

    labels: tuple[tuple[float, float], ...]

    @abstractmethod
    def panel_edges(self, state: State, y: float) -> Array: ...

    @abstractmethod
    def field_densities(self, state: State, y: float, e: Array) -> tuple[Array, Array]:
        """Density of e, and the density with which v enters m_hat."""

    def average_forces(self, loss: Loss, state: State, n: int) -> Averages:
        def average_nodes(nodes: FieldNodes, p: Array, along: Array, y: float) -> list[Array]:
            factors = ((along, nodes.v), (p, nodes.v, nodes.v), (p, nodes.stiffness), (y * p, nodes.v))
            return [nodes.integrate_density(*one) for one in factors]

        return Averages(*self._sum_over_labels(loss, state, n, average_nodes))

    def observe_training(self, loss: Loss, state: State, n: int) -> Training:
        def observe_nodes(nodes: FieldNodes, p: Array, along: Array, y: float) -> list[Array]:
            return [nodes.integrate_density(p, one) for one in observe_fields(loss, nodes)]

        return Training(*self._sum_over_labels(loss, state, n, observe_nodes))

    def _sum_over_labels(self, loss: Loss, state: State, n: int, integrate: Callable[..., Any]) -> Array:
        """Four integrals (4, m)."""
        total = np.zeros((4, state.m.size))
        for y, share in self.labels:
            nodes = field_nodes(loss, state.V, self.panel_edges(state, y), n)
            p, along = self.field_densities(state.take_problems(nodes.problem), y, nodes.e)
            total += share * np.array(integrate(nodes, p, along, y))
        return total

    def fresh_label_error(self, state: State, n: int) -> Array:
        total = np.zeros_like(state.m)
        for y, share in self.labels:
            e, de = panel_quadrature(np.minimum(self.panel_edges(state, y), 0.0), n)
            total += share * (self.field_densities(state, y, e)[0] * de).sum(-1)
        return total


def observe_fields(loss: Loss, nodes: FieldNodes) -> tuple[Array, ...]:
    """Error, loss, l' not zero and E^2 at each node."""
    return (nodes.E < 0) * 1.0, loss.derivatives(nodes.E)[0], (nodes.v != 0) * 1.0, nodes.E**2


@dataclass(frozen=True)
class TeacherWorld(FieldWorld):
    """Labels by a teacher; without threshold and fitted b both labels contribute the same."""

    teacher: Teacher
    labels: tuple[tuple[float, float], ...]

    def _rest(self, state: State) -> Array:
        return state.rho * state.s / state.q

    def panel_edges(self, state: State, y: float) -> Array:
        wide = gaussian_edges(y * state.b, np.sqrt(state.q))
        stretch = state.q / state.m
        width = np.sqrt(self._rest(state) + min(self.teacher.widths) ** 2) * stretch
        turn = gaussian_edges(y * (state.b - self.teacher.threshold * stretch), width)
        return np.sort(np.concatenate([wide, np.clip(turn, wide[:, :1], wide[:, -1:])], axis=-1), axis=-1)

    def field_densities(self, state: State, y: float, e: Array) -> tuple[Array, Array]:
        width = np.sqrt(state.q)[:, None]
        field = y * e - state.b[:, None]
        m0 = (state.m / state.q)[:, None] * field
        Z, slope = self.teacher.label_probability(m0, self._rest(state)[:, None], state.noise[:, None])
        p = phi(field / width) / width
        return p * (Z if y > 0 else 1 - Z), p * slope


@dataclass(frozen=True)
class TwoGaussiansWorld(FieldWorld):
    """Labels y with probability p_y and fields of mean y m + b."""

    labels: tuple[tuple[float, float], ...]

    def panel_edges(self, state: State, y: float) -> Array:
        return gaussian_edges(state.m + y * state.b, np.sqrt(state.q))

    def field_densities(self, state: State, y: float, e: Array) -> tuple[Array, Array]:
        width = np.sqrt(state.q)[:, None]
        p = phi((e - (state.m + y * state.b)[:, None]) / width) / width
        return p, p

    def fresh_label_error(self, state: State, n: int) -> Array:
        width = np.sqrt(state.q)
        return np.sum([share * Phi(-(state.m + y * state.b) / width) for y, share in self.labels], axis=0)


@dataclass(frozen=True)
class RegressionWorld(FieldWorld):
    """y = z + noise; e is the residual y - h, of variance (rho - m)^2/rho + s + sigma^2."""

    teacher: Linear
    labels: tuple[tuple[float, float], ...] = ((-1.0, 1.0),)

    def mean_square(self, state: State) -> Array:
        """Of z - h without b."""
        return (state.rho - state.m) ** 2 / state.rho + state.s

    def panel_edges(self, state: State, y: float) -> Array:
        return gaussian_edges(-state.b, self._width(state))

    def field_densities(self, state: State, y: float, e: Array) -> tuple[Array, Array]:
        width = self._width(state)[:, None]
        p = phi((e + state.b[:, None]) / width) / width
        return p, p

    def _width(self, state: State) -> Array:
        return np.sqrt(self.mean_square(state) + self.teacher.sigma2 + state.noise)

    def average_forces(self, loss: Loss, state: State, n: int) -> Averages:
        found = super().average_forces(loss, state, n)
        return replace(found, force_along=found.stiffness)
