"""A copy of the package in which the recipes of CONTRIBUTING.md are followed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import markone

PACKAGE = Path(markone.__file__).parent


class Copy:
    """`package` is the copied src/markone, which is imported by commands run here."""

    def __init__(self, folder):
        self.folder, self.package = folder, folder / "src" / "markone"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        assert not path.exists(), f"{path} exists already: a recipe adds new files"
        path.write_text(text)

    def insert(self, name, line, *, after):
        """Insert a line after the first that contains `after`."""
        path = self.folder / name
        lines = path.read_text().splitlines(keepends=True)
        place = next(number for number, one in enumerate(lines) if after in one)
        path.write_text("".join([*lines[: place + 1], line + "\n", *lines[place + 1 :]]))

    def run(self, *command):
        env = os.environ | {
            "PYTHONPATH": str(self.folder / "src"),
            "MARKONE_CACHE_DIR": str(self.folder / "cache"),
        }
        done = subprocess.run(
            [sys.executable, *command], cwd=self.folder, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
