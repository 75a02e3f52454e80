"""The sequential dynamics of `_dynamics` with a log: the same draws, the same states."""

from markone.hopfield._dynamics import FIXED, OPEN, RANDOM, SHUFFLED, changes
from markone.hopfield._fields import field, flip
from markone.numerics._random import below, shuffle
from markone.numerics._recording import note
from markone.numerics.compiling import entry


@entry
def sequential_recorded(log, memory, S, T, rule, order, turn, state, sweeps):
    """As `sequential`; a row of the log holds the neuron, S_i h_i before and after, the change of S_i, S."""
    N = S.shape[0]
    for sweep in range(sweeps):
        if order == SHUFFLED:
            shuffle(state, turn)
        quiet = True
        for k in range(N):
            i = below(state, N) if order == RANDOM else turn[k]
            h, old = field(memory, S, i), S[i]
            if changes(old, h, memory.tie, T, rule, state):
                flip(memory, S, i)
                quiet = False
            note(log, i, float(old) * h, float(S[i]) * h, float(S[i]) - float(old), S, S)
        if quiet and T == 0.0:
            if order == RANDOM:
                for i in range(N):
                    quiet = quiet and (field(memory, S, i) >= -memory.tie) == (S[i] > 0)
            if quiet:
                return sweep + 1, FIXED
    return sweeps, OPEN
