"""
A picture that an experiment draws itself
=========================================

A scenario may draw what it has learned. Here: the line of a linear unit, also where no line separates.
"""

import tempfile

import matplotlib.pyplot as plt

from markone.lab import Experiment

asked = Experiment.load("lms").with_(schedule=["constant"], eta=[3.0], iterations=[300], repeats=5)
result = asked.run(store=f"{tempfile.mkdtemp()}/lms.sqlite", progress=False)
plt.figure(result.plot("decision").figure)

# %%
# The claim: where a line separates the classes it makes hardly a mistake; elsewhere it must make many.
errors = result.summary().set_index("data")["errors"]
assert errors["halo"] < 0.01
assert min(errors["arcs"], errors["rings"]) > 0.1
