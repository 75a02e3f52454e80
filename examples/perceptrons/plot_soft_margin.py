"""
A margin that tolerates errors
==============================

With C finite, AdaTron trades stability for errors. Small C: many clipped support vectors.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

from markone import AdaTron

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
Cs = [0.001, 0.01, 0.1, 1.0]
students = [AdaTron(C=C).fit(X, y) for C in Cs]
count = [len(one.support_) for one in students]
fig, ax = plt.subplots(layout="constrained")
ax.semilogx(Cs, count, "o-", color="#0072B2")
ax.set(xlabel="C", ylabel="support vectors of 569 examples")

# %%
# The claim: each is proved to be the optimum to 1e-9, and a larger C needs fewer support vectors.
assert all(one.gap_ < 1e-9 for one in students)
assert count == sorted(count, reverse=True)
