"""Report of an unexpected exception: a message and a file with the traceback."""

import platform
import shlex
import tempfile
import traceback
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

# EX_SOFTWARE of sysexits.h.
EXIT_CODE = 70
PACKAGES = ("markone", "numpy", "scipy", "scikit-learn", "numba", "pydantic", "typer")


def crash_message(error: Exception, arguments: list[str]) -> str:
    """Write the traceback to a file and return a message that names it."""
    reason = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    message = f"This is a bug in markone ({reason}). Stored results are safe."
    try:
        path = _write_traceback(error, arguments)
        return f"{message} Please report it with the file {path}; see SECURITY.md for the address."
    except OSError:
        return f"{message} Set MARKONE_TRACEBACK=1 to see the traceback, and please report it."


def _write_traceback(error: Exception, arguments: list[str]) -> str:
    """Write the traceback to a file only the user can read: it may contain file names and data."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="markone-trace-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
    ) as file:
        file.write(f"{datetime.now(UTC).isoformat(timespec='seconds')}  markone {shlex.join(arguments)}\n")
        file.write(f"Python {platform.python_version()} on {platform.platform()}\n")
        file.write("".join(f"{name} {_version_or_missing(name)}\n" for name in PACKAGES))
        file.writelines(traceback.format_exception(error))
    return file.name


def _version_or_missing(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
