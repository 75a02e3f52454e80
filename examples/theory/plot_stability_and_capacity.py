"""
Capacity and stability
======================

Gardner's curve: the larger the required stability, the fewer labels can be stored.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import theory

kappa = np.linspace(0, 2, 41)
alpha_c = theory.curve("alpha_c")(kappa)
fig, ax = plt.subplots(layout="constrained")
ax.plot(kappa, alpha_c, color="#0072B2")
ax.set(xlabel="required stability, kappa", ylabel="labels per weight, alpha_c", ylim=(0, 2.2))

# %%
# The claim: without a margin the capacity is 2, and every margin costs some of it.
assert np.isclose(alpha_c[0], 2)
assert np.all(np.diff(alpha_c) < 0)
