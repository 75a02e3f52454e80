"""
Five students, the same examples
================================

All see the same labels. They differ in how far their weakest example is from the boundary.
"""

import matplotlib.pyplot as plt

from markone import Adaline, AdaTron, Hebb, MinOver, Rosenblatt
from markone.data import teacher_examples

xi, S, _ = teacher_examples(60, 40, seed=2)
students = (Hebb, Rosenblatt, Adaline, MinOver, AdaTron)
kappa = {one.__name__: one(fit_intercept=False).fit(xi, S).stability_bounds_[0] for one in students}
fig, ax = plt.subplots(layout="constrained")
ax.barh(list(kappa), list(kappa.values()), color="#0072B2")
ax.axvline(0, color="0.4", lw=0.8)
ax.set(xlabel="stability of the weakest example")

# %%
# The claim: none is more stable than AdaTron.
assert max(kappa, key=kappa.get) == "AdaTron"
