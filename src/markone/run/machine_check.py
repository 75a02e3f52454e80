"""Check of this machine: each finding has a value and, if there is a problem, advice."""

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

EXTRAS = {
    "lab": ("pydantic", "typer", "rich", "matplotlib", "jinja2"),
    "dask": ("distributed",),
    "mpi": ("mpi4py",),
    "parquet": ("pyarrow",),
    "netcdf": ("xarray", "h5netcdf"),
}
REQUIRED_SPACE = 1e9  # required disk space in bytes; the large experiments need less


@dataclass(frozen=True)
class Finding:
    name: str
    value: str
    good: bool = True
    advice: str = ""


def examine_machine(folder: Path) -> list[Finding]:
    """All findings for runs that will be stored below `folder`."""
    return [
        _check_python(),
        *_check_packages(),
        *_check_compile_cache(),
        _check_cpu(),
        _check_blas(),
        _check_cores(),
        *_check_disk(folder),
        *_check_extras(),
    ]


def _check_python() -> Finding:
    good = sys.version_info >= (3, 11)
    return Finding(
        "python", platform.python_version(), good, "" if good else "markone needs Python 3.11 or later."
    )


def _check_packages() -> Iterator[Finding]:
    for name in ("numpy", "scipy", "scikit-learn", "numba"):
        try:
            yield Finding(name, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Finding(name, "missing", False, f"Install it: pip install {name}")


def _check_compile_cache() -> Iterator[Finding]:
    from markone.numerics import compiling

    if compiling.CACHE is None:
        advice = (
            "Every process compiles again (some 10 s): set MARKONE_CACHE_DIR to a folder you can write to."
        )
        yield Finding("cache folder", "not writable", False, advice)
        return
    yield Finding("cache folder", str(compiling.CACHE))
    kept = len(list(compiling.CACHE.rglob("*.nbc")))
    yield Finding(
        "compiled code", f"{kept} functions" if kept else "none yet: the first run compiles (some 10 s)"
    )


def _check_cpu() -> Finding:
    """The compilation target; a machine that cannot do portable runs is not a problem."""
    from markone.numerics import cpu

    missing = cpu.missing_features()
    portable = f"no portable runs: without {', '.join(missing)}" if missing else "portable runs possible"
    return Finding("compiled for", f"{cpu.compile_target()[0]} ({portable})")


def _check_blas() -> Finding:
    import scipy.linalg  # noqa: F401  # loads BLAS
    from threadpoolctl import threadpool_info

    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    threads = max((pool["num_threads"] for pool in pools), default=1)
    advice = "Workers are slowed down by several BLAS threads each: set OPENBLAS_NUM_THREADS=1."
    names = ", ".join(sorted({pool["internal_api"] for pool in pools})) or "no BLAS found"
    return Finding("BLAS threads", f"{threads} ({names})", threads == 1, "" if threads == 1 else advice)


def _check_cores() -> Finding:
    """Usable cores; on a cluster they may be fewer than the machine has."""
    free = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Finding("cores", f"{free} of {os.cpu_count()}")


def _check_disk(folder: Path) -> Iterator[Finding]:
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(there).free
    advice = (
        ""
        if free > REQUIRED_SPACE
        else f"Less than {REQUIRED_SPACE / 1e9:.0f} GB is free: choose another place with --store."
    )
    yield Finding("disk", f"{free / 1e9:.1f} GB free at {there}", free > REQUIRED_SPACE, advice)
    good = os.access(there, os.W_OK)
    advice = (
        "" if good else "Results cannot be stored here: change the folder or choose a place with --store."
    )
    yield Finding("results folder", "writable" if good else f"{there} is read-only", good, advice)


def _check_extras() -> Iterator[Finding]:
    for extra, modules in EXTRAS.items():
        absent = [name for name in modules if importlib.util.find_spec(name) is None]
        value = f"without {', '.join(absent)} (pip install 'markone[{extra}]')" if absent else "installed"
        yield Finding(f"extra {extra}", value)
