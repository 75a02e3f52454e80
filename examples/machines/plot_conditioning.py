"""
Pavlov's dog with three neurons
===============================

Food and bell together, again and again: Hebb's law lets the bell grow until it is enough alone.
"""

import matplotlib.pyplot as plt

from markone.networks import conditioning

learned = conditioning(8)
fig, ax = plt.subplots(layout="constrained")
ax.step(range(len(learned.w)), learned.w, where="mid", color="#0072B2")
ax.axhline(0.5, ls=":", color="0.5")
ax.set(xlabel="pairings with food", ylabel="synapse of the bell")

# %%
# The claim: the bell alone does nothing at first, and is enough in the end.
assert not learned.answers[0]
assert learned.answers[-1]
