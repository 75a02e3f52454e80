"""Figs. 1.1 and 1.4: neurons and the synaptic cleft; a recurrent network."""

from typing import Any

import numpy as np

from markone.figures.diagrams import (
    ACCENT,
    INK,
    SOFT,
    blank_axes,
    draw_arrow,
    draw_node,
    numbered_figure,
    shows,
    write_label,
)
from markone.hopfield import Hopfield
from markone.show import RecallDisplay, recall_history

LETTERS = {
    "A": "..###.. .#...#. #.....# #.....# ####### #.....# #.....#",
    "T": "####### #..#..# ...#... ...#... ...#... ...#... ..###..",
    "X": "#.....# .#...#. ..#.#.. ...#... ..#.#.. .#...#. #.....#",
}
WIRES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 0), (1, 4), (3, 1)]


@shows(
    "pre-synaptic", "post-synaptic", "soma", "dendrites", "axon", "branches", "vesicles", "transmitters",
    "receptors",
)  # fmt: skip
@numbered_figure("1.1", "Neurons, their connections and the synaptic cleft (diagram)", (1.0, 0.42))
def draw_neuron_pair(figure: Any) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    draw_neurons(blank_axes(left, 10, 5.6))
    draw_synaptic_cleft(blank_axes(right, 6, 5.6))


def draw_neurons(ax: Any) -> None:
    for x, name in ((2.2, "pre-synaptic"), (7.4, "post-synaptic")):
        for angle in np.deg2rad([110, 145, 180, 215, 250]):
            tip = np.array([x + 1.25 * np.cos(angle), 2.9 + 1.25 * np.sin(angle)])
            ax.plot([x, tip[0]], [2.9, tip[1]], color=INK, lw=1.6)
            for turn in (-0.4, 0.4):
                end = tip + 0.45 * np.array([np.cos(angle + turn), np.sin(angle + turn)])
                ax.plot([tip[0], end[0]], [tip[1], end[1]], color=INK, lw=0.9)
        draw_node(ax, x, 2.9, 0.5, fill="0.88")
        write_label(ax, (x, 4.75), name)
    ax.plot([2.7, 5.3], [2.9, 2.9], color=ACCENT, lw=2.2)
    for height in (2.2, 2.9, 3.6):
        draw_arrow(ax, (5.3, 2.9), (6.15, height), ACCENT)
    draw_arrow(ax, (7.9, 2.9), (9.8, 2.9), ACCENT)
    words = {"soma": (2.2, 2.9), "axon": (4.0, 2.55), "dendrites": (0.75, 0.95), "branches": (5.1, 4.0)}
    for word, place in words.items():
        write_label(ax, place, word, color=SOFT, fontsize="small")


def draw_synaptic_cleft(ax: Any) -> None:
    ax.fill([1, 5, 5, 1], [3.3, 3.3, 5.2, 5.2], color="0.9", ec=INK)
    ax.fill([1, 5, 5, 1], [0.4, 0.4, 1.9, 1.9], color="0.9", ec=INK)
    for x in (1.7, 2.6, 3.5, 4.4):
        draw_node(ax, x, 4.1, 0.24, fill="white")
        ax.plot([x - 0.2, x - 0.2, x + 0.2, x + 0.2], [2.1, 1.9, 1.9, 2.1], color=INK, lw=1.6)
        ax.plot([x - 0.1, x + 0.1, x], [2.9, 2.75, 2.5], ".", color=ACCENT, ms=4)
    write_label(ax, (3, 4.85), "vesicles", color=SOFT, fontsize="small")
    write_label(ax, (3, 1.1), "receptors", color=SOFT, fontsize="small")
    write_label(ax, (5.15, 2.6), "transmitters", color=ACCENT, fontsize="small", ha="left")
    ax.set_xlim(0.5, 7.4)


@shows("$S_5$", "N = 5, uni-directional synapses", "start", "m = 1.00")
@numbered_figure("1.4", "Recurrent networks: five neurons; retrieval of a pattern", (1.0, 0.42))
def draw_recurrent_network(figure: Any) -> None:
    left, right = figure.subfigures(1, 2, width_ratios=(2, 3))
    ax = blank_axes(left.subplots(), 4, 4)
    places = [(2 + 1.4 * np.sin(a), 2 + 1.4 * np.cos(a)) for a in 2 * np.pi * np.arange(5) / 5]
    for k, place in enumerate(places):
        draw_node(ax, *place, 0.3, f"$S_{k + 1}$")
    for i, j in WIRES:
        draw_arrow(ax, places[i], places[j], ACCENT, bend=0.15, gap=13)
    ax.set_title("N = 5, uni-directional synapses")
    patterns = np.array([[1 if c == "#" else -1 for c in text if c != " "] for text in LETTERS.values()])
    memory = Hopfield(couplings="pseudo_inverse", random_state=0).fit(patterns)
    noisy = patterns[0] * np.where(np.random.default_rng(4).random(49) < 0.22, -1, 1)
    steps = recall_history(memory, noisy, record="updates").states
    shown = np.linspace(0, len(steps["cells"]) - 1, 4).astype(int)
    cells, energy, overlap = (steps[name][shown] for name in ("cells", "energy", "overlap"))
    RecallDisplay(cells, energy, overlap, (7, 7)).plot(figure=right)
