"""A Hopfield network as in the notes, in plain numpy, with the random numbers of the compiled one."""

import math

import numpy as np

WORD, GOLDEN = 2**64, 0x9E3779B97F4A7C15


class Stream:
    """SplitMix64 from a given state."""

    def __init__(self, state):
        self.state = int(state)

    def bits(self):
        self.state = (self.state + GOLDEN) % WORD
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        return z ^ (z >> 31)

    def below(self, n):
        return ((self.bits() >> 32) * n) >> 32

    def uniform(self):
        return (self.bits() >> 11) * 2.0**-53

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def new_state(h, S, T, rule, stream):
    if T == 0:
        return 1 if h >= -1e-12 else -1
    if rule == "glauber":
        return 1 if stream.uniform() * (1 + math.exp(-2 * h / T)) < 1 else -1
    cost = 2 * S * h
    return -S if cost <= 1e-12 or stream.uniform() < math.exp(-cost / T) else S


def sequential(w, S, sweeps, state, order="shuffled", T=0.0, rule="glauber"):
    """One neuron at a time; (final state, sweeps done)."""
    S, stream, turn = np.array(S, dtype=float), Stream(state), list(range(len(S)))
    for sweep in range(sweeps):
        if order == "shuffled":
            stream.shuffle(turn)
        quiet = True
        for k in range(len(S)):
            i = stream.below(len(S)) if order == "random" else turn[k]
            new = new_state(w[i] @ S, S[i], T, rule, stream)
            quiet = quiet and new == S[i]
            S[i] = new
        if quiet and T == 0 and np.array_equal(np.where(w @ S >= -1e-12, 1, -1), S):
            return S, sweep + 1
    return S, sweeps


def parallel(w, S, steps, state, T=0.0):
    """All at once (1.7); (final state, steps done)."""
    S, before, stream = np.array(S, dtype=float), None, Stream(state)
    for step in range(steps):
        h = w @ S
        new = np.array([new_state(h[i], S[i], T, "glauber", stream) for i in range(len(S))], dtype=float)
        over = T == 0 and (np.array_equal(new, S) or (before is not None and np.array_equal(new, before)))
        before, S = S, new
        if over:
            return S, step + 1
    return S, steps
