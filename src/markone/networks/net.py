"""A network N-K-C with one hidden layer (1.14) as one flat buffer of weights: output, cost and gradient."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logsumexp

from markone.networks.activations import ACTIVATIONS
from markone.numerics.arrays import Array


class Parts(NamedTuple):
    """Views into the flat buffer: w (K, N), theta (K,), v (C, K), phi (C,); v and phi empty if fixed."""

    w: Array
    theta: Array
    v: Array
    phi: Array


@dataclass(frozen=True)
class Net:
    """S = g_out(sum_k v_k g(w^k . xi - theta_k) - phi). Soft committee: v_k = 1 and phi = 0, fixed."""

    N: int
    K: int
    C: int
    hidden: str
    output: str
    committee: bool
    thresholds: bool

    @property
    def sizes(self) -> list[tuple[int, ...]]:
        K, C = self.K, self.C
        v = () if self.committee else (C, K)
        return [
            (K, self.N),
            (K,) if self.thresholds else (0,),
            v or (0, K),
            (C,) if self.thresholds and v else (0,),
        ]

    def split(self, flat: Array) -> Parts:
        ends = np.cumsum([int(np.prod(size)) for size in self.sizes])
        pieces = np.split(flat, ends[:-1])
        return Parts(*(piece.reshape(size) for piece, size in zip(pieces, self.sizes, strict=True)))

    def split_layers(self, flat: Array) -> list[tuple[Array, Array]]:
        """Weights and thresholds of the hidden units and of the outputs."""
        parts = self.split(flat)
        return [(parts.w, parts.theta), (parts.v, parts.phi)]

    def start(self, rng: np.random.Generator) -> Array:
        """Potentials of order one for inputs of order one; thresholds zero."""
        flat = np.zeros(sum(int(np.prod(size)) for size in self.sizes))
        parts = self.split(flat)
        parts.w[:] = rng.normal(0.0, 1.0 / np.sqrt(self.N), parts.w.shape)
        parts.v[:] = rng.normal(0.0, 1.0 / np.sqrt(self.K), parts.v.shape)
        return flat

    def hidden_layer(self, flat: Array, X: Array) -> tuple[Array, Array]:
        """Potentials and activities sigma_k of the hidden units (P, K)."""
        parts = self.split(flat)
        x = X @ parts.w.T
        if self.thresholds:
            x -= parts.theta
        return x, ACTIVATIONS[self.hidden].g(x)

    def potentials_from_hidden(self, flat: Array, sigma: Array) -> Array:
        """Potentials of the output units (P, C) from the hidden activities."""
        parts = self.split(flat)
        if self.committee:
            return np.asarray(sigma.sum(axis=1, keepdims=True))
        out = sigma @ parts.v.T
        return out - parts.phi if self.thresholds else out

    def output_potentials(self, flat: Array, X: Array) -> Array:
        """Potentials of the output units, before g_out."""
        return self.potentials_from_hidden(flat, self.hidden_layer(flat, X)[1])

    def cost(self, flat: Array, X: Array, Y: Array, loss: str, ridge: float) -> tuple[float, Array]:
        """The mean loss + ridge/2 (|w|^2 + |v|^2), and its gradient by back-propagation."""
        x, sigma = self.hidden_layer(flat, X)
        value, slope = LOSSES[loss](self.potentials_from_hidden(flat, sigma), Y, self.output)
        parts, gradient = self.split(flat), np.empty_like(flat)
        into = self.split(gradient)
        if self.committee:
            back = np.repeat(slope, self.K, axis=1)
        else:
            into.v[:] = slope.T @ sigma + ridge * parts.v
            back = slope @ parts.v
        back *= ACTIVATIONS[self.hidden].slope(x, sigma)
        into.w[:] = back.T @ X + ridge * parts.w
        if self.thresholds:
            into.theta[:] = -back.sum(axis=0)
            if not self.committee:
                into.phi[:] = -slope.sum(axis=0)
        squares = float(np.vdot(parts.w, parts.w) + np.vdot(parts.v, parts.v))
        return value + 0.5 * ridge * squares, gradient


Loss = Callable[[Array, Array, str], tuple[float, Array]]


def _squared_loss(out: Array, Y: Array, output: str) -> tuple[float, Array]:
    """(1/2P) sum (S - y)^2"""
    g = ACTIVATIONS[output]
    S = g.g(out)
    rest = S - Y
    return float(0.5 * np.sum(rest * rest) / len(Y)), rest * g.slope(out, S) / len(Y)


def _logistic_loss(out: Array, Y: Array, output: str) -> tuple[float, Array]:
    """Cross entropy of one output, P(y = 1) = 1/(1 + exp(-S)); y = 0 or 1."""
    value = float(np.mean(np.logaddexp(0.0, out) - Y * out))
    return value, (expit(out) - Y) / len(Y)


def _softmax_loss(out: Array, Y: Array, output: str) -> tuple[float, Array]:
    """Cross entropy of C outputs; Y holds a one in the column of the class."""
    logs = out - logsumexp(out, axis=1, keepdims=True)
    return float(-np.sum(Y * logs) / len(Y)), (np.exp(logs) - Y) / len(Y)


LOSSES: dict[str, Loss] = {"squared": _squared_loss, "logistic": _logistic_loss, "softmax": _softmax_loss}
