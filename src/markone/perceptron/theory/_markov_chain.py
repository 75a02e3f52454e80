"""The on-line rules as exact Markov chains in (rho, u), rho = w.B, u = length of w across B.

Only three numbers of an example matter: y along the teacher, z along the rest of w, and the squared
length of the remainder, chi^2 with N - 2 degrees of freedom. Hence O(1) per example at any N:

    S = sign(y), flipped with probability noise;  E = S (rho y + u z)
    rho <- rho + f S y/N;   u^2 <- (u + f S z/N)^2 + (f/N)^2 chi^2

(rho, u) instead of (rho, Q): Q - rho^2 would cancel for small angles. `example` and `changed`
are entries rather than parts: compiled once and linked five times, not inlined into five loops.
"""

import math

import numpy as np

from markone.numerics._random import draw_chi_square, draw_normal, draw_uniform
from markone.numerics.compiling import entry, part


@entry
def draw_example(state, noise, rho, u):
    """S y, S z and E of a fresh example."""
    y = draw_normal(state)
    z = draw_normal(state)
    S = 1.0 if y >= 0.0 else -1.0
    if noise > 0.0 and draw_uniform(state) < noise:
        S = -S
    return S * y, S * z, S * (rho * y + u * z)


@entry
def update_state(state, N, f, sy, sz, rho, u):
    """(rho, u) after the step f."""
    step = f / N
    along = u + step * sz
    return rho + step * sy, math.sqrt(along * along + step * step * draw_chi_square(state, N - 2))


@part
def gauss_ratio(z, noise):
    """phi(z)/H_noise(-z)."""
    if noise == 0.0 and z < -30.0:
        # The series of Mills' ratio: phi and Phi underflow.
        r = 1.0 / (z * z)
        return -z * (1.0 + r * (1.0 - r * (2.0 - r * (10.0 - 74.0 * r))))
    below = 0.5 * math.erfc(-z * math.sqrt(0.5))
    return math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) / (noise + (1.0 - 2.0 * noise) * below)


@part
def run_chain(state, N, noise, parameter, times, rho, u, modulation):
    """(rho, u) at the given numbers of examples, ascending; `modulation` gives the step f."""
    out = np.empty((times.size, 2))
    done = 0
    for k in range(times.size):
        while done < times[k]:
            sy, sz, E = draw_example(state, noise, rho, u)
            f = modulation(E, math.sqrt(rho * rho + u * u), done, parameter, noise)
            if f != 0.0:
                rho, u = update_state(state, N, f, sy, sz, rho, u)
            done += 1
        out[k, 0], out[k, 1] = rho, u
    return out


@part
def rosenblatt_modulation(E, length, mu, c, noise):
    """1 where E <= c. c = infinity is Hebb's rule."""
    return 1.0 if c >= E else 0.0


@part
def adatron_modulation(E, length, mu, eta, noise):
    """-eta E where E < 0."""
    return -eta * E if E < 0.0 else 0.0


@part
def lms_modulation(E, length, mu, eta, noise):
    """eta (1 - E)."""
    return eta * (1.0 - E)


@part
def optimal_modulation(E, length, mu, g, noise):
    """|w| (1-2 noise)/g phi(g t)/H(-g t), g[mu] = the assumed cot(theta).

    From w = 0 the scale is free: f = 1.
    """
    if length == 0.0:
        return 1.0
    return length * (1.0 - 2.0 * noise) / g[mu] * gauss_ratio(g[mu] * E / length, noise)


@part
def optimal_rate_modulation(E, length, mu, eta, noise):
    """eta[mu] |w| where E <= 0; 1 from w = 0."""
    if E > 0.0:
        return 0.0
    return eta[mu] * length if length > 0.0 else 1.0


@entry
def rosenblatt_chain(state, N, noise, c, times, rho, u):
    return run_chain(state, N, noise, c, times, rho, u, rosenblatt_modulation)


@entry
def adatron_chain(state, N, noise, eta, times, rho, u):
    return run_chain(state, N, noise, eta, times, rho, u, adatron_modulation)


@entry
def lms_chain(state, N, noise, eta, times, rho, u):
    return run_chain(state, N, noise, eta, times, rho, u, lms_modulation)


@entry
def optimal_chain(state, N, noise, g, times, rho, u):
    return run_chain(state, N, noise, g, times, rho, u, optimal_modulation)


@entry
def optimal_rate_chain(state, N, noise, eta, times, rho, u):
    return run_chain(state, N, noise, eta, times, rho, u, optimal_rate_modulation)
