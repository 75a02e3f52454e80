"""Run tests in the modes of other CPUs: other kernels of BLAS, numpy and compiled code, other thread counts.

python .ci/cpus.py                      the numerical tests, in every mode that this CPU supports
python .ci/cpus.py --small              a selection, for .ci/run
python .ci/cpus.py -- tests/hopfield    these tests (any arguments of pytest)
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NUMERICAL = [f"tests/{package}" for package in ("numerics", "perceptron", "machines", "hopfield", "networks")]
NUMERICAL += [f"tests/{package}" for package in ("lvq", "evaluation", "lab")]
SMALL = ["tests/perceptron/students/test_adatron.py", "tests/perceptron/separable/test_separability.py"]
SMALL += ["tests/perceptron/margin/kernel/test_kernel_adatron.py"]
SMALL += ["tests/numerics/test_compiling.py", "tests/numerics/test_cpu.py", "tests/hopfield/test_memory.py"]

KINDS = {
    "as it is": {},
    **{f"BLAS for {core}": {"OPENBLAS_CORETYPE": core} for core in ("Haswell", "SkylakeX", "Zen", "Nehalem")},
    "BLAS with 2 threads": {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"},
    "compiled for any CPU": {"NUMBA_CPU_NAME": "generic"},
    "portable": {"MARKONE_PORTABLE": "1"},
}
SMALL_KINDS = ("BLAS for Nehalem", "BLAS with 2 threads", "portable")

# Equal answers, equal tests. A CPU that cannot play the kind ends here with an illegal instruction.
PROBE = """
import os
from markone.numerics import cpu  # before numpy, which chooses for this CPU when it is imported
import numpy as np
for kind in (np.float32, np.float64):
    a = np.eye(300, dtype=kind)
    np.linalg.solve(a @ a, a @ a[0])
if cpu.portable_requested():
    cpu.require_portable()
print(cpu.cpu_kind(), os.environ["OPENBLAS_NUM_THREADS"])
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--kinds", help="which of them, separated by commas")
    parser.add_argument("tests", nargs="*")
    given = parser.parse_args()
    tests = given.tests or (SMALL if given.small else NUMERICAL)
    names = given.kinds.split(",") if given.kinds else SMALL_KINDS if given.small else KINDS
    seen: dict[str, str] = {}
    table, failed = [], False
    for name in names:
        answer = probe_mode(name)
        if answer is None or answer in seen:
            same = f"the same as {seen[answer]!r}" if answer else "not supported by this CPU"
            table.append((name, "left out", same))
            continue
        seen[answer] = name
        print(f"\n== {name}: {answer}", flush=True)
        began = time.monotonic()
        code = run_tests(name, tests)
        failed |= code != 0
        table.append((name, "failed" if code else "passed", f"{time.monotonic() - began:.0f} s"))
    print()
    for name, result, remark in table:
        print(f"{name:22} {result:9} {remark}")
    return int(failed or not seen)


def mode_environment(name: str) -> dict[str, str]:
    plain = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "CI": "1"}
    return {**os.environ, **plain, **KINDS[name]}


def probe_mode(name: str) -> str | None:
    """Return the description printed by a process in this mode; None if the CPU does not support it."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE], env=mode_environment(name), capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return done.stdout.strip()
    # Ended by a signal, or refused by markone; any other error is not due to the CPU.
    if done.returncode < 0 or "NotPortable" in done.stderr:
        return None
    sys.exit(f"{name} failed:\n{done.stderr}")


def run_tests(name: str, tests: list[str]) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "--no-header", *tests]
    return subprocess.run(command, env=mode_environment(name), cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
