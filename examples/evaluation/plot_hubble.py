"""
A line through galaxies
=======================

Hubble's table of 1929. A linear unit fits it and estimates its uncertainty.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import LinearUnit
from markone.data import hubble

distance, velocity, _ = hubble()
line = LinearUnit(fit_intercept=False).fit(distance[:, None], velocity)
x = np.linspace(0, 2.1, 30)
mean, spread = line.predict(x[:, None], return_std=True)
fig, ax = plt.subplots(layout="constrained")
ax.plot(distance, velocity, "o", color="#0072B2")
ax.plot(x, mean, color="0.3")
ax.fill_between(x, mean - spread, mean + spread, color="0.85", zorder=0)
ax.set(xlabel="distance (Mpc)", ylabel="velocity (km/s)")

# %%
# The claim: 424 km/s per Mpc, the slope of least squares through the origin.
assert round(line.coef_[0]) == 424
assert np.isclose(line.coef_[0], distance @ velocity / (distance @ distance))
