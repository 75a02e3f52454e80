"""Cost of the first fit of each estimator with an empty cache: CPU seconds and compilations.

The peer is the goal: two seconds, and 0.15 s in the next process, with the code from disk. Imports are not
counted; the time of the second process is subtracted from that of the first.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.timing import Row
from markone.run.precompile import FIRST_FITS

GOAL, GOAL_FROM_DISK = 2.0, 0.15
PROBE = """
import json, sys, time
from numba.core import event
import markone
from markone.run import precompile
getattr(markone, precompile.FIRST_FITS[sys.argv[1]][0])
# Counted by events: code loaded from disk raises none.
with event.install_recorder("numba:compile") as seen:
    began = time.process_time()
    precompile.fit_first_time(sys.argv[1])
    spent = time.process_time() - began
print(json.dumps([spent, sum(found.is_start for _, found in seen.buffer)]))
"""


def compare() -> Iterator[Row]:
    for name in FIRST_FITS:
        with tempfile.TemporaryDirectory() as folder:
            cold, compilations = time_first_fit(name, folder)
            warm, again = time_first_fit(name, folder)
        seconds = max(cold - warm, 1e-9)
        yield Row(
            f"first {name}, CPU", "goal", seconds, GOAL, GOAL / seconds, 1.0, f"{compilations} compilations"
        )
        note = f"{again} compilations"
        yield Row("  the same from disk", "goal", warm, GOAL_FROM_DISK, GOAL_FROM_DISK / warm, 1.0, note)


def time_first_fit(name: str, folder: str) -> tuple[float, int]:
    env = os.environ | {"MARKONE_CACHE_DIR": folder}
    done = subprocess.run([sys.executable, "-c", PROBE, name], env=env, capture_output=True, check=True)
    seconds, compilations = json.loads(done.stdout)
    return seconds, compilations
