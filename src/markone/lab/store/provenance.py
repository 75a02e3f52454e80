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
from markone.lab.store.rows import TASKS, Query
from markone.run.worker_process import source_hash

UNKNOWN = "an unknown CPU"

COUNT = (
    f"SELECT w.{{0}}, sum({TASKS}) FROM attempts AS a JOIN workers AS w ON w.id = a.worker JOIN points AS p "
    "ON p.id = a.point WHERE status = 'done' GROUP BY w.{0} ORDER BY w.{0} = '', min(w.id)"
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
    if not run_git(home, "ls-files", "--error-unmatch", "__init__.py"):
        return ""
    changed = run_git(home, "status", "--porcelain", "--untracked-files=no")
    return run_git(home, "rev-parse", "HEAD").strip() + ("-changed" if changed else "")


def run_git(folder: Path, *words: str) -> str:
    """What git prints in a folder; '' if it fails."""
    command = ["git", *words]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


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
