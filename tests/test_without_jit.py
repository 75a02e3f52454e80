"""Every estimator runs as Python with NUMBA_DISABLE_JIT=1, for debugging and coverage."""

import os
import subprocess
import sys

SCRIPT = """
import warnings
import numpy as np
from markone.base import registry

warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=(12, 3))
for name, cls in registry.public_estimators().items():
    if name == "Rejecting":
        continue
    model = cls()
    if "max_iter" in model.get_params():
        model.set_params(max_iter=5)
    model.fit(np.sign(X)) if name == "Hopfield" else model.fit(X, (X[:, 0] > 0).astype(int))
print("done")
"""


def test_every_estimator_runs_without_the_compiler():
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr
