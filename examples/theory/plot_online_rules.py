"""
On-line learning rules
======================

On-line learning in theory: the optimal rule adapts its step to its uncertainty.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import theory

alpha = np.linspace(0.2, 20, 60)
rules = ("hebb", "rosenblatt", "adatron", "optimal")
errors = {rule: theory.curve(f"online.{rule}")(alpha) for rule in rules}
fig, ax = plt.subplots(layout="constrained")
for rule, error in errors.items():
    ax.plot(alpha, error, label=rule)
ax.set(xlabel="examples seen per weight, alpha", ylabel="generalization error", yscale="log")
ax.legend()

# %%
# The claim: no rule is ever below the optimal one.
assert all(np.all(errors["optimal"] <= errors[rule] + 1e-9) for rule in rules)
