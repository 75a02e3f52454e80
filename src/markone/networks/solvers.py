"""Training of a network: L-BFGS on the whole set, or on-line, one example at a time."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from markone.networks import _online
from markone.networks.activations import ACTIVATIONS
from markone.networks.net import Net
from markone.numerics.arrays import Array

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

    def record(_: Array) -> None:
        trace.append(last[0])

    found = minimize(cost, flat, jac=True, method="L-BFGS-B", callback=record, options=limits)
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
