"""
An experiment in miniature
==========================

A declaration, a run, an export: what ``markone run`` does, from Python.
"""

import csv
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

from markone.cli.main import call

folder = Path(tempfile.mkdtemp())
(folder / "small.toml").write_text("""
name = "small"
title = "How many labels can ten weights store?"
scenario = "storage"
seed = 1
repeats = 50
grid = { N = [10], alpha = [1.0, 2.0, 3.0] }
fixed = { sweeps = 50, exact = true }
""")
here = ["--store", str(folder / "small.sqlite")]
assert call(["run", str(folder / "small.toml"), "--workers", "1", "--quiet", *here]) == 0
assert call(["export", str(folder / "small.toml"), str(folder / "small.csv"), *here]) == 0
rows = list(csv.DictReader((folder / "small.csv").read_text().splitlines()))
means = [sum(float(r["separable"]) for r in rows if r["alpha"] == a) / 50 for a in ("1.0", "2.0", "3.0")]
fig, ax = plt.subplots(layout="constrained")
ax.plot([1, 2, 3], means, "o-", color="#0072B2")
ax.set(xlabel="alpha", ylabel="separable fraction")

# %%
# The claim: as Cover counts, all sets up to P = N, and few at three times that.
assert means[0] == 1
assert means[2] < 0.3
