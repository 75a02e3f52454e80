"""The experiment of the drills: small, of a shipped scenario, run by the command line as people do."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

NAME = "drill"
TEXT = """
name = "drill"
title = "A study to be broken"
scenario = "storage"
seed = 7
repeats = 32
[grid]
N = [400, 500]
alpha = [1.0, 1.5, 2.0]
[fixed]
exact = false
"""


def command(folder: Path, *words: str) -> list[str]:
    (folder / "drill.toml").write_text(TEXT)
    return [sys.executable, "-m", "markone", words[0], "drill.toml", *words[1:]]


def done(folder: Path, *words: str, seconds: float = 240) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(folder, *words), cwd=folder, capture_output=True, text=True, timeout=seconds, env=os.environ
    )


def store(folder: Path) -> Path:
    return folder / "runs" / NAME / "results.sqlite"


def values(folder: Path) -> str | None:
    """A hash of the exported table; None if the store refuses to give one."""
    target = folder / "values.csv"
    target.unlink(missing_ok=True)
    found = done(folder, "export", "values.csv")
    if "Traceback" in found.stderr:
        raise AssertionError(found.stderr)
    return hashlib.sha256(target.read_bytes()).hexdigest() if found.returncode == 0 else None
