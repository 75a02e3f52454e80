"""The CPU this process computes for, and one common target for all machines of a mixed cluster.

The last bit of a sum depends on how many numbers an instruction adds at once: compiled code is made for the
CPU that it runs on, BLAS and numpy choose among several versions of their loops. If MARKONE_PORTABLE is set,
all three use only what every x86-64-v3 machine (Haswell 2013, Zen 2017, and later) has. They read their
settings when they are imported: the variable must be set before.
"""

import json
import os
import platform
from functools import cache
from importlib.metadata import version
from threading import Lock

from markone.errors import NotPortable

IMPORT_LOCK = Lock()
PORTABLE_VARIABLE = "MARKONE_PORTABLE"
LEVEL = "x86-64-v3"
FEATURES = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
# numpy's names of the features above the level, by the first version that has them. For an unknown name numpy
# only emits an ImportWarning, which is ignored by default.
FEATURES_ABOVE = {
    (2, 4): "X86_V4 AVX512_ICL AVX512_SPR",
    (2, 3): "AVX512F AVX512CD AVX512_KNL AVX512_KNM AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
    (0, 0): "AVX512F AVX512CD AVX512_KNL AVX512_KNM AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
}


def portable_requested() -> bool:
    return os.environ.get(PORTABLE_VARIABLE, "") not in ("", "0")


def portable_settings() -> dict[str, str]:
    """The environment that makes OpenBLAS, MKL, numpy and numba compute for the level."""
    major, minor = map(int, version("numpy").split(".")[:2])
    above = next(names for since, names in FEATURES_ABOVE.items() if (major, minor) >= since)
    return {
        PORTABLE_VARIABLE: "1",
        "OPENBLAS_CORETYPE": "Haswell",
        "MKL_CBWR": "AVX2",
        "NPY_DISABLE_CPU_FEATURES": above,
        "NUMBA_CPU_NAME": LEVEL,
        "NUMBA_CPU_FEATURES": ",".join(f"+{name}" for name in FEATURES),
        # A library of Intel's with a choice of its own, where it is installed.
        "NUMBA_DISABLE_INTEL_SVML": "1",
    }


def apply_portable_settings() -> None:
    """Set the portable environment if requested, also for child processes; called at import."""
    # If the CPU lacks features, `require_pinned` raises later: an import should not fail.
    if portable_requested() and not missing_features():
        os.environ.update(portable_settings())


def missing_features() -> list[str]:
    """Features of the level that this CPU lacks."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return [LEVEL]
    from llvmlite import binding

    here = binding.get_host_cpu_features()
    return [name for name in FEATURES if not here.get(name)]


def compile_target() -> tuple[str, str]:
    """Name and features of the CPU that numba compiles for."""
    # Imported here: numba reads its settings when it is imported.
    from markone.numerics import numba_internals

    return numba_internals.numba_target()


def cpu_kind() -> str:
    """Return, as JSON, what the last bits of results depend on: equal kinds and versions give equal bits."""
    # One thread at a time: numba's modules import each other, and two threads that import it at the same time
    # can see partially initialised modules.
    with IMPORT_LOCK:
        return _describe_cpu()


@cache
def _describe_cpu() -> str:
    import numpy
    import scipy.linalg  # noqa: F401  # has a BLAS of its own
    from threadpoolctl import threadpool_info

    name, features = compile_target()
    blas = {
        f"{pool['internal_api']} {pool.get('architecture', '')}".strip()
        for pool in threadpool_info()
        if pool["user_api"] == "blas"
    }
    simd = numpy.show_config(mode="dicts")["SIMD Extensions"]
    facts = {
        "compiled for": name,
        "features": " ".join(sorted(f[1:] for f in features.split(",") if f.startswith("+"))),
        "BLAS": ", ".join(sorted(blas)),
        "numpy": " ".join(simd.get("found", [])) or "baseline",
    }
    return json.dumps(facts)


def require_portable() -> None:
    """Raise NotPortable if portable results were requested but this machine cannot give them."""
    missing = missing_features()
    if missing:
        raise NotPortable(
            f"Portable runs compute for {LEVEL}, and this machine ({platform.machine()}) lacks "
            f"{', '.join(missing)}. Leave out --portable (and {PORTABLE_VARIABLE}): the "
            "results are as accurate, but "
            "their last bits may differ from those of other machines."
        )
    facts = json.loads(cpu_kind())
    libraries = facts["BLAS"].split(", ")
    foreign = [name for name in libraries if name.split()[0] not in ("openblas", "mkl")]
    if foreign:
        raise NotPortable(
            f"Portable runs need OpenBLAS or MKL, and numpy or scipy has {', '.join(foreign)} here: install "
            "their wheels from PyPI."
        )
    above = any(word in facts["numpy"] for word in ("AVX512", "V4"))
    other = any(name.startswith("openblas") and name != "openblas Haswell" for name in libraries)
    if facts["compiled for"] != LEVEL or above or other:
        assignments = " ".join(
            f"{key}='{value}'" for key, value in portable_settings().items() if key != PORTABLE_VARIABLE
        )
        raise NotPortable(
            f"{PORTABLE_VARIABLE}=1 was set too late: numpy or numba had been imported "
            "and configured for this CPU. "
            f"Set it before Python starts, with {assignments}"
        )
