"""Entry point: turn exceptions into messages and exit codes."""

import errno
import os
import signal
import sys
from types import FrameType

from markone.cli import crash_report
from markone.errors import MarkoneError, Stopped
from markone.numerics import cpu
from markone.numerics.text import escape_controls

STOPPED = "Interrupted. Stored results are safe: run the same command to continue."
AT_ONCE = "Stopped immediately. Stored results are safe: run the same command to continue."
# Exit codes of click's exceptions, by name: click is imported with the commands, not before.
CLICK = {"ClickException": 2, "Abort": 130}

# Extras that install a missing module, where it is not `lab`.
EXTRAS = {"distributed": "dask", "dask": "dask", "mpi4py": "mpi", "pyarrow": "parquet"}
EXTRAS |= {"xarray": "netcdf", "h5netcdf": "netcdf"} | dict.fromkeys(
    ("starlette", "uvicorn", "websockets"), "web"
)

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def main() -> None:
    # Parallelism comes from the workers. BLAS reads these when numpy is imported, hence before the commands.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    arguments = sys.argv[1:]
    # Read by numpy and numba as well. `slurm` only writes the option into its script.
    if arguments[:1] in (["run"], ["unbundle"]) and "--portable" in arguments:
        os.environ[cpu.PORTABLE_VARIABLE] = "1"
    _install_signal_handlers()
    code = run_command_line(arguments)
    # Everything is printed and saved: a late second Ctrl-C during shutdown must not change the exit code.
    for name in SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    sys.exit(code)


def _install_signal_handlers() -> None:
    """Install signal handlers: the first Ctrl-C, SIGTERM or SIGHUP stops cleanly, the second immediately."""
    received = []

    def stop(number: int, frame: FrameType | None) -> None:
        received.append(number)
        if len(received) > 1:
            os.write(2, f"{AT_ONCE}\n".encode())
            os._exit(128 + number)
        raise KeyboardInterrupt if number == signal.SIGINT else Stopped(number)

    for name in SIGNALS:
        # Ignored signals stay ignored: `nohup` and background jobs rely on it.
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) != signal.SIG_IGN:
            signal.signal(getattr(signal, name), stop)


def run_command_line(arguments: list[str]) -> int:
    """Run one command and return its exit code: 0 fine, 1 tasks failed, 2 usage, 3 store, 130 interrupted
    (129 and 143 by SIGHUP and SIGTERM), 70 a bug in markone."""
    try:
        cpu.apply_portable_settings()
        from markone.cli.commands import app

        code = app(arguments, prog_name="markone", standalone_mode=False) or 0
        return _print_error(STOPPED, code) if code == 130 else code
    except KeyboardInterrupt as stop:
        return _print_error(STOPPED, 128 + getattr(stop, "signal", signal.SIGINT))
    except Exception as error:
        # Known exceptions get a message and a code; all others are bugs.
        if os.environ.get("MARKONE_TRACEBACK"):
            raise
        code = _exit_code(error)
        if code is None:
            return _print_error(crash_report.crash_message(error, arguments), crash_report.EXIT_CODE)
        if not hasattr(error, "show"):
            return _print_error(_error_message(error), code)
        error.show()  # a usage error of the command line
        return code


def _exit_code(error: Exception) -> int | None:
    """Return the exit code of a known exception; None for an unexpected one."""
    if isinstance(error, MarkoneError):
        return error.exit_code
    for kind in type(error).__mro__:
        if kind.__name__ in CLICK:
            return CLICK[kind.__name__]
    external = isinstance(error, ImportError) and not (error.name or "").startswith("markone")
    if external or isinstance(error, (ValueError, FileNotFoundError, FileExistsError, MemoryError)):
        return 2
    return 3 if isinstance(error, OSError) else None


def _error_message(error: Exception) -> str:
    if type(error).__name__ == "Abort":
        return STOPPED
    if isinstance(error, MemoryError):
        reason = f" ({error})" if str(error) else ""
        return f"Out of memory{reason}. Use fewer rows or a smaller N."
    if isinstance(error, ModuleNotFoundError):
        extra = EXTRAS.get((error.name or "").partition(".")[0], "lab")
        return f"{error.name} is not installed. Try: pip install 'markone[{extra}]'"
    if isinstance(error, OSError) and error.strerror:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = " Free some space and run the same command again." if full else ""
        return f"{error.filename or 'A file'}: {error.strerror}.{advice}"
    return str(error)


def _print_error(text: str, code: int) -> int:
    # File names may contain bytes that are not valid text, and strangers' files anything.
    print(escape_controls(text.encode("utf-8", "backslashreplace").decode()), file=sys.stderr)
    return code
