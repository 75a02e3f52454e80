"""Start here: exceptions become sentences, sentences have exit codes."""

import os
import signal
import sys
from types import FrameType

from markone.cli import last_resort
from markone.errors import MarkoneError, Stopped
from markone.numerics import cpu

STOPPED = "Interrupted. What was stored is safe: run the same command to continue."
AT_ONCE = "Ended at once. What was stored is safe: run the same command to continue."
# Of the command-line library's own exceptions, by name: it is imported with the commands, not before.
CLICK = {"ClickException": 2, "Abort": 130}

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def main() -> None:
    # Workers are the parallelism; read by BLAS when numpy is first imported, hence before the commands.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    arguments = sys.argv[1:]
    # Read by numpy and numba as well. `slurm` only writes a script with the word in it.
    if arguments[:1] == ["run"] and "--portable" in arguments:
        os.environ[cpu.ASKED] = "1"
    listen()
    code = call(arguments)
    # All is said and saved. While Python takes itself apart, a late second Ctrl-C would kill it with a code
    # that says otherwise.
    for name in SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    sys.exit(code)


def listen() -> None:
    """Ctrl-C, SIGTERM and SIGHUP end a command in good order; the second of them ends it at once."""
    asked = []

    def stop(number: int, frame: FrameType | None) -> None:
        asked.append(number)
        if len(asked) > 1:
            os.write(2, f"{AT_ONCE}\n".encode())
            os._exit(128 + number)
        raise KeyboardInterrupt if number == signal.SIGINT else Stopped(number)

    for name in SIGNALS:
        # What is ignored stays so: `nohup` and the background jobs of a shell mean it.
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) != signal.SIG_IGN:
            signal.signal(getattr(signal, name), stop)


def call(arguments: list[str]) -> int:
    """Run one command and return its exit code: 0 fine, 1 tasks failed, 2 usage, 3 store, 130 interrupted
    (129 and 143 by SIGHUP and SIGTERM), 70 a fault of markone's own."""
    try:
        cpu.obey()
        from markone.cli.commands import app

        code = app(arguments, prog_name="markone", standalone_mode=False) or 0
        return say(STOPPED, code) if code == 130 else code
    except KeyboardInterrupt as stop:
        return say(STOPPED, 128 + getattr(stop, "signal", signal.SIGINT))
    except Exception as error:
        # Of any kind: what is known gets its sentence and code, the rest is ours to mend.
        if os.environ.get("MARKONE_TRACEBACK"):
            raise
        code = exit_code(error)
        if code is None:
            return say(last_resort.sentence(error, arguments), last_resort.EXIT_CODE)
        return code if shown(error) else say(sentence(error), code)


def exit_code(error: Exception) -> int | None:
    """The code that hangs on the class of a known exception; None for what is nobody's sentence."""
    if isinstance(error, MarkoneError):
        return error.exit_code
    for kind in type(error).__mro__:
        if kind.__name__ in CLICK:
            return CLICK[kind.__name__]
    foreign = isinstance(error, ImportError) and not (error.name or "").startswith("markone")
    if foreign or isinstance(error, (ValueError, FileNotFoundError, FileExistsError, MemoryError)):
        return 2
    return 3 if isinstance(error, OSError) else None


def shown(error: Exception) -> bool:
    """Usage errors of the command line show themselves, with the way to --help."""
    if not hasattr(error, "show"):
        return False
    error.show()
    return True


def sentence(error: Exception) -> str:
    if type(error).__name__ == "Abort":
        return STOPPED
    if isinstance(error, MemoryError):
        told = f" ({error})" if str(error) else ""
        return f"The memory of this machine does not suffice{told}. Ask for less: fewer rows, a smaller N."
    if isinstance(error, ModuleNotFoundError):
        return f"{error.name} is not installed. Try: pip install 'markone[{_extra(error.name or '')}]'"
    return str(error)


def _extra(module: str) -> str:
    homes = {"distributed": "dask", "dask": "dask", "mpi4py": "mpi", "pyarrow": "parquet"}
    homes |= {"xarray": "netcdf", "h5netcdf": "netcdf"}
    homes |= {"starlette": "web", "uvicorn": "web", "websockets": "web"}
    return homes.get(module.partition(".")[0], "lab")


def say(text: str, code: int) -> int:
    # A name with bytes that are no text must not end us while we complain about it.
    print(text.encode("utf-8", "backslashreplace").decode(), file=sys.stderr)
    return code
