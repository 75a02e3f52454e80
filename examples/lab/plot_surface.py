"""
A surface, as in the LMS report
===============================

The mean square error of a linear unit over the learning rate and the number of passes, seen from the side.
"""

import tempfile

import matplotlib.pyplot as plt

from markone.lab import Experiment

experiment = Experiment.load("lms").with_(
    data=["dense"], schedule=["constant"], eta=[0.1, 0.3, 1.0, 3.0, 10.0]
)
result = experiment.run(store=f"{tempfile.mkdtemp()}/lms.sqlite", progress=False)
plt.figure(result.plot("surface_dense").figure)

# %%
# The claim: a small rate is slower, and ends lower.
mse = result.summary().set_index(["eta", "iterations"])["mse"]
assert mse[0.1, 10] > mse[3.0, 1]
assert mse[0.1, 300] < mse[3.0, 300]
