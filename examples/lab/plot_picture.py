"""
A picture drawn by a scenario
=============================

A scenario can draw its result. Here: the line of a linear unit, also where no line separates.
"""

import tempfile

import matplotlib.pyplot as plt

from markone.lab import Experiment

experiment = Experiment.load("lms").with_(schedule=["constant"], eta=[3.0], iterations=[300], repeats=5)
result = experiment.run(store=f"{tempfile.mkdtemp()}/lms.sqlite", progress=False)
plt.figure(result.plot("decision").figure)

# %%
# The claim: where a line separates the classes it makes hardly an error; elsewhere it makes many.
errors = result.summary().set_index("data")["errors"]
assert errors["halo"] < 0.01
assert min(errors["arcs"], errors["rings"]) > 0.1
