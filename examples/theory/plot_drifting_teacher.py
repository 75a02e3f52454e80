"""
A drifting teacher
==================

The teacher turns a little after each example. What error is left in the end?
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import theory

drift = np.logspace(-3, 0, 40)
left = theory.curve("online.drift.stationary_error")(drift)
fig, ax = plt.subplots(layout="constrained")
ax.loglog(drift, left, color="#0072B2")
ax.set(xlabel="drift of the teacher", ylabel="error that remains")

# %%
# The claim: the faster the drift, the larger the remaining error, which stays below 1/2.
assert np.all(np.diff(left) > 0)
assert left[-1] < 0.5
