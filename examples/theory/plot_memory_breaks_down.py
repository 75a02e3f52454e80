"""
The capacity of a Hopfield network
==================================

A Hopfield network recalls nearly perfectly up to a critical load.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import theory

load = np.linspace(0.01, 0.2, 77)
m = theory.curve("hopfield.overlap")(load)
fig, ax = plt.subplots(layout="constrained")
ax.plot(load, m, ".-", color="#0072B2")
ax.set(xlabel="patterns per neuron, P/N", ylabel="overlap with the stored pattern")

# %%
# The claim: at 0.13 patterns per neuron nearly all bits are right, at 0.15 the pattern is not recalled.
below, above = theory.curve("hopfield.overlap")([0.13, 0.15])
assert below > 0.97
assert not above > 0.5
