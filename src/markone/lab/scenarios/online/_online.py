"""Blocks of on-line students as the exact Markov chain in (rho, u) of `_markov_chain`: O(1) per example."""

import math

import numpy as np

from markone.numerics._random import DATA, seed_stream
from markone.numerics.compiling import entry, part
from markone.perceptron.theory._markov_chain import adatron_chain as adatron_walk
from markone.perceptron.theory._markov_chain import lms_chain as lms_walk
from markone.perceptron.theory._markov_chain import optimal_chain as optimal_walk
from markone.perceptron.theory._markov_chain import optimal_rate_chain as optimal_rate_walk
from markone.perceptron.theory._markov_chain import rosenblatt_chain as rosenblatt_walk


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
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, rosenblatt_walk)


@entry
def run_adatron_chain(seed, start, stop, P, N, noise, parameter, across):
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, adatron_walk)


@entry
def run_lms_chain(seed, start, stop, P, N, noise, parameter, across):
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, lms_walk)


@entry
def run_optimal_chain(seed, start, stop, P, N, noise, parameter, across):
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, optimal_walk)


@entry
def run_optimal_rate_chain(seed, start, stop, P, N, noise, parameter, across):
    return run_online_block(seed, start, stop, P, N, noise, parameter, across, optimal_rate_walk)
