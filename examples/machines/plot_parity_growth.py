"""
A growing parity machine
========================

Each new unit corrects errors of the previous ones. Growth ends when every label is right.
"""

from itertools import product

import matplotlib.pyplot as plt
import numpy as np

from markone.machines import ParityMachine

X = np.array(list(product([-1.0, 1.0], repeat=4)))
y = X.prod(axis=1)
machine = ParityMachine(random_state=0).fit(X, y)
errors = machine.growth_["errors"]
fig, ax = plt.subplots(layout="constrained")
ax.plot(range(1, len(errors) + 1), errors, "o-", color="#0072B2")
ax.set(xlabel="units", ylabel="labels still wrong, of 16")

# %%
# The claim: the parity of four bits, learned exactly.
assert machine.score(X, y) == 1
assert errors[-1] == 0
