"""Provenance of results: versions, source hash, commit and machine."""

import json
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import markone
from markone.lab import foreign_code
from markone.lab.store.rows import Query
from markone.run.worker_process import source_hash

UNKNOWN = "an unknown CPU"

COUNT = (
    "SELECT w.{0}, count(*) FROM attempts AS a JOIN workers AS w ON w.id = a.worker WHERE status = 'done' "
    "GROUP BY w.{0} ORDER BY w.{0} = '', min(w.id)"
)


def code_provenance() -> dict[str, str]:
    """Versions, commit and machine of this process."""
    return {
        "markone": markone.__version__,
        "commit": _git_commit(),
        "source": source_hash(),
        "python": platform.python_version(),
        **{name: _installed_version(name) for name in ("numpy", "scipy", "numba")},
        "platform": platform.platform(),
        "machine": platform.node(),
        "own code": ", ".join(map(str, foreign_code.loaded_code_states())),
    }


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


def count_cpu_kinds(rows: Query) -> list[dict[str, Any]]:
    """Kinds of CPU with their numbers of finished tasks; empty if none was recorded."""
    found = rows(COUNT.format("cpu"))
    if not any(kind for kind, _ in found):
        return []
    return [{**json.loads(kind or json.dumps({"compiled for": UNKNOWN})), "tasks": n} for kind, n in found]


def count_code_states(rows: Query) -> list[dict[str, Any]]:
    """States of markone's code with their numbers of finished tasks; "" where not recorded."""
    return [{"code": code, "tasks": n} for code, n in rows(COUNT.format("code"))]
