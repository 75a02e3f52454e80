"""Firing rate of the integrate-and-fire neuron with constant current and noise (section 1.1).

Threshold 1, reset 0, resistance 1: a current above 1 makes it fire; below, only noise does. Times in ms.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import Field, model_validator

from markone.lab.scenario import Picture, Scenario, Settings
from markone.lab.scenarios.networks import _neuron
from markone.networks.activations import mcculloch_pitts, symmetric
from markone.networks.neuron import IntegrateAndFire, firing_rate
from markone.numerics.arrays import Floats

MAX_STEPS = 100_000_000
BLUE, RED = "#0072B2", "#D55E00"


class Parameters(Settings):
    """sigma: standard deviation of V without spikes; dt: time step of a noisy V."""

    current: float = Field(ge=0)
    sigma: float = Field(0.0, ge=0)
    tau: float = Field(20.0, gt=0)
    refractory: float = Field(2.0, ge=0)
    dt: float = Field(0.02, gt=0)
    duration: float = Field(20_000.0, gt=0)

    @property
    def steps(self) -> int:
        return round(self.duration / self.dt)

    @property
    def neuron(self) -> IntegrateAndFire:
        return IntegrateAndFire(tau=self.tau, refractory=self.refractory)

    @model_validator(mode="after")
    def _check_steps(self) -> "Parameters":
        if not 1 <= self.steps <= MAX_STEPS:
            raise ValueError(
                f"duration/dt = {self.duration / self.dt:g} steps: choose between 1 and {MAX_STEPS} of them."
            )
        pauses = self.refractory / self.dt
        if self.sigma > 0 and abs(pauses - round(pauses)) > 1e-6 * max(pauses, 1):
            raise ValueError(
                f"refractory = {self.refractory:g} is no multiple of dt = {self.dt:g}: with noise the neuron "
                "rests for a whole number of steps."
            )
        return self


def run(p: Parameters, seed: int, start: int, stop: int) -> Floats:
    out = np.empty((stop - start, 3))
    _neuron.spike_statistics(seed, start, p.current, p.sigma, p.dt, p.steps, p.tau, p.refractory, out)
    out[:, 0] *= 1000.0
    return out


def cost(p: Parameters) -> float:
    """About 30 multiplications per step; without noise a spike is one logarithm."""
    return 30.0 * p.steps if p.sigma > 0 else 1e5


def _draw_spikes(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 1.2, right: membrane potential for a varying current, its spikes, and their rate."""
    neuron = Parameters.model_validate(points[0].parameters).neuron
    dt, n, window = 0.1, 10_000, 50.0
    t = dt * np.arange(1, n + 1)
    current = 1.6 + 0.8 * np.sin(2 * np.pi * t / 500.0)
    # The effect of many weak synapses, excitatory and inhibitory: a jump up or down every half millisecond.
    kicks = np.random.default_rng(seed).choice([-0.02, 0.0, 0.02], n, p=[0.1, 0.8, 0.1])
    spikes = neuron.run(current, dt, kicks)
    top, middle, bottom = figure.subplots(3, 1, sharex=True, height_ratios=[2, 0.7, 2])
    top.plot(t, spikes.potential, color=BLUE, linewidth=0.7)
    top.axhline(neuron.threshold, color="0.35", linewidth=0.7, linestyle="--")
    top.set(ylabel="potential V", ylim=(-0.15, 1.15))
    middle.eventplot([spikes.times], colors="black", linewidths=0.8)
    middle.set(ylabel="spikes", yticks=[])
    centres, rates = firing_rate(spikes.times, n * dt, window)
    bottom.bar(centres, 1000 * rates, 0.9 * window, color="0.8", label=f"in windows of {window:g} ms")
    bottom.plot(t, 1000 * neuron.rate(current), color=RED, label="closed form, without noise")
    bottom.set(xlabel="time (ms)", ylabel="rate (1/s)", xlim=(0, n * dt))
    bottom.set_ylim(0, 1.75 * 1000 * float(rates.max()))
    bottom.legend(loc="upper right", ncols=2)


def _draw_activations(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 1.3: tanh with three gains, and the limit of infinite gain."""
    x, theta = np.linspace(-2, 3, 1001), 0.5
    left, right = figure.subplots(1, 2, sharey=True)
    for gain, dashes in ((1, "-"), (3, "--"), (10, ":")):
        left.plot(x, symmetric(x, gain, theta), color=BLUE, linestyle=dashes, label=f"gain {gain}")
    right.plot(x, mcculloch_pitts(x, theta), color=RED)
    left.set(title="sigmoidal (1.3)", ylabel="activity g(x)", ylim=(-1.15, 1.15))
    right.set(title="McCulloch-Pitts (1.5)")
    left.legend(loc="upper left")
    for axes in (left, right):
        axes.axvline(theta, color="0.6", linewidth=0.7)
        axes.set(xlabel="local potential x")
        axes.annotate("threshold", (theta, -0.6), xytext=(6, 0), textcoords="offset points", fontsize="small")


SCENARIO = Scenario(
    name="neuron",
    version=1,
    parameters=Parameters,
    measures={
        "rate": "spikes per second",
        "variation": "standard deviation of the intervals between spikes, divided by their mean",
        "spikes": "number of spikes",
    },
    cost=cost,
    run=run,
    theories={
        "rate": Parameters.theory_of(
            "closed form; with noise Siegert's",
            "rate",
            lambda p: 1000.0 * p.neuron.noisy_rate(p.current, p.sigma, p.dt),
        ),
        "without_noise": Parameters.theory_of(
            "closed form, without noise", "rate", lambda p: 1000.0 * p.neuron.rate(p.current), "guide"
        ),
    },
    pictures={
        "spikes": Picture("From a spike train to a firing rate", _draw_spikes, (6.4, 4.0)),
        "activations": Picture("Activation functions", _draw_activations, (6.4, 2.6)),
    },
)
