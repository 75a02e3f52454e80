"""A network with hidden layers (1.13, 1.14) as one flat buffer of weights: output, cost and training."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

from markone.networks import _online
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


CODES = {"squared": _online.SQUARED, "logistic": _online.LOGISTIC, "softmax": _online.SOFTMAX}
# Number of gradient corrections of L-BFGS; scipy's default is ten, more save iterations here.
REMEMBERED = 20


@dataclass
class TrainedNet:
    """The flat buffer of weights, the cost per iteration, the number of iterations, and a warning if any."""

    flat: Array
    trace: list[float]
    n_iter: int
    message: str = ""


def train_lbfgs(
    net: Net, flat: Array, X: Array, Y: Array, loss: str, ridge: float, options: Any
) -> TrainedNet:
    """Minimise by L-BFGS until the largest component of the gradient is below tol."""
    trace: list[float] = []
    last = [np.nan]

    def cost(now: Array) -> tuple[float, Array]:
        last[0], gradient = net.cost(now, X, Y, loss, ridge)
        return last[0], gradient

    limits = {"maxiter": options.max_iter, "maxfun": 15 * options.max_iter, "gtol": options.tol}
    limits |= {"ftol": 64 * np.finfo(float).eps, "maxcor": REMEMBERED}

    def append_cost(_: Array) -> None:
        trace.append(last[0])

    found = minimize(cost, flat, jac=True, method="L-BFGS-B", callback=append_cost, options=limits)
    message = ""
    if found.status == 1:
        message = (
            f"{type(options).__name__} stopped after {found.nit} iterations with a gradient of "
            f"{np.abs(found.jac).max():.1e} > tol = {options.tol:g}: raise max_iter or tol, or scale X."
        )
    return TrainedNet(found.x, trace, max(int(found.nit), 1), message)


def train_online(
    net: Net, flat: Array, X: Array, Y: Array, loss: str, ridge: float, options: Any, seed: int, times: int
) -> TrainedNet:
    """Stochastic gradient descent with rate eta, one example at a time, in a new permutation each epoch."""
    flat = flat.copy()
    parts, trace = net.split_parts(flat), np.empty(times)
    how = (net.committee, ACTIVATIONS[net.hidden].code, CODES[loss], ACTIVATIONS[net.output].code)
    state = np.array([seed], dtype=np.uint64)
    order = np.arange(len(X))
    _online.train_epochs(*parts, X, Y, *how, ridge, options.eta, order, True, state, times, trace)
    if not np.isfinite(flat).all():
        raise ValueError(
            f"On-line training with eta = {options.eta:g} diverged: choose a smaller eta, or scale X and y "
            "to a size of about one."
        )
    return TrainedNet(flat, [float(value) for value in trace], times)
