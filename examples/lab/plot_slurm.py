"""
Shards of a sweep, as SLURM runs them
=====================================

``markone slurm`` writes the script of an array job: each of its tasks runs one shard of the grid. Here three
are run by hand, and joined.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from markone.cli.main import run_command_line
from markone.lab import Experiment, Result

folder = Path(tempfile.mkdtemp())
experiment = Experiment.load("demo_capacity").with_(N=[10], repeats=60, name="small")
toml, store = folder / "small.toml", folder / "all.sqlite"
toml.write_text(experiment.toml())
for k in (1, 2, 3):
    assert run_command_line(["run", str(toml), "--shard", f"{k}/3", "--store", str(store), "--quiet"]) == 0
assert run_command_line(["merge", str(toml), "--store", str(store)]) == 0
fig, ax = plt.subplots(layout="constrained")
for part, marker in zip(sorted(folder.glob("all-shard-*.sqlite")), "os^", strict=True):
    seen = Result.open(part).summary().dropna()
    ax.plot(seen["alpha"], seen["separable"], marker, label=part.stem.replace("-", " ")[4:])
ax.set(xlabel="labels per weight", ylabel="fraction that can be learned")
ax.legend()

# %%
# The claim: three merged shards equal the run of one machine, bit for bit.
whole = experiment.run(store=folder / "whole.sqlite", progress=False).frame()
assert np.array_equal(whole["separable"], Result.open(store).frame()["separable"])
