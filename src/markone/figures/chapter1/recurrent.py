"""Fig. 1.4: a recurrent network of five neurons, and the retrieval of a stored pattern."""

from typing import Any

import numpy as np

from markone.figures.diagrams import ACCENT, blank_axes, draw_arrow, draw_node
from markone.hopfield import Hopfield
from markone.show import RecallDisplay, recall_history

NUMBER, TITLE, SIZE = "1.4", "Recurrent networks: five neurons; retrieval of a pattern", (1.0, 0.42)
SHOWS = (
    "$S_5$",
    "N = 5, uni-directional synapses",
    "start",
    "m = 1.00",
)
LETTERS = {
    "A": "..###.. .#...#. #.....# #.....# ####### #.....# #.....#",
    "T": "####### #..#..# ...#... ...#... ...#... ...#... ..###..",
    "X": "#.....# .#...#. ..#.#.. ...#... ..#.#.. .#...#. #.....#",
}
WIRES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 0), (1, 4), (3, 1)]


def draw(figure: Any) -> None:
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
    RecallDisplay(steps["cells"][shown], steps["energy"][shown], steps["overlap"][shown], (7, 7)).plot(
        figure=right
    )
