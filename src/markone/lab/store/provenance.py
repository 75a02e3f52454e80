"""By which code, on which machine: what a result is signed with."""

import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import markone
from markone.lab import own_code


def code() -> dict[str, str]:
    """Versions, commit and machine of this process."""
    return {
        "markone": markone.__version__,
        "commit": commit(),
        "python": platform.python_version(),
        **{name: installed(name) for name in ("numpy", "scipy", "numba")},
        "platform": platform.platform(),
        "machine": platform.node(),
        "own code": ", ".join(map(str, own_code.loaded())),
    }


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
