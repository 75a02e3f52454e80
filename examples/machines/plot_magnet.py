"""
A magnet is a memory of one pattern
===================================

All spins coupled, with thermal noise: the magnetisation solves m = tanh(m/T).
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

from markone.hopfield import Hopfield, ferromagnet

N, T = 500, [0.3, 0.5, 0.7]
m = []
for t in T:
    magnet = Hopfield(couplings=ferromagnet(N), temperature=t, max_iter=40, random_state=0).fit()
    m.append(magnet.trajectory(np.ones(N, dtype=int)).states[20:].mean())
exact = [brentq(lambda m, t=t: m - np.tanh(m / t), 0.1, 1) for t in T]
fig, ax = plt.subplots(layout="constrained")
ax.plot(T, exact, "-", color="0.5", label="m = tanh(m/T)")
ax.plot(T, m, "o", color="#0072B2", label=f"N = {N}")
ax.set(xlabel="temperature", ylabel="magnetisation")
ax.legend()

# %%
# The claim: simulation and mean field agree within 0.03.
np.testing.assert_allclose(m, exact, atol=0.03)
