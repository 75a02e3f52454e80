"""The experiment of the drills: small, of a shipped scenario, run by the command line as people do."""

import hashlib
import os
import random
import subprocess
import sys
import time
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


def done(folder: Path, *words: str, seconds: float = 400) -> subprocess.CompletedProcess[str]:
    return finished(folder, command(folder, *words), seconds)


def finished(folder: Path, words: list[str], seconds: float = 400) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=seconds, env=os.environ, check=False
    )


def killed(folder: Path, words: list[str], after: float) -> None:
    """kill -9 after so many seconds, whatever it is doing."""
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(after)
    process.kill()
    process.wait()


class Moments:
    """Random moments of a command, by the time that it took undisturbed: also on a slow machine they fall all
    over its work."""

    def __init__(self, seed: int, folder: Path, words: list[str]) -> None:
        began = time.monotonic()
        self.whole = finished(folder, words)
        self.seconds, self.random = time.monotonic() - began, random.Random(seed)

    def next(self) -> float:
        return self.random.uniform(0.1, 1.0) * self.seconds


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


def leftovers(folder: Path) -> list[Path]:
    """Parts of files that were never finished."""
    return [*folder.rglob(".*part-*"), *folder.rglob(".repair-*")]
