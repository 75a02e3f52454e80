"""Cost of a new process: the import, and the first fit with compiled code from disk."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.timing import Row, measure_seconds

FIRST_FIT = "from markone.perceptron import Rosenblatt; Rosenblatt().fit([[1., 2.], [-2., 1.]], [0, 1])"


def compare() -> Iterator[Row]:
    def run(code: str, folder: str) -> float:
        env = os.environ | {"MARKONE_CACHE_DIR": folder}
        return measure_seconds(lambda: subprocess.run([sys.executable, "-c", code], env=env, check=True))

    with tempfile.TemporaryDirectory() as folder:
        cold = run(FIRST_FIT, folder)
        warm = sorted(run(FIRST_FIT, folder) for _ in range(5))[2]
        imported = sorted(run("from markone.perceptron import *", folder) for _ in range(5))[2]
        peer = sorted(run("import sklearn.svm, sklearn.linear_model", folder) for _ in range(5))[2]
    note = f"scikit-learn alone: {peer:.2f} s"
    yield Row("import of all students in a new process", "1.5 s", imported, 1.5, 1.5 / imported, 1, note)
    yield Row("first fit: compiled code from disk", "compiling", warm, cold, cold / warm, 1)
