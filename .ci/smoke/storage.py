"""Rows kept in a folder, by a path of fsspec."""

import subprocess
import sys
from pathlib import Path

MARKONE = str(Path(sys.executable).with_name("markone"))
PLACE = Path("shared").absolute().as_uri()

few = ["demo_capacity", "--set", "N=5", "--set", "alpha=1.0,2.0", "--set", "repeats=50", "--storage", PLACE]
subprocess.run([MARKONE, "run", *few], check=True)
assert list(Path("shared").rglob("*.sqlite"))
subprocess.run([MARKONE, "verify", *few], check=True)
