"""Stochastic gradient descent, one example at a time: the on-line training of a network N-K-C."""

import math

import numpy as np

from markone.numerics._random import shuffle_items
from markone.numerics.compiling import entry, part

LINEAR, TANH, ERF, RELU = 0, 1, 2, 3
SQUARED, LOGISTIC, SOFTMAX = 0, 1, 2
BELL = math.sqrt(2.0 / math.pi)


@part
def activation_and_slope(kind, x):
    """g(x) and g'(x)"""
    if kind == TANH:
        s = math.tanh(x)
        return s, 1.0 - s * s
    if kind == ERF:
        return math.erf(x / math.sqrt(2.0)), BELL * math.exp(-0.5 * x * x)
    if kind == RELU:
        return max(x, 0.0), 1.0 if x > 0.0 else 0.0
    return x, 1.0


@part
def output_error(out, y, loss, output, slope):
    """Fill the derivative of the loss by the output potentials; return the loss."""
    C = out.shape[0]
    value = 0.0
    if loss == SOFTMAX:
        top = out.max()
        total = 0.0
        for c in range(C):
            slope[c] = math.exp(out[c] - top)
            total += slope[c]
        for c in range(C):
            value -= y[c] * (out[c] - top - math.log(total))
            slope[c] = slope[c] / total - y[c]
        return value
    for c in range(C):
        if loss == LOGISTIC:
            value += max(out[c], 0.0) + math.log1p(math.exp(-abs(out[c]))) - y[c] * out[c]
            slope[c] = 1.0 / (1.0 + math.exp(-out[c])) - y[c] if out[c] > -700.0 else -y[c]
        else:
            S, g1 = activation_and_slope(output, out[c])
            value += 0.5 * (S - y[c]) ** 2
            slope[c] = (S - y[c]) * g1
    return value


@entry
def train_epochs(
    w, theta, v, phi, X, Y, committee, hidden, loss, output, ridge, eta, order, mixed, state, times, trace
):
    """Run `times` sweeps over the examples; trace: the mean loss of each, before the updates.

    theta and phi may be empty: no thresholds. With `mixed` the order is permuted in each sweep.
    """
    P, N = X.shape
    K, C = w.shape[0], Y.shape[1]
    sigma, slopes = np.empty(K), np.empty(K)
    out, slope = np.empty(C), np.empty(C)
    for epoch in range(times):
        if mixed:
            shuffle_items(state, order)
        total = 0.0
        for step in range(P):
            mu = order[step]
            for c in range(C):
                out[c] = 0.0 if committee or phi.shape[0] == 0 else -phi[c]
            for k in range(K):
                x = 0.0 if theta.shape[0] == 0 else -theta[k]
                for j in range(N):
                    x += w[k, j] * X[mu, j]
                sigma[k], slopes[k] = activation_and_slope(hidden, x)
                for c in range(C):
                    out[c] += sigma[k] if committee else v[c, k] * sigma[k]
            total += output_error(out, Y[mu], loss, output, slope)
            for k in range(K):
                back = 0.0
                for c in range(C):
                    if committee:
                        back += slope[c]
                    else:
                        back += slope[c] * v[c, k]
                        v[c, k] -= eta * (slope[c] * sigma[k] + ridge * v[c, k])
                back *= slopes[k]
                for j in range(N):
                    w[k, j] -= eta * (back * X[mu, j] + ridge * w[k, j])
                if theta.shape[0] > 0:
                    theta[k] += eta * back
            if not committee and phi.shape[0] > 0:
                for c in range(C):
                    phi[c] += eta * slope[c]
        trace[epoch] = total / P
