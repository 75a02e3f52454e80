"""A network with several hidden layers (1.13) as one flat buffer of weights: output, cost and gradient."""

from dataclasses import dataclass

import numpy as np

from markone.networks.activations import ACTIVATIONS
from markone.networks.net import LOSSES, Parts
from markone.numerics.arrays import Array

WeightsAndThresholds = tuple[Array, Array]


@dataclass(frozen=True)
class LayeredNet:
    """sigma^l = g(W^l sigma^(l-1) - theta^l) from sigma^0 = xi through the layers of K units to C outputs."""

    N: int
    K: tuple[int, ...]
    C: int
    hidden: str
    output: str
    thresholds: bool
    committee = False

    @property
    def layer_widths(self) -> list[int]:
        return [self.N, *self.K, self.C]

    def split_layers(self, flat: Array) -> list[WeightsAndThresholds]:
        """Views into the flat buffer: weights and thresholds of each layer, those of the outputs last."""
        found, at = [], 0
        for inputs, units in zip(self.layer_widths[:-1], self.layer_widths[1:], strict=True):
            W = flat[at : at + units * inputs].reshape(units, inputs)
            at += units * inputs
            theta = flat[at : at + units] if self.thresholds else np.empty(0)
            at += len(theta)
            found.append((W, theta))
        return found

    def split(self, flat: Array) -> Parts:
        """The first layer, and that of the outputs."""
        layers = self.split_layers(flat)
        return Parts(*layers[0], *layers[-1])

    def start(self, rng: np.random.Generator) -> Array:
        """Potentials of order one in each layer; thresholds zero."""
        pairs = zip(self.layer_widths[:-1], self.layer_widths[1:], strict=True)
        flat = np.zeros(sum(units * (inputs + self.thresholds) for inputs, units in pairs))
        for W, _ in self.split_layers(flat):
            W[:] = rng.normal(0.0, 1.0 / np.sqrt(W.shape[1]), W.shape)
        return flat

    def forward_pass(self, flat: Array, X: Array) -> tuple[list[Array], list[Array]]:
        """Potentials of all layers, those of the outputs last, and the inputs of each layer."""
        potentials, inputs = [], [X]
        for W, theta in self.split_layers(flat):
            x = inputs[-1] @ W.T
            potentials.append(x - theta if self.thresholds else x)
            inputs.append(ACTIVATIONS[self.hidden].g(potentials[-1]))
        return potentials, inputs[:-1]

    def hidden_layer(self, flat: Array, X: Array) -> tuple[Array, Array]:
        """Potentials and activities of the last hidden layer."""
        potentials, given = self.forward_pass(flat, X)
        return potentials[-2], given[-1]

    def output_potentials(self, flat: Array, X: Array) -> Array:
        """Potentials of the output units, before g_out."""
        return self.forward_pass(flat, X)[0][-1]

    def cost(self, flat: Array, X: Array, Y: Array, loss: str, ridge: float) -> tuple[float, Array]:
        """The mean loss + ridge/2 of all squared weights, and its gradient, layer by layer from the last."""
        potentials, given = self.forward_pass(flat, X)
        value, back = LOSSES[loss](potentials[-1], Y, self.output)
        gradient, squares = np.empty_like(flat), 0.0
        layers, into = self.split_layers(flat), self.split_layers(gradient)
        for level in range(len(layers) - 1, -1, -1):
            W = layers[level][0]
            into[level][0][:] = back.T @ given[level] + ridge * W
            if self.thresholds:
                into[level][1][:] = -back.sum(axis=0)
            squares += float(np.vdot(W, W))
            if level:
                slope = ACTIVATIONS[self.hidden].slope(potentials[level - 1], given[level])
                back = (back @ W) * slope
        return value + 0.5 * ridge * squares, gradient
