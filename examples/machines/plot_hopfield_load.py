"""
The load of a Hopfield network
==============================

The overlap after a recall that starts at a stored random pattern, and the curve of the theory.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import Hopfield, theory

N = 400
rng = np.random.default_rng(0)
loads, overlap = [0.05, 0.1, 0.2, 0.3], []
for load in loads:
    patterns = rng.choice([-1, 1], (round(load * N), N))
    recall = Hopfield(random_state=0).fit(patterns).recall(patterns[:20])
    overlap.append(np.mean(np.sum(recall.states * patterns[:20], axis=1) / N))
fine = np.linspace(0.01, 0.137, 50)
fig, ax = plt.subplots(layout="constrained")
ax.plot(fine, theory.curve("hopfield.overlap")(fine), color="0.5", label="theory")
ax.plot(loads, overlap, "o", color="#0072B2", label=f"N = {N}")
ax.set(xlabel="patterns per neuron", ylabel="overlap with the pattern", ylim=(0, 1.05))
ax.legend()

# %%
# The claim: below the critical load patterns stay, far above they do not.
assert min(overlap[:2]) > 0.97
assert overlap[-1] < 0.8
