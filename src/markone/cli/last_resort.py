"""What is left when no sentence was foreseen: it is our fault, and here is what we need to mend it."""

import platform
import shlex
import tempfile
import traceback
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

# EX_SOFTWARE of sysexits.h.
EXIT_CODE = 70
PACKAGES = ("markone", "numpy", "scipy", "scikit-learn", "numba", "pydantic", "typer")


def sentence(error: Exception, arguments: list[str]) -> str:
    """Writes the trace and says where it is."""
    reason = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    told = f"This is a fault of markone, not yours ({reason}). What was stored is safe."
    try:
        return (
            f"{told} Please report it with the file {written(error, arguments)}; see SECURITY.md for where."
        )
    except OSError:
        return f"{told} Set MARKONE_TRACEBACK=1 to see where, and please report it."


def written(error: Exception, arguments: list[str]) -> str:
    """A file of its own that nobody else can read: the trace may name files and data."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="markone-trace-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
    ) as file:
        file.write(f"{datetime.now(UTC).isoformat(timespec='seconds')}  markone {shlex.join(arguments)}\n")
        file.write(f"Python {platform.python_version()} on {platform.platform()}\n")
        file.write("".join(f"{name} {installed(name)}\n" for name in PACKAGES))
        file.writelines(traceback.format_exception(error))
    return file.name


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
