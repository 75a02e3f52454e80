"""Schedules of the learning rate over time t, in epochs."""

import math

from markone.numerics.compiling import part

CONSTANT, INVERSE, EXPONENTIAL = 0, 1, 2


@part
def scheduled_rate(schedule, eta, tau, t):
    """Learning rate at time t: eta, eta / (1 + t/tau), or eta exp(-t/tau)."""
    if schedule == INVERSE:
        return eta / (1.0 + t / tau)
    if schedule == EXPONENTIAL:
        return eta * math.exp(-t / tau)
    return eta
