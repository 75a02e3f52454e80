"""
A map of two parameters
=======================

How far is LMS from the least error it can reach? The map answers for all rates and all numbers of passes.
"""

import tempfile

import matplotlib.pyplot as plt

from markone.lab import Experiment

experiment = Experiment.load("lms").with_(data=["halo"], schedule=["constant", "inverse"], repeats=5)
result = experiment.run(store=f"{tempfile.mkdtemp()}/lms.sqlite", progress=False)
plt.figure(result.plot("map_halo").figure)

# %%
# The claim: a constant rate stays away from the least error, however long it learns. A falling one does not.
excess = result.summary().set_index(["schedule", "eta", "iterations"])["excess"]
assert excess["constant", 10.0, 300] > 0.5 * excess["constant", 10.0, 1]
assert excess["inverse", 10.0, 300] < 0.01 * excess["constant", 10.0, 300]
