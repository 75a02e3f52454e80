"""Fig. 2.1: Hubble's galaxies and the line through them."""

from typing import Any

import numpy as np

from markone.data import hubble
from markone.figures.diagrams import ACCENT, INK

NUMBER, TITLE, SIZE = "2.1", "Hubble's diagram: velocity against distance of 24 galaxies", (0.7, 0.7)
SHOWS = (
    "distance d [Mpc]",
    "velocity v [km/s]",
    "24 galaxies",
)


def draw(figure: Any) -> None:
    ax = figure.subplots()
    d, v, _ = hubble()
    H = float(d @ v / (d @ d))
    ax.plot(d, v, "o", color=ACCENT, ms=4.5, label=f"{len(d)} galaxies")
    line = np.array([0, 2.1])
    ax.plot(line, H * line, color=INK, label=f"$v = H_0 d$, $H_0$ = {H:.0f} km/s/Mpc")
    ax.axhline(0, color=INK, lw=0.5)
    ax.set(xlabel="distance d [Mpc]", ylabel="velocity v [km/s]")
    ax.legend(loc="upper left")
