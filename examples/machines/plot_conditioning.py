"""
Pavlov's dog with three neurons
===============================

Food and bell together: by Hebb's law the synapse of the bell grows until the bell alone is enough.
"""

import matplotlib.pyplot as plt

from markone.networks import conditioning

learned = conditioning(8)
fig, ax = plt.subplots(layout="constrained")
ax.step(range(len(learned.w)), learned.w, where="mid", color="#0072B2")
ax.axhline(0.5, ls=":", color="0.5")
ax.set(xlabel="pairings with food", ylabel="synapse of the bell")

# %%
# The claim: at first the neuron does not respond to the bell alone, in the end it does.
assert not learned.answers[0]
assert learned.answers[-1]
