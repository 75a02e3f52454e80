"""By which code, on which machine: what a result is signed with."""

import hashlib
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import markone
from markone.base.registry import FLOORS
from markone.lab import own_code

# The rooms that compute: all up to `evaluation`.
COMPUTING = [room for floor in FLOORS[1:7] for room in floor]


def code() -> dict[str, str]:
    """Versions, commit and machine of this process."""
    return {
        "markone": markone.__version__,
        "commit": commit(),
        "source": source(),
        "python": platform.python_version(),
        **{name: installed(name) for name in ("numpy", "scipy", "numba")},
        "platform": platform.platform(),
        "machine": platform.node(),
        "own code": ", ".join(map(str, own_code.loaded())),
    }


@cache
def identity() -> str:
    """Of the code that computes, as each row has it: "0.2.0 3f9a01c2b17e"."""
    return f"{markone.__version__} {source()}"


@cache
def source() -> str:
    """Twelve hex digits that change with any file that a result can depend on: two processes that have the
    same compute the same."""
    home = Path(markone.__file__).parent
    computing = (
        home / "lab" / "scenarios",
        home / "lab" / "scenario.py",
        home / "lab" / "runner" / "worker.py",
    )
    rooms = [home / room for room in COMPUTING] + list(computing)
    files = [file for room in rooms for file in (room.rglob("*.py") if room.is_dir() else [room])]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(
            f"{file.relative_to(home).as_posix()} {file.stat().st_size} ".encode() + file.read_bytes()
        )
    return digest.hexdigest()[:12]


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def commit() -> str:
    """Of the checkout this package runs from, marked when files differ from it; '' for an installed one.

    The package must be one of the files of the repository: a virtual environment often lies in somebody
    else's.
    """
    home = Path(markone.__file__).parent
    if not git(home, "ls-files", "--error-unmatch", "__init__.py"):
        return ""
    changed = git(home, "status", "--porcelain", "--untracked-files=no")
    return git(home, "rev-parse", "HEAD") + ("-changed" if changed else "")


def git(home: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=home, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
