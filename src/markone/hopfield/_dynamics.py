"""The dynamics (1.7), (1.9): one neuron after the other, or all at once, at T = 0 or with thermal noise."""

import math

import numpy as np

from markone.base._recording import record_step
from markone.hopfield._fields import flip_neuron, neuron_field
from markone.numerics._random import draw_below, draw_uniform, shuffle_items
from markone.numerics.compiling import entry, part

SHUFFLED, RANDOM, CYCLIC = 0, 1, 2
GLAUBER, METROPOLIS = 0, 1
OPEN, FIXED, CYCLE = 0, 1, 2


@part
def neuron_changes(S, h, tie, T, rule, state):
    """Whether a neuron in state S with field h changes it. sign(0) = +1 (1.5) at T = 0."""
    if T == 0.0:
        return (h >= -tie) != (S > 0)
    if rule == GLAUBER:
        return (draw_uniform(state) * (1.0 + math.exp(-2.0 * h / T)) < 1.0) != (S > 0)
    cost = 2.0 * S * h
    return cost <= 2.0 * tie or draw_uniform(state) < math.exp(-cost / T)


@entry
def run_sequential(memory, S, T, rule, order, turn, state, sweeps, log):
    """Run at most `sweeps` sweeps of N visits; return (sweeps done, status). A fixed point needs T = 0.

    In random order a sweep without a change need not have visited every neuron: then all fields are checked.
    With overlaps, which are integers, the fixed point is proven; with a matrix the caller checks it again
    with recomputed fields. A row of the log holds the neuron, S_i h_i before and after, the change of S_i, S.
    """
    N = S.shape[0]
    for sweep in range(sweeps):
        if order == SHUFFLED:
            shuffle_items(state, turn)
        quiet = True
        for k in range(N):
            i = draw_below(state, N) if order == RANDOM else turn[k]
            h, old = neuron_field(memory, S, i), S[i]
            if neuron_changes(old, h, memory.tie, T, rule, state):
                flip_neuron(memory, S, i)
                quiet = False
            if log is not None:
                record_step(log, i, float(old) * h, float(S[i]) * h, float(S[i]) - float(old), S, S)
        if quiet and T == 0.0:
            if order == RANDOM:
                for i in range(N):
                    quiet = quiet and (neuron_field(memory, S, i) >= -memory.tie) == (S[i] > 0)
            if quiet:
                return sweep + 1, FIXED
    return sweeps, OPEN


@entry
def run_parallel(memory, S, before, T, state, steps):
    """Run at most `steps` steps of all neurons at once; return (steps done, status).

    `before` holds the state one step earlier (zeros at the start). Symmetric couplings end in a fixed point
    or in a cycle of two states.
    """
    N = S.shape[0]
    new = np.empty(N, np.bool_)
    for step in range(steps):
        for i in range(N):
            new[i] = neuron_changes(S[i], neuron_field(memory, S, i), memory.tie, T, GLAUBER, state)
        same, back = True, True
        for i in range(N):
            old = S[i]
            if new[i]:
                flip_neuron(memory, S, i)
                same = False
            back = back and S[i] == before[i]
            before[i] = old
        if T == 0.0 and same:
            return step + 1, FIXED
        if T == 0.0 and back:
            return step + 1, CYCLE
    return steps, OPEN
