"""
How fast does a student learn a rule?
=====================================

A teacher labels random inputs; students learn from P = alpha N of them and are tested on new ones.
The lines are exact for N to infinity, the points are students at N = 100.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import AdaTron, Hebb, theory
from markone.data import teacher_examples

N, repeats = 100, 10
alphas = np.array([0.5, 1.0, 2.0, 4.0, 6.0])
students = {"hebb": (Hebb, "o", "#0072B2"), "max_stability": (AdaTron, "s", "#D55E00")}
rng = np.random.default_rng(2)

fig, ax = plt.subplots(layout="constrained")
line = np.linspace(0.05, 6.5, 100)
misses = []
for name, (Student, mark, colour) in students.items():
    curve = theory.curve(name)
    errors = np.empty((len(alphas), repeats))
    for i, alpha in enumerate(alphas):
        for k in range(repeats):
            xi, S, teacher = teacher_examples(round(alpha * N), N, seed=rng)
            w = Student(fit_intercept=False).fit(xi, S).coef_[0]
            errors[i, k] = np.arccos(w @ teacher / np.sqrt(w @ w * N)) / np.pi
    mean, sem = errors.mean(1), errors.std(1, ddof=1) / np.sqrt(repeats)
    ax.plot(line, curve(line), color=colour)
    ax.errorbar(alphas, mean, sem, fmt=mark, color=colour, label=f"{Student.__name__}, N = {N}")
    misses.append(np.abs(mean - curve(alphas)) / sem)
ax.set(xlabel="examples per weight, alpha = P/N", ylabel="generalization error", ylim=(0, 0.5))
ax.legend()

# %%
# The claim: within five standard errors everywhere, although N is 100 and not infinite.
assert np.max(misses) < 5
