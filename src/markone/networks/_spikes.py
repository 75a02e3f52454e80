"""The leaky integrate-and-fire neuron: V decays to R I, fires at theta and is reset."""

import math

from markone.numerics._random import draw_normal
from markone.numerics.compiling import entry


@entry
def integrate_spikes(level, kicks, dt, tau, threshold, reset, refractory, V, times, path):
    """Spikes for a level R I that is constant in each step, exact to rounding; return their number.

    Between two events V(t) = RI + (V - RI) exp(-t/tau), so that the time of the crossing is a logarithm.
    kicks: jumps of V at the beginning of each step, by spikes of other neurons. Spikes beyond the length of
    `times` are counted, not kept. path[k]: V at the end of step k.
    """
    n, rest = 0, 0.0
    for k in range(level.shape[0]):
        left, RI = dt, level[k]
        pushed = False
        if rest <= 0.0 and kicks[k] != 0.0:
            V += kicks[k]
            pushed = threshold <= V
        while left > 0.0:
            if rest > 0.0:
                wait = min(rest, left)
                rest -= wait
                left -= wait
                continue
            # A current that just reaches the threshold never fires, though V rounds up to it.
            if pushed:
                wait, pushed = 0.0, False
            elif threshold < RI:
                wait = tau * math.log(max((RI - V) / (RI - threshold), 1.0))
            else:
                wait = math.inf
            if wait > left:
                V = RI + (V - RI) * math.exp(-left / tau)
                left = 0.0
            else:
                left -= wait
                if n < times.shape[0]:
                    times[n] = (k + 1) * dt - left
                n += 1
                V, rest = reset, refractory
        path[k] = V
    return n


@entry
def simulate_noisy_spikes(state, level, sigma, steps, dt, tau, threshold, reset, refractory):
    """First and last spike, their number, and the sum of squared intervals, with white noise.

    Without spikes V fluctuates with standard deviation sigma about R I. Each step is exact; the threshold is
    tested between steps, which misses some crossings of order sqrt(dt).
    """
    decay = math.exp(-dt / tau)
    size = sigma * math.sqrt(1.0 - decay * decay)
    V, rest, n, first, last, squares = reset, 0, 0, 0.0, 0.0, 0.0
    pause = round(refractory / dt)
    for k in range(steps):
        if rest > 0:
            rest -= 1
            continue
        V = level + (V - level) * decay + size * draw_normal(state)
        if threshold <= V:
            now = (k + 1) * dt
            if n == 0:
                first = now
            else:
                squares += (now - last) ** 2
            last = now
            n += 1
            V, rest = reset, pause
    return first, last, n, squares
