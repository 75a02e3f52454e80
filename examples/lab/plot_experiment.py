"""
An experiment with theory
=========================

``markone run`` and ``markone report`` from Python: load a declaration, make it small, run it, draw it.
"""

import tempfile

import matplotlib.pyplot as plt

from markone.lab import Experiment

experiment = Experiment.load("capacity").with_(N=[5, 20], alpha=[1.0, 1.5, 2.0, 2.5, 3.0], repeats=200)
result = experiment.run(store=f"{tempfile.mkdtemp()}/small.sqlite", progress=False)
fig, ax = plt.subplots(layout="constrained")
result.plot("capacity", ax=ax)

# %%
# The claim: as Cover counts, all sets up to P = N can be learned, half of them at 2 N, few at 3 N.
means = result.summary().set_index(["N", "alpha"])["separable"]
assert means[20, 1.0] == 1
assert abs(means[20, 2.0] - 0.5) < 0.15
assert means[20, 3.0] < 0.1
