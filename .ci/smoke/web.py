"""The laboratory serves its page."""

import subprocess
import sys
import time
import urllib.request
from pathlib import Path

lab = subprocess.Popen(
    [str(Path(sys.executable).with_name("markone")), "lab", "--port", "8973"], stdout=subprocess.DEVNULL
)
try:
    for _ in range(60):
        try:
            page = urllib.request.urlopen("http://127.0.0.1:8973/", timeout=5).read()
            break
        except OSError:
            time.sleep(1)
    assert b"markone" in page
finally:
    lab.terminate()
    lab.wait()
