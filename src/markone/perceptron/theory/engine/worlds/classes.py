"""K classes of Gaussian clouds and the softmax cost (Loureiro et al. 2021; Cornacchia et al. 2022).

By symmetry everything is a multiple of P = 1 - 1 1'/K: fields of class y are a ~ N(m P e_y, q P), learning
moves them to h = a + V g, g = e_y - p(h), p = softmax(h), and with S = diag(p) - p p'
  m_hat = alpha <g_y>/(K-1), q_hat = alpha <|g|^2>/(K-1), V_hat = alpha <tr S (1 + V S)^-1>/(K-1).
p is explicit but for one number: V p_k + ln p_k = a_k + V delta_ky - c, sum p = 1. The right class
wins where a_y + V > a_k for all k.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import REACH, Phi, panel_quadrature, trapezoid_rule
from markone.perceptron.theory.engine.losses import MARGIN_LOSSES, Loss
from markone.perceptron.theory.engine.penalties import Spectrum
from markone.perceptron.theory.engine.worlds.world import MOST_NODES, Averages, State, Training, World

MOST_CLASSES = 4
# Nodes in one block: arrays of more do not fit into a cache.
BLOCK = 3000
# Weight of a node, of a sum of one, that is left out.
NEGLIGIBLE = 1e-19
# The scale and the force of the logistic loss serve as units of a start.
SOFTMAX = Loss("softmax", MARGIN_LOSSES["logistic"].derivatives)


@dataclass(frozen=True)
class Classes:
    """K classes of equal weight, x = mu_k + noise, with means at equal distances, for loss = "softmax".

    mu2: half of the squared distance of two means; |mu_k|^2 if they are orthogonal.
    """

    K: int = 3
    mu2: float = 1.0

    def spectrum(self) -> Spectrum:
        if not 0 < self.mu2 < np.inf:
            raise ValueError(f"mu2 must be a positive number, not {self.mu2}.")
        return Spectrum(np.ones(1), np.array([self.mu2]), np.ones(1), self.mu2)

    def make_world(self) -> "ClassesWorld":
        if self.K not in range(2, MOST_CLASSES + 1):
            raise ValueError(
                f"K is {self.K}: the averages are integrals of K - 1 dimensions, computed for 2 to "
                f"{MOST_CLASSES} classes. For more, use one class against the rest with Clusters."
            )
        return ClassesWorld(int(self.K))


@dataclass(frozen=True)
class ClassesWorld(World):
    """The averages over fields of class 0; `n` sets the number of nodes in each dimension."""

    classes: int

    @property
    def most_nodes(self) -> int:  # type: ignore[override]
        return {2: MOST_NODES, 3: 96, 4: 48}[self.classes]

    def average_forces(self, loss: Loss, state: State, n: int) -> Averages:
        def average_labels(p: Array, V: float) -> list[Array]:
            bent, wrong = p / (1 + V * p), p[1:].sum(0)
            # tr S (1 + V S)^-1, by the formula of Sherman and Morrison.
            trace = bent.sum(0) - (bent**2).sum(0) / bent.sum(0)
            return [wrong, wrong**2 + (p[1:] ** 2).sum(0), trace]

        first, square, stiffness = self._integrate_fields(state, n, average_labels) / (self.classes - 1)
        return Averages(first, square, stiffness, np.zeros_like(first))

    def observe_training(self, loss: Loss, state: State, n: int) -> Training:
        (value,), one = self._integrate_fields(state, n, lambda p, V: [-np.log(p[0])]), np.ones_like(state.m)
        return Training(self._second_class_wins(state.m + state.V, state), value, one, np.nan * one)

    def fresh_label_error(self, state: State, n: int) -> Array:
        return self._second_class_wins(state.m, state)

    def _second_class_wins(self, lead: Array, state: State) -> Array:
        """1 - int Dt Phi(t + lead/sqrt q)^(K-1)."""
        t, weight = trapezoid_rule(241)
        right = Phi(t + (lead / np.sqrt(state.q))[:, None])
        return np.asarray(-np.expm1((self.classes - 1) * np.log(right)) @ weight)

    def _integrate_fields(
        self, state: State, n: int, functions: Callable[[Array, float], list[Array]]
    ) -> Array:
        """Averages of functions of p after learning, shape (functions, m)."""
        points, weight = field_rule(self.classes, 5 * n // 3)
        own, rows = np.eye(self.classes)[:, :1], []
        blocks = [slice(k, k + BLOCK) for k in range(0, weight.size, BLOCK)]
        for m, q, V in zip(state.m, state.q, state.V, strict=True):
            found = [
                np.array(functions(_learn_fields(m * own + np.sqrt(q) * points[:, block], V, own), V))
                @ weight[block]
                for block in blocks
            ]
            rows.append(np.sum(found, axis=0))
        return np.array(rows).T


def _learn_fields(a: Array, V: float, own: Array) -> Array:
    """p after learning: Newton's method for ln p and c, from the c at which the largest p is one.

    ln p starts at the smaller of x and ln(1 + x), above the root u of u + exp(u) = x, u = ln(V p).
    """
    x = a + V * own
    c = x.max(0) - V
    start = x - c + np.log(V)
    log_p = np.minimum(start, np.log1p(np.maximum(start, 0))) - np.log(V)
    p = np.exp(log_p)
    for _ in range(60):
        missing = x - c - V * p - log_p
        bent = p / (1 + V * p)
        step = (p.sum(0) - 1 + (bent * missing).sum(0)) / bent.sum(0)
        change = (missing - step) / (1 + V * p)
        log_p, c = log_p + change, c + step
        p = np.exp(log_p)
        if not np.abs(change).max() > 1e-7:
            break
    return p


@cache
def field_rule(K: int, n: int) -> tuple[Array, Array]:
    """Nodes (K, nodes) and weights of a normal law on sum h = 0, for functions symmetric in classes 1, 2, ...

    Along e_0 - 1/K a trapezoidal rule; across it a half line for K = 3, and for K = 4 a sixth of the plane in
    polar coordinates.
    """
    t, weight = trapezoid_rule((4 if K == 2 else 2) * n + 1)
    axes = np.linalg.qr(np.column_stack([np.eye(K)[:, :1] - 1 / K, np.eye(K)[:, 1:-1] - np.eye(K)[:, 2:]]))[0]
    along, across = axes[:, :1] * np.sign(axes[0, 0]), axes[:, 1 : K - 1]
    if K == 2:
        return along * t, weight
    if K == 3:
        half, share = t[n:], weight[n:] * np.append(1, np.full(n, 2))
        side = half[None]
    else:
        # At n = 20 angles and radii are accurate to 1e-11, as those along e_0.
        rings = [
            _ring_rule(0.0, 3.0, n // 2 + 2, n // 4 + 4),
            _ring_rule(3.0, REACH, n // 2 + 2, 3 * n // 5 + 4),
        ]
        side, share = (np.concatenate(parts, axis=-1) for parts in zip(*rings, strict=True))
    points = ((along * t)[:, :, None] + (across @ side)[:, None]).reshape(K, -1)
    total = np.multiply.outer(weight, share).ravel()
    kept = total > NEGLIGIBLE
    return points[:, kept], total[kept]


def _ring_rule(low: float, high: float, radii: int, angles: int) -> tuple[Array, Array]:
    """Of a plane normal law, between two of the three mirrors, which exchange two classes."""
    r, dr = panel_quadrature(np.array([low, high]), radii)
    angle = np.pi / 6 + (np.arange(angles) + 0.5) * np.pi / 3 / angles
    side = np.stack([np.multiply.outer(r, one(angle)).ravel() for one in (np.cos, np.sin)])
    return side, np.repeat(r * dr * np.exp(-r * r / 2), angles) / angles
