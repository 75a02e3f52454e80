"""Provenance of results: versions, source hash, commit and machine."""

import hashlib
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import markone
from markone.base.registry import LAYERS
from markone.lab import own_code

# The packages that compute: all up to `evaluation`.
COMPUTING = [package for floor in LAYERS[1:7] for package in floor]


def code_provenance() -> dict[str, str]:
    """Versions, commit and machine of this process."""
    return {
        "markone": markone.__version__,
        "commit": _git_commit(),
        "source": _source_hash(),
        "python": platform.python_version(),
        **{name: _installed_version(name) for name in ("numpy", "scipy", "numba")},
        "platform": platform.platform(),
        "machine": platform.node(),
        "own code": ", ".join(map(str, own_code.loaded_code_states())),
    }


@cache
def code_identity() -> str:
    """Identity of the computing code, stored with each row: "0.2.0 3f9a01c2b17e"."""
    return f"{markone.__version__} {_source_hash()}"


@cache
def _source_hash() -> str:
    """Hash (12 hex digits) of all files that a result can depend on."""
    home = Path(markone.__file__).parent
    computing = (
        home / "lab" / "scenarios",
        home / "lab" / "scenario.py",
        home / "lab" / "runner" / "worker.py",
    )
    paths = [home / package for package in COMPUTING] + list(computing)
    files = [file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path])]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(
            f"{file.relative_to(home).as_posix()} {file.stat().st_size} ".encode() + file.read_bytes()
        )
    return digest.hexdigest()[:12]


def _installed_version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _git_commit() -> str:
    """Commit of the checkout this package runs from, marked if files differ from it; '' if installed.

    The package must be a file of the repository: a virtual environment often lies inside another one.
    """
    home = Path(markone.__file__).parent
    if not _run_git(home, "ls-files", "--error-unmatch", "__init__.py"):
        return ""
    changed = _run_git(home, "status", "--porcelain", "--untracked-files=no")
    return _run_git(home, "rev-parse", "HEAD") + ("-changed" if changed else "")


def _run_git(home: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=home, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def utc_timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
