"""Fig. 6 of the storage report: Cover's fraction for several N over alpha, all 1/2 at alpha = 2."""

from typing import Any

import numpy as np

from markone import theory

NUMBER, TITLE, SIZE = "storage-6", "Fraction of separable labelings (Cover), N = 5, 20, 100", (0.65, 0.7)
SHOWN = ((5, "#0072B2", "-"), (20, "#D55E00", "--"), (100, "#009E73", "-."))


def draw(figure: Any) -> None:
    ax = figure.subplots()
    separable = theory.curve("separable_fraction")
    for N, colour, style in SHOWN:
        P = np.arange(N // 2, 4 * N + 1)
        ax.plot(P / N, np.asarray(separable(P, N=N)), color=colour, ls=style, label=f"N = {N}")
    ax.axvline(2, color="0.6", lw=0.6, ls=":")
    ax.axhline(0.5, color="0.6", lw=0.6, ls=":")
    ax.set(xlabel="$\\alpha = P/N$", ylabel="separable fraction $P_{ls}$", xlim=(0.5, 4))
    ax.legend()
