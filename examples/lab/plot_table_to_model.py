"""
From a table to a model, in one command
=======================================

``markone fit`` cross-validates, fits and saves; here it is called from Python.
"""

import contextlib
import io
import json
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

from markone.cli.main import run_command_line

model, output = Path(tempfile.mkdtemp()) / "iris.skops", io.StringIO()
with contextlib.redirect_stdout(output):
    assert (
        run_command_line(["fit", "iris", "--model", "glvq", "--cv", "3", "--save", str(model), "--json"]) == 0
    )
scores = json.loads(output.getvalue())["scores"]
names = list(scores)
fig, ax = plt.subplots(layout="constrained")
ax.barh(names, [scores[name]["mean"] for name in names], color="#0072B2")
ax.set(xlim=(0, 1), xlabel="on left-out rows")

# %%
# The claim: a model was saved, and it is much better than predicting the most frequent class.
assert model.exists()
assert scores["accuracy"]["mean"] > 0.85
