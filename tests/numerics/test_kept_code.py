"""Cached code is loaded without initialising the compiler; compiling works after that as well."""

import os
import subprocess
import sys

PROCESS = """
import sys
import numpy as np
from markone.numerics._rows import squared_norms

# It makes an array of its own: memory must be there without the compiler.
assert squared_norms(np.full((2, 3), 2.0)).tolist() == [12.0, 12.0]
print("numba.cpython.printimpl" in sys.modules)
assert squared_norms(np.full((2, 3), 2.0, np.float32)).tolist() == [12.0, 12.0]
print("numba.cpython.printimpl" in sys.modules)
"""


def run(folder):
    env = os.environ | {"MARKONE_CACHE_DIR": str(folder)}
    command = [sys.executable, "-c", PROCESS]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.split()


def test_the_compiler_is_made_ready_only_where_it_compiles(tmp_path):
    assert run(tmp_path) == ["True", "True"]
    assert run(tmp_path) == ["False", "False"]
    # The second kind of rows is gone: it is compiled after the first was loaded.
    written = sorted(tmp_path.rglob("*squared_norms*.2.nbc"))
    assert len(written) == 1
    written[0].unlink()
    assert run(tmp_path) == ["False", "True"]
