"""
An integrate-and-fire neuron
============================

Below a threshold current it does not fire, above it the rate grows.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone.networks import IntegrateAndFire

neuron = IntegrateAndFire(tau=20.0, refractory=2.0)
current = np.linspace(0.5, 4, 15)
counted = [len(neuron.run(np.full(1000, c), dt=1.0).times) for c in current]
exact = [1000 * neuron.rate(c) for c in current]
fig, ax = plt.subplots(layout="constrained")
ax.plot(current, exact, color="0.5", label="formula")
ax.plot(current, counted, "o", color="#0072B2", label="spikes counted")
ax.set(xlabel="current", ylabel="spikes per second")
ax.legend()

# %%
# The claim: one second of spikes agrees with the formula to one spike.
assert np.max(np.abs(np.array(counted) - exact)) <= 1
