"""The examples' side of the equations: from m, s, V, b to m_hat, q_hat, V_hat, for each kind of examples.

A world is a sum over labels; for each it has the density of the margin field e = y h before learning.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import Phi, panel_quadrature, phi
from markone.perceptron.theory.engine.channels import Linear, Teacher
from markone.perceptron.theory.engine.losses import Loss
from markone.perceptron.theory.engine.prox_integrals import field_nodes, gaussian_edges


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


class World(Protocol):
    """Labels with their multiplicity, edges of panels and density of e for each label."""

    @property
    def labels(self) -> tuple[tuple[float, float], ...]: ...

    def panel_edges(self, state: State, y: float) -> Array: ...

    def field_densities(self, state: State, y: float, e: Array) -> tuple[Array, Array]:
        """Density of e, and the density with which v enters m_hat."""
        ...


@dataclass(frozen=True)
class TeacherWorld:
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
class TwoGaussiansWorld:
    """Labels y with probability p_y and fields of mean y m + b."""

    labels: tuple[tuple[float, float], ...]

    def panel_edges(self, state: State, y: float) -> Array:
        return gaussian_edges(state.m + y * state.b, np.sqrt(state.q))

    def field_densities(self, state: State, y: float, e: Array) -> tuple[Array, Array]:
        width = np.sqrt(state.q)[:, None]
        p = phi((e - (state.m + y * state.b)[:, None]) / width) / width
        return p, p


@dataclass(frozen=True)
class RegressionWorld:
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


def average_forces(world: World, loss: Loss, state: State, n: int) -> Averages:
    """The averages of the equations, by n nodes per panel."""
    rows = []
    for y, share in world.labels:
        nodes = field_nodes(loss, state.V, world.panel_edges(state, y), n)
        p, along = (share * density * nodes.de for density in world.field_densities(state, y, nodes.e))
        pv = p * nodes.v
        stiffness = (p * nodes.stiffness).sum(-1)
        first = stiffness if isinstance(world, RegressionWorld) else (along * nodes.v).sum(-1)
        rows.append([first, (pv * nodes.v).sum(-1), stiffness, y * pv.sum(-1)])
    return Averages(*np.sum(rows, axis=0))


def observe_training(world: World, loss: Loss, state: State, n: int) -> Training:
    """What is observed on the training examples."""
    rows = []
    for y, share in world.labels:
        nodes = field_nodes(loss, state.V, world.panel_edges(state, y), n)
        p = share * world.field_densities(state, y, nodes.e)[0] * nodes.de
        observed = (nodes.E < 0, loss.derivatives(nodes.E)[0], nodes.v != 0, nodes.E**2)
        rows.append([(p * one).sum(-1) for one in observed])
    return Training(*np.sum(rows, axis=0))


def fresh_label_error(world: World, state: State, n: int) -> Array:
    """Probability of a wrong label on a new example."""
    if isinstance(world, TwoGaussiansWorld):
        width = np.sqrt(state.q)
        return np.sum([share * Phi(-(state.m + y * state.b) / width) for y, share in world.labels], axis=0)
    total = np.zeros_like(state.m)
    for y, share in world.labels:
        edges = world.panel_edges(state, y)
        e, de = panel_quadrature(np.minimum(edges, 0.0), n)
        total += share * (world.field_densities(state, y, e)[0] * de).sum(-1)
    return total
