"""The sequential dynamics of `_dynamics` with a log: the same draws, the same states."""

from markone.hopfield._dynamics import FIXED, OPEN, RANDOM, SHUFFLED, neuron_changes
from markone.hopfield._fields import flip_neuron, neuron_field
from markone.numerics._random import draw_below, shuffle_items
from markone.numerics._recording import record_step
from markone.numerics.compiling import entry


@entry
def run_sequential_recorded(log, memory, S, T, rule, order, turn, state, sweeps):
    """As `sequential`; a row of the log holds the neuron, S_i h_i before and after, the change of S_i, S."""
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
            record_step(log, i, float(old) * h, float(S[i]) * h, float(S[i]) - float(old), S, S)
        if quiet and T == 0.0:
            if order == RANDOM:
                for i in range(N):
                    quiet = quiet and (neuron_field(memory, S, i) >= -memory.tie) == (S[i] > 0)
            if quiet:
                return sweep + 1, FIXED
    return sweeps, OPEN
