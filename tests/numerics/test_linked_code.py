"""Functions that only compiled code calls work in their callers, from disk, and from Python by a twin."""

import os
import subprocess
import sys

from markone.numerics.compiling import proof_part

CALLER = """
import numpy as np
from numba.core import event
from markone.perceptron.separable._bounds import weight_sums
from markone.perceptron.separable._roundings import sum_error_bound

E, error = np.zeros(2), np.zeros(2)
with event.install_recorder("numba:compile") as seen:
    S = np.array([1.0, -1.0])
    weight_sums(np.ones((2, 3)), S, 2.0, S, np.ones(3), np.empty(0), E, error)
assert error[0] == sum_error_bound(3.0, 3, 3.0)
print(E.tolist(), len(seen.buffer) > 0)
"""


@proof_part
def halved(x):
    return x / 2


def test_who_calls_it_from_python_gets_an_answer():
    assert halved(3.0) == 1.5
    assert halved(4) == 2.0


def test_it_is_part_of_its_caller_compiled_or_from_disk(tmp_path):
    env = os.environ | {"MARKONE_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run([sys.executable, "-c", CALLER], env=env, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [done.stdout for done in said] == ["[3.0, -3.0] True\n", "[3.0, -3.0] False\n"]
