"""Blocks of integrate-and-fire neurons with constant current, with and without noise."""

import math

import numpy as np

from markone.networks._spikes import integrate_spikes, simulate_noisy_spikes
from markone.numerics._random import DATA, seed_stream
from markone.numerics.compiling import entry


@entry
def spike_statistics(seed, start, level, sigma, dt, steps, tau, refractory, out):
    """Fill rate, coefficient of variation of the intervals, number of spikes; threshold 1, reset 0."""
    state = np.empty(1, np.uint64)
    for k in range(out.shape[0]):
        if sigma == 0.0:
            times, path = np.empty(1_000_000), np.empty(1)
            one, zero = np.full(1, level), np.zeros(1)
            n = integrate_spikes(one, zero, dt * steps, tau, 1.0, 0.0, refractory, 0.0, times, path)
            n = min(n, times.shape[0])
            first, last, squares = 0.0, 0.0, 0.0
            if n > 0:
                first, last = times[0], times[n - 1]
            for i in range(1, n):
                squares += (times[i] - times[i - 1]) ** 2
        else:
            seed_stream(state, seed, steps, 1, start + k, DATA)
            first, last, n, squares = simulate_noisy_spikes(
                state, level, sigma, steps, dt, tau, 1.0, 0.0, refractory
            )
        # From the first spike to the last: only complete intervals count.
        mean = (last - first) / (n - 1) if n > 1 else math.nan
        out[k, 0] = 1.0 / mean if n > 1 else n / (dt * steps)
        out[k, 1] = math.sqrt(max(squares / (n - 1) / mean**2 - 1.0, 0.0)) if n > 2 else math.nan
        out[k, 2] = n
