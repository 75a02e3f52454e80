"""python -m benchmarks [name ...]: all comparisons, or the named ones, one line each."""

import os
import sys
import warnings
from importlib import import_module

# Before numpy is imported: two BLAS threads on two busy cores are slower than one, for everybody.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

ALL = ["startup", "rosenblatt", "minover", "separability", "adatron", "kernel_adatron", "certificates"]
ALL += ["mass_runs", "teacher_student", "runner", "cross_validation", "version_space"]
ALL += ["machines", "hopfield", "lvq", "lvq_online", "compiling", "recording", "reading", "tables"]


def main() -> None:
    from benchmarks.timing import show

    unknown = set(sys.argv[1:]) - set(ALL)
    if unknown:
        sys.exit(f"No benchmark {', '.join(sorted(unknown))}. There are: {', '.join(ALL)}.")
    # Peers stop at their iteration limits and say so; the accuracy reached is in the notes.
    warnings.simplefilter("ignore")
    for name in sys.argv[1:] or ALL:
        show(import_module(f"benchmarks.{name}").compare())


if __name__ == "__main__":
    main()
