"""On-line students of a fixed or a drifting teacher, as exact Markov chains in (rho, u): O(1) per example.

After each example a drifting teacher B turns by the angle phi, cos(phi) = 1 - delta/N, towards a random
direction n orthogonal to it. Only the component a of n along the part of w orthogonal to B matters:

    rho <- rho cos(phi) + u a sin(phi);   u^2 <- (u a cos(phi) - rho sin(phi))^2 + u^2 (1 - a^2)

`decay` is the fraction of w that decays with each example.
"""

import math

import numpy as np

from markone.numerics._random import DATA, draw_chi_square, draw_normal, seed_stream
from markone.numerics.compiling import entry, part
from markone.perceptron.theory._markov_chain import (
    adatron_chain,
    adatron_modulation,
    draw_example,
    lms_chain,
    lms_modulation,
    optimal_chain,
    optimal_modulation,
    optimal_rate_chain,
    optimal_rate_modulation,
    rosenblatt_chain,
    rosenblatt_modulation,
    update_state,
)


@part
def run_online_block(seed, start, stop, P, N, noise, parameter, across, walk):
    """R, Q and epsilon_g after P examples; w = 0 counts as random guessing."""
    out = np.empty((stop - start, 3))
    state, times = np.empty(1, np.uint64), np.array([P])
    for k in range(stop - start):
        seed_stream(state, seed, N, P, start + k, DATA)
        end = walk(state, N, noise, parameter, times, 0.0, across)
        rho, u = end[0, 0], end[0, 1]
        theta = math.atan2(u, rho) if rho != 0.0 or u != 0.0 else 0.5 * math.pi
        out[k, 0] = math.cos(theta) if theta != 0.5 * math.pi else 0.0
        out[k, 1], out[k, 2] = rho * rho + u * u, theta / math.pi
    return out


@entry
def run_rosenblatt_chain(seed, start, stop, P, N, noise, parameter, across):
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, rosenblatt_chain)


@entry
def run_adatron_chain(seed, start, stop, P, N, noise, parameter, across):
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, adatron_chain)


@entry
def run_lms_chain(seed, start, stop, P, N, noise, parameter, across):
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, lms_chain)


@entry
def run_optimal_chain(seed, start, stop, P, N, noise, parameter, across):
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, optimal_chain)


@entry
def run_optimal_rate_chain(seed, start, stop, P, N, noise, parameter, across):
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, optimal_rate_chain)


@entry
def drift_teacher(state, N, cosine, rho, u):
    """Return (rho, u) after a random turn of the teacher."""
    z = draw_normal(state)
    rest = draw_chi_square(state, N - 2)
    sine = math.sqrt((1.0 - cosine) * (1.0 + cosine))
    size = z * z + rest
    a = z / math.sqrt(size) if size > 0.0 else 1.0
    along = u * a * cosine - rho * sine
    return rho * cosine + u * a * sine, math.sqrt(along * along + u * u * max(1.0 - a * a, 0.0))


@part
def run_drift_block(seed, start, stop, P, N, noise, delta, decay, parameter, across, modulation):
    """R, Q and epsilon_g after P examples; w = 0 counts as random guessing."""
    out = np.empty((stop - start, 3))
    state = np.empty(1, np.uint64)
    for k in range(stop - start):
        seed_stream(state, seed, N, P, start + k, DATA)
        rho, u = 0.0, across
        for mu in range(P):
            sy, sz, E = draw_example(state, noise, rho, u)
            f = modulation(E, math.sqrt(rho * rho + u * u), mu, parameter, noise)
            rho, u = (1.0 - decay) * rho, (1.0 - decay) * u
            if f != 0.0:
                rho, u = update_state(state, N, f, sy, sz, rho, u)
            if delta > 0.0:
                rho, u = drift_teacher(state, N, 1.0 - delta / N, rho, u)
        theta = math.atan2(u, rho) if rho != 0.0 or u != 0.0 else 0.5 * math.pi
        out[k, 0] = math.cos(theta) if theta != 0.5 * math.pi else 0.0
        out[k, 1], out[k, 2] = rho * rho + u * u, theta / math.pi
    return out


@entry
def run_drifting_rosenblatt(seed, start, stop, P, N, noise, delta, decay, parameter, across):
    return run_drift_block(
        seed, start, stop, P, N, noise, delta, decay, parameter, across, rosenblatt_modulation
    )


@entry
def run_drifting_adatron(seed, start, stop, P, N, noise, delta, decay, parameter, across):
    return run_drift_block(
        seed, start, stop, P, N, noise, delta, decay, parameter, across, adatron_modulation
    )


@entry
def run_drifting_lms(seed, start, stop, P, N, noise, delta, decay, parameter, across):
    return run_drift_block(seed, start, stop, P, N, noise, delta, decay, parameter, across, lms_modulation)


@entry
def run_drifting_optimal(seed, start, stop, P, N, noise, delta, decay, parameter, across):
    return run_drift_block(
        seed, start, stop, P, N, noise, delta, decay, parameter, across, optimal_modulation
    )


@entry
def run_drifting_optimal_rate(seed, start, stop, P, N, noise, delta, decay, parameter, across):
    return run_drift_block(
        seed, start, stop, P, N, noise, delta, decay, parameter, across, optimal_rate_modulation
    )
