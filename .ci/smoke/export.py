"""The laboratory as a page without a server."""

import subprocess
import sys
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    markone = str(Path(sys.executable).with_name("markone"))
    subprocess.run([markone, "lab", "--export", folder, "--screen", "plane"], check=True)
    assert "AGFzbQ" in (Path(folder) / "lab.js").read_text(encoding="utf-8")  # a WebAssembly module
