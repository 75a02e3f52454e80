"""A network with hidden layers (1.13, 1.14) as one flat buffer of weights: output, cost and gradient."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logsumexp

from markone.networks.activations import ACTIVATIONS
from markone.numerics.arrays import Array

WeightsAndThresholds = tuple[Array, Array]


class Parts(NamedTuple):
    """The first layer w (K, N), theta (K,) and the outputs v (C, K), phi (C,), the latter empty if fixed."""

    w: Array
    theta: Array
    v: Array
    phi: Array


@dataclass(frozen=True)
class Net:
    """sigma^l = g(W^l sigma^(l-1) - theta^l) from sigma^0 = xi through the layers of K units to C outputs.

    A soft committee has one hidden layer and the fixed output weights v_k = 1, phi = 0.
    """

    N: int
    K: tuple[int, ...]
    C: int
    hidden: str
    output: str
    committee: bool
    thresholds: bool

    @property
    def layer_shapes(self) -> list[tuple[int, int]]:
        """(units, inputs) of each layer; a committee has no units in its last."""
        widths = [self.N, *self.K, 0 if self.committee else self.C]
        return list(zip(widths[1:], widths[:-1], strict=True))

    def split_layers(self, flat: Array) -> list[WeightsAndThresholds]:
        """Views into the flat buffer: weights and thresholds of each layer, those of the outputs last."""
        found, at = [], 0
        for units, inputs in self.layer_shapes:
            W = flat[at : at + units * inputs].reshape(units, inputs)
            at += units * inputs
            theta = flat[at : at + units] if self.thresholds else np.empty(0)
            at += len(theta)
            found.append((W, theta))
        return found

    def split_parts(self, flat: Array) -> Parts:
        """The first layer, and that of the outputs."""
        layers = self.split_layers(flat)
        return Parts(*layers[0], *layers[-1])

    def initial_weights(self, rng: np.random.Generator) -> Array:
        """Potentials of order one for inputs of order one; thresholds zero."""
        flat = np.zeros(sum(units * (inputs + self.thresholds) for units, inputs in self.layer_shapes))
        for W, _ in self.split_layers(flat):
            W[:] = rng.normal(0.0, 1.0 / np.sqrt(W.shape[1]), W.shape)
        return flat

    def forward_pass(self, flat: Array, X: Array) -> tuple[list[Array], list[Array]]:
        """Potentials of all layers, those of the outputs last, and the inputs of each layer."""
        potentials: list[Array] = []
        inputs = [X]
        for level, (W, theta) in enumerate(self.split_layers(flat)):
            if level:
                inputs.append(ACTIVATIONS[self.hidden].g(potentials[-1]))
            if level and self.committee:
                x = np.asarray(inputs[-1].sum(axis=1, keepdims=True))
            else:
                x = inputs[-1] @ W.T
                x = x - theta if self.thresholds else x
            potentials.append(x)
        return potentials, inputs

    def hidden_layer(self, flat: Array, X: Array) -> tuple[Array, Array]:
        """Potentials and activities of the last hidden layer."""
        potentials, inputs = self.forward_pass(flat, X)
        return potentials[-2], inputs[-1]

    def output_potentials(self, flat: Array, X: Array) -> Array:
        """Potentials of the output units, before g_out."""
        return self.forward_pass(flat, X)[0][-1]

    def cost(self, flat: Array, X: Array, Y: Array, loss: str, ridge: float) -> tuple[float, Array]:
        """The mean loss + ridge/2 of all squared weights, and its gradient by back-propagation."""
        potentials, inputs = self.forward_pass(flat, X)
        value, back = LOSSES[loss](potentials[-1], Y, self.output)
        gradient, squares = np.empty_like(flat), 0.0
        layers, into = self.split_layers(flat), self.split_layers(gradient)
        for level in range(len(layers) - 1, -1, -1):
            W = layers[level][0]
            if len(W):
                into[level][0][:] = back.T @ inputs[level] + ridge * W
                if self.thresholds:
                    into[level][1][:] = -back.sum(axis=0)
                squares += float(np.vdot(W, W))
            if level:
                slope = ACTIVATIONS[self.hidden].slope(potentials[level - 1], inputs[level])
                back = (back @ W if len(W) else np.repeat(back, self.K[-1], axis=1)) * slope
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
