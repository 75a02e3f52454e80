"""
The plugboard of the Mark I
===========================

Randomly wired threshold units precede a perceptron that learns. With more units more can be learned.
"""

import matplotlib.pyplot as plt
from sklearn.pipeline import make_pipeline

from markone import AssociationLayer, Pocket
from markone.data import random_dichotomy

X, S, _ = random_dichotomy(120, 40, seed=0)
units = [10, 40, 160, 320]
score = []
for n in units:
    machine = make_pipeline(AssociationLayer(n_units=n, random_state=0), Pocket(max_iter=300, random_state=0))
    score.append(machine.fit(X, S).score(X, S))
fig, ax = plt.subplots(layout="constrained")
ax.semilogx(units, score, "o-", color="#0072B2")
ax.set(xlabel="association units", ylabel="fraction of random labels stored", ylim=(0.5, 1.02))

# %%
# The claim: 120 random labels are too many for ten units and not for 320.
assert score[0] < 1
assert score[-1] == 1
