"""
The volume of version space
===========================

The fraction of the sphere of students left after each example, by sampling.
"""

from itertools import pairwise

import matplotlib.pyplot as plt

from markone import VersionSpace
from markone.data import teacher_examples

N = 20
volumes = []
xi, S, _ = teacher_examples(60, N, seed=0)
P = [10, 20, 40, 60]
for p in P:
    volumes.append(VersionSpace(xi[:p], S[:p]).log_volume(seed=p))
fig, ax = plt.subplots(layout="constrained")
ax.errorbar(P, [v.log for v in volumes], [v.error for v in volumes], fmt="o-", color="#0072B2")
ax.set(xlabel="examples", ylabel="ln of the fraction that is left", title=f"N = {N}")

# %%
# The claim: each step of the picture is a significant loss, by more than three standard errors.
steps = pairwise(volumes)
assert all(b.log < a.log - 3 * (a.error**2 + b.error**2) ** 0.5 for a, b in steps)
