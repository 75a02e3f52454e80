"""The laboratory serves its page to the printed link."""

import subprocess
import sys
import time
import urllib.request
from pathlib import Path

lab = subprocess.Popen(
    [str(Path(sys.executable).with_name("markone")), "lab", "--port", "8973"],
    stdout=subprocess.PIPE,
    text=True,
)
visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
try:
    link = lab.stdout.readline().split()[4]
    for _ in range(60):
        try:
            visitor.open(link, timeout=5).read()
            page = visitor.open("http://127.0.0.1:8973/", timeout=5).read()
            break
        except OSError:
            time.sleep(1)
    assert b"markone" in page
finally:
    lab.terminate()
    lab.wait()
