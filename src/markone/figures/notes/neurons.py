"""Figs. 1.2 and 1.3: the action potential and firing rates; activation functions."""

from typing import Any

import numpy as np

from markone.figures.diagrams import (
    ACCENT,
    INK,
    blank_axes,
    draw_arrow,
    draw_box,
    numbered_figure,
    shows,
    write_label,
)
from markone.networks import IntegrateAndFire, firing_rate, mcculloch_pitts, symmetric


@shows(
    "action potential", "t [ms]", "V [mV]", "myelin sheath, with gaps between", "spikes and their mean rate",
    "window 100 ms",
)  # fmt: skip
@numbered_figure("1.2", "Action potential, saltatory conduction, firing rates from spikes", (1.0, 0.5))
def draw_spikes(figure: Any) -> None:
    left, right = figure.subfigures(1, 2)
    top, bottom = left.subplots(2, 1, height_ratios=(3, 2))
    draw_action_potential(top)
    draw_myelin_sheath(blank_axes(bottom, 10, 2.2))
    draw_firing_rates(right.subplots(2, 1, sharex=True, height_ratios=(1, 2)))


def draw_action_potential(ax: Any) -> None:
    t = np.linspace(0, 5, 400)
    v = -70 + 105 * np.exp(-(((t - 1.5) / 0.32) ** 2)) - 13 * np.exp(-(((t - 2.6) / 0.6) ** 2))
    ax.plot(t, v, color=ACCENT)
    ax.axhline(-70, color=INK, lw=0.6, ls=":")
    ax.set(xlabel="t [ms]", ylabel="V [mV]", title="action potential")


def draw_myelin_sheath(ax: Any) -> None:
    ax.plot([0.3, 9.7], [1.1, 1.1], color=INK, lw=2)
    for x in (0.8, 3.1, 5.4, 7.7):
        draw_box(ax, x, 0.75, 1.6, 0.7)
    for x in (2.75, 5.05, 7.35):
        draw_arrow(ax, (x - 1.9, 1.55), (x, 1.3), ACCENT, bend=-0.4)
    write_label(ax, (5, 0.3), "myelin sheath, with gaps between", fontsize="small")


def draw_firing_rates(axes: Any) -> None:
    """Draw spikes and rates of a neuron with a noisy input that is stronger in the middle third."""
    time = np.arange(0, 900.0, 0.5)
    strong = np.where((time > 300) & (time < 600), 1.9, 1.15)
    current = strong + 1.6 * np.random.default_rng(1).standard_normal(len(time))
    spikes = IntegrateAndFire(refractory=2.0).run(current, 0.5)
    axes[0].eventplot(spikes.times, color=INK, linewidths=0.8)
    axes[0].set(yticks=[], title="spikes and their mean rate")
    for window, colour in ((30.0, "0.65"), (100.0, ACCENT)):
        centres, rate = firing_rate(spikes.times, spikes.duration, window)
        axes[1].step(centres, 1000 * rate, where="mid", color=colour, label=f"window {window:.0f} ms")
    axes[1].set(xlabel="t [ms]", ylabel="rate [1/s]")
    axes[1].legend(loc="upper right")


@shows("$\\gamma$ = 1", "$\\theta$", "$\\gamma \\to \\infty$", "activity")
@numbered_figure("1.3", "Activation functions: sigmoidal, and the McCulloch-Pitts limit", (0.9, 0.4))
def draw_activations(figure: Any) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    x, theta = np.linspace(-3, 5, 401), 1.0
    for gain, style in ((1.0, "-"), (3.0, "--")):
        left.plot(x, symmetric(x, gain, theta), style, color=ACCENT, label=f"$\\gamma$ = {gain:g}")
    for part in (x < theta, x >= theta):
        right.plot(x[part], mcculloch_pitts(x[part], theta), color=ACCENT)
    right.plot(theta, 1, "o", color=ACCENT, ms=4)
    for ax, title in ((left, "$g(x) = \\tanh(\\gamma(x - \\theta))$"), (right, "$\\gamma \\to \\infty$")):
        ax.axhline(0, color=INK, lw=0.5)
        ax.axvline(theta, color=INK, lw=0.5, ls=":")
        ax.set(xlabel="local potential x", title=title, yticks=[-1, 0, 1])
        ax.set_xticks([theta], ["$\\theta$"])
    left.set_ylabel("activity")
    left.legend(loc="upper left")
