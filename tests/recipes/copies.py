"""A copy of the package in which the recipes of CONTRIBUTING.md are followed."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import markone
from markone.numerics.compiling import CACHE

PACKAGE = Path(markone.__file__).parent
ROOT = PACKAGE.parents[1]


def _copy_if_there(source, target):
    """Copy a file of a cache, which another process may just have replaced."""
    with suppress(FileNotFoundError):
        shutil.copy2(source, target)


class Copy:
    """`package` is the copied src/markone, which is imported by commands run here."""

    def __init__(self, folder):
        self.folder, self.package = folder, folder / "src" / "markone"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        # Times of files are copied, too: the type checker reads again only what a recipe changes.
        if (ROOT / ".mypy_cache").is_dir():
            shutil.copytree(ROOT / ".mypy_cache", folder / ".mypy_cache", copy_function=_copy_if_there)
        # Compiled code is found by the content of the sources: what is compiled already is loaded here, too.
        if CACHE is not None:
            shutil.copytree(CACHE, folder / "cache" / CACHE.name, copy_function=_copy_if_there)

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

    def replace(self, name, old, new):
        """Replace a text that occurs once."""
        text = (self.folder / name).read_text()
        assert text.count(old) == 1
        (self.folder / name).write_text(text.replace(old, new))

    def add_tests(self, *names):
        """Copy tests of the repository that a recipe runs, too."""
        for name in names:
            target = self.folder / "tests" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / "tests" / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / "tests" / name, target, ignore=ignored, dirs_exist_ok=True)
            else:
                shutil.copy(ROOT / "tests" / name, target)

    def check_style(self, *files):
        """Run ruff and mypy on the files that a recipe adds."""
        self.run("-m", "ruff", "check", "--no-cache", *files)
        self.run("-m", "ruff", "format", "--no-cache", "--check", *files)
        self.run("-m", "mypy", *files)

    def passed(self, *arguments):
        """Run tests of the copy; return how many passed."""
        plugins = ["-p", "no:cacheprovider", "-p", "no:randomly", "-n", "0"]
        output = self.run("-m", "pytest", "-q", *plugins, *arguments)
        return int(output.split(" passed")[0].split()[-1])

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
