"""The command line: list, run, report, fit and predict."""

import subprocess
import sys
from pathlib import Path

MARKONE = str(Path(sys.executable).with_name("markone"))


def markone(*words):
    return subprocess.run([MARKONE, *words], check=True, capture_output=True, text=True).stdout


assert markone("--version").startswith("markone ")
assert "demo_capacity" in markone("list")
few = ["demo_capacity", "--set", "N=5,10", "--set", "alpha=1.0,2.0,3.0", "--set", "repeats=50"]
markone("run", *few)
markone("report", *few)
assert list(Path("runs").glob("*/report.html"))
markone("fit", "iris", "--model", "hebb", "--cv", "3", "--save", "iris.skops")
assert "setosa" in markone("predict", "iris.skops", "iris")
