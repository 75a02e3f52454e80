"""
The same bits on a Dask cluster
===============================

A sweep runs on threads, on processes or on Dask. In a shell, ``--backend dask --scheduler tcp://HOST:8786``
uses an existing cluster. Here it is a small one on this machine.
"""

import tempfile

import matplotlib.pyplot as plt
import numpy as np
from distributed import LocalCluster

from markone.lab import Experiment

folder = tempfile.mkdtemp()
experiment = Experiment.load("demo_capacity").with_(N=[10], alpha=[1.5, 2.0, 2.5], repeats=100)
here = experiment.run(workers=1, store=f"{folder}/here.sqlite", progress=False)
with LocalCluster(
    2, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=None
) as cluster:
    where = {"backend": "dask", "scheduler": cluster.scheduler_address}
    there = experiment.run(**where, store=f"{folder}/there.sqlite", progress=False)
fig, ax = plt.subplots(layout="constrained")
for result, style in ((here, "one thread"), (there, "two workers of Dask")):
    mean = result.summary()
    marker = {"marker": "o", "ms": 14, "mfc": "none"} if result is here else {"marker": "x", "ms": 8}
    ax.plot(mean["alpha"], mean["separable"], ls="", label=style, **marker)
ax.set(xlabel="labels per weight", ylabel="fraction that can be learned")
ax.legend()

# %%
# The claim: every single run is the same, bit for bit.
assert np.array_equal(here.frame()["separable"], there.frame()["separable"])
