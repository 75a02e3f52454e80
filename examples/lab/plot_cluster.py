"""
The script for a cluster
========================

``markone slurm`` writes the job: one task a shard, safe to submit again.
``markone run NAME --backend dask --scheduler tcp://HOST:8786`` uses a Dask cluster instead.
"""

import contextlib
import io

import matplotlib.pyplot as plt

from markone.cli.main import call

text = io.StringIO()
with contextlib.redirect_stdout(text):
    assert call(["slurm", "capacity_large", "--shards", "64"]) == 0
fig, ax = plt.subplots(figsize=(8, 4.2), layout="constrained")
ax.text(0, 1, text.getvalue(), family="monospace", size=7, va="top")
ax.axis("off")

# %%
# The claim: 64 tasks, each with its own share of the grid.
assert "--array=1-64" in text.getvalue()
assert "/64" in text.getvalue()
