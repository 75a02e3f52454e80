"""The experiment of the drills: small, of a shipped scenario, run on the command line. Short tasks, which are
stored together, and long ones."""

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
title = "A small experiment"
scenario = "storage"
seed = 7
repeats = 32
[grid]
N = [8, 10, 12, 14, 16, 20, 400, 500]
alpha = [1.0, 1.5, 2.0]
[fixed]
exact = false
"""


def drill_command(folder: Path, *words: str) -> list[str]:
    (folder / "drill.toml").write_text(TEXT)
    return [sys.executable, "-m", "markone", words[0], "drill.toml", *words[1:]]


def run_drill(folder: Path, *words: str, seconds: float = 400) -> subprocess.CompletedProcess[str]:
    return run_command(folder, drill_command(folder, *words), seconds)


def run_command(folder: Path, words: list[str], seconds: float = 400) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=seconds, env=os.environ, check=False
    )


def kill_command(folder: Path, words: list[str], after: float) -> None:
    """Start a command and kill it (-9) after `after` seconds."""
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(after)
    process.kill()
    process.wait()


class RandomTimes:
    """Random times within the duration of a command, measured first: spread over its work on any machine."""

    def __init__(self, seed: int, folder: Path, words: list[str]) -> None:
        began = time.monotonic()
        self.whole = run_command(folder, words)
        self.seconds, self.random = time.monotonic() - began, random.Random(seed)

    def next_time(self) -> float:
        return self.random.uniform(0.1, 1.0) * self.seconds


def drill_store(folder: Path) -> Path:
    return folder / "runs" / NAME / "results.sqlite"


def hash_values(folder: Path) -> str | None:
    """Return a hash of the exported table; None if the export fails."""
    target = folder / "values.csv"
    target.unlink(missing_ok=True)
    found = run_drill(folder, "export", "values.csv")
    if "Traceback" in found.stderr:
        raise AssertionError(found.stderr)
    return hashlib.sha256(target.read_bytes()).hexdigest() if found.returncode == 0 else None


def list_leftovers(folder: Path) -> list[Path]:
    """Return unfinished temporary files."""
    return [*folder.rglob(".*part-*"), *folder.rglob(".repair-*")]
