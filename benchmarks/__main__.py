"""python -m benchmarks [name ...] [--write]: all comparisons, or the named ones, one line each.

With --write the results are stored in benchmarks/measured.json, with CPU and date, and the tables of
docs/speed.md and README.md are generated from it.
"""

import argparse
import os
import warnings
from importlib import import_module

# Before numpy is imported: two BLAS threads on two busy cores are slower than one.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

ALL = ["startup", "rosenblatt", "minover", "separability", "adatron", "kernel_adatron", "more_peers"]
ALL += ["certificates", "mass_runs", "teacher_student", "runner", "cross_validation", "version_space"]
ALL += ["machines", "hopfield", "lvq", "lvq_online", "compiling", "recording", "reading", "tables"]
ALL += ["growth", "free_threshold", "separation", "minimal_errors", "tasks"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(ALL))
    parser.add_argument(
        "--write", action="store_true", help="write the tables of docs/speed.md and README.md"
    )
    parser.add_argument(
        "--tables", action="store_true", help="only write these tables again, measure nothing"
    )
    options = parser.parse_args()
    from benchmarks import results_file
    from benchmarks.timing import cpu_seconds_used, print_rows

    unknown = sorted(set(options.names) - set(ALL))
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}. There are: {', '.join(ALL)}.")
    # Peers warn at their iteration limits; the accuracy reached is in the notes.
    warnings.simplefilter("ignore")
    for name in [] if options.tables else options.names or ALL:
        began = cpu_seconds_used()
        benchmark = import_module(f"benchmarks.{name}")
        rows = print_rows(benchmark.compare())
        taken = cpu_seconds_used() - began
        print(f"{name}: {taken:.0f} s of CPU time", flush=True)
        if options.write:
            results_file.store_rows(name, rows, taken, **getattr(benchmark, "more", dict)())
    if options.write or options.tables:
        results_file.write_speed_pages()


if __name__ == "__main__":
    main()
