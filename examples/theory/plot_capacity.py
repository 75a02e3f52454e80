"""
How many random labels can a perceptron store?
==============================================

Draw P inputs at random, label them at random, and test whether a perceptron can learn them. Cover
counted the cases in 1965: one half of all labellings at exactly P = 2N, for every N.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import separability, theory
from markone.data import random_dichotomy

N, sets = 20, 200
P = np.arange(20, 71, 5)
rng = np.random.default_rng(1)


def can_be_learned(p):
    xi, S, _ = random_dichotomy(p, N, rng)
    return separability(xi, S).separable


fraction = np.array([np.mean([can_be_learned(p) for _ in range(sets)]) for p in P])
error = np.sqrt(np.maximum(fraction * (1 - fraction), 0.25 / sets) / sets)

cover = theory.curve("separable_fraction")
grid = np.arange(15, 76)
fig, ax = plt.subplots(layout="constrained")
ax.plot(grid / N, cover(grid, N=N), drawstyle="steps-mid", color="0.5", label="Cover's count")
ax.errorbar(P / N, fraction, error, fmt="o", color="#0072B2", label=f"{sets} data sets each")
ax.axvline(2, ls=":", color="0.5")
ax.set(xlabel="examples per weight, P/N", ylabel="fraction that can be learned", title=f"N = {N}")
ax.legend()

# %%
# The claim: no point is more than four standard errors from Cover's count.
assert np.all(np.abs(fraction - cover(P, N=N)) <= 4 * error)
