"""What the very first fit costs: CPU seconds and compilations of each estimator with an empty cache.

The peer is the goal, two seconds. Import and the fit itself are not counted: the same fit in a second
process, with the code from disk, is subtracted.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.timing import Row

GOAL = 2.0
CALLS = {
    "Rosenblatt": "markone.Rosenblatt().fit(X, y)",
    "Pocket": "markone.Pocket(max_iter=20, random_state=0).fit(X, flipped)",
    "MinOver": "markone.MinOver().fit(X, y)",
    "AdaTron": "markone.AdaTron().fit(X, y)",
    "AdaTron C=1": "markone.AdaTron(C=1.0).fit(X, flipped)",
    "KernelAdaTron": "markone.KernelAdaTron(C=1.0).fit(X, flipped)",
    "separability": "markone.separability(X, y)",
    "BayesPoint": "markone.BayesPoint(random_state=0).fit(X, y)",
    "CommitteeMachine": "markone.CommitteeMachine(random_state=0).fit(X, y)",
    "ParityMachine": "markone.ParityMachine(random_state=0).fit(X, y)",
    "Hopfield": "markone.Hopfield().fit(np.sign(X))",
    "LVQ1": "markone.LVQ1(random_state=0).fit(X, y)",
}
PROBE = """
import json, sys, time, warnings
import numpy as np
import markone
from numba.core import event
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X = rng.normal(size=(60, 20))
y = (X @ rng.normal(size=20) > 0).astype(int)
flipped = np.where(rng.random(60) < 0.1, 1 - y, y)
name = sys.argv[1].split("(")[0].split(".")[1]
getattr(markone, name)
# By events: what was loaded from disk raises none.
with event.install_recorder("numba:compile") as seen:
    began = time.process_time()
    eval(sys.argv[1])
    spent = time.process_time() - began
print(json.dumps([spent, sum(e.is_start for _, e in seen.buffer)]))
"""


def compare() -> Iterator[Row]:
    for name, call in CALLS.items():
        with tempfile.TemporaryDirectory() as folder:
            cold, compilations = first_fit(call, folder)
            warm, again = first_fit(call, folder)
        seconds = max(cold - warm, 1e-9)
        note = f"{compilations} compilations; {again} in the next process, which takes {warm:.2f} s"
        yield Row(f"first {name}, CPU", "goal", seconds, GOAL, GOAL / seconds, 1.0, note)


def first_fit(call: str, folder: str) -> tuple[float, int]:
    env = os.environ | {"MARKONE_CACHE_DIR": folder}
    done = subprocess.run([sys.executable, "-c", PROBE, call], env=env, capture_output=True, check=True)
    seconds, compilations = json.loads(done.stdout)
    return seconds, compilations
