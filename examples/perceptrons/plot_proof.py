"""
Separable or not, with a proof
==============================

Unscaled data: the decision is a proof, not a tolerance.
"""

import matplotlib.pyplot as plt

from markone import separability
from markone.perceptron import verify

X = [[2000.0], [2001.0], [2002.0], [2003.0]]
labels = {"0 0 1 1": [0, 0, 1, 1], "0 1 0 1": [0, 1, 0, 1]}
answers = {name: separability(X, y, fit_intercept=True) for name, y in labels.items()}
fig, ax = plt.subplots(figsize=(6, 2.4), layout="constrained")
for row, (name, answer) in enumerate(answers.items()):
    ax.scatter([x[0] for x in X], [row] * 4, c=labels[name], cmap="cividis", s=90)
    ax.text(2003.3, row, "separable" if answer.separable else "not separable", va="center")
ax.set(yticks=[0, 1], yticklabels=list(labels), xlim=(1999.5, 2004.6), ylim=(-0.6, 1.6), xlabel="year")

# %%
# The claim: one is separable and one is not, and fractions alone confirm both proofs.
assert [answer.separable for answer in answers.values()] == [True, False]
assert all(verify(X, labels[name], answer) for name, answer in answers.items())
