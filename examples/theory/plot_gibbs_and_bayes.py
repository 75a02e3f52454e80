"""
Gibbs and Bayes
===============

Gibbs draws a student at random from version space. Bayes takes the majority of all.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import theory

alpha = np.linspace(0.1, 20, 60)
fig, ax = plt.subplots(layout="constrained")
for name, colour in (("gibbs", "#D55E00"), ("max_stability", "#009E73"), ("bayes", "#0072B2")):
    ax.plot(alpha, theory.curve(name)(alpha), color=colour, label=name)
ax.set(xlabel="examples per weight, alpha", ylabel="generalization error", yscale="log")
ax.legend()

# %%
# The claim: the order of the three never changes.
best, stable, random = (theory.curve(name)(alpha) for name in ("bayes", "max_stability", "gibbs"))
assert np.all(best < stable)
assert np.all(stable < random)
