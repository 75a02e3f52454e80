"""Time and memory of fits by sums on a folder of Parquet files, possibly larger than memory.

python -m benchmarks.partitions [--rows 1000000] [--columns 20] [--files 4] [--threads 1 2]

Each fit runs in its own process, whose peak memory is printed, imports included. GMLVQ takes ten steps; the
soft margin has C = 1. Labels are those of a teacher, one in ten flipped.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

MODELS = {
    "GMLVQ, ten steps": "from markone import GMLVQ; model = GMLVQ(max_iter=10)",
    "AdaTron, C = 1": "from markone import AdaTron; model = AdaTron(C=1.0)",
}
FIT = """
import re, sys, time, warnings
from markone.tables import fit_partitions
{model}
warnings.simplefilter("ignore")  # ten steps are too few to converge
fit_partitions(model, sys.argv[2], "class", scale=True)  # compiles
clock, processor = time.perf_counter(), time.process_time()
fit_partitions(model, sys.argv[1], "class", scale=True, threads={threads})
clock, processor = time.perf_counter() - clock, time.process_time() - processor
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(f"{{clock:.1f}} s by the clock, {{processor:.1f}} s of the processor, peak {{peak / 1e6:.2f}} GB")
"""


def write_partitions(folder: Path, rows: int, columns: int, files: int) -> str:
    """Write files of four row groups one by one: the whole need not fit into memory."""
    from pyarrow import parquet, table

    rng = np.random.default_rng(0)
    teacher = rng.normal(size=columns)
    folder.mkdir()
    for k in range(files):
        P = rows * (k + 1) // files - rows * k // files
        X = rng.normal(size=(P, columns))
        labels = np.where((X @ teacher > 0) != (rng.random(P) < 0.1), "yes", "no")
        named = {f"x{j}": X[:, j] for j in range(columns)} | {"class": labels}
        parquet.write_table(table(named), folder / f"{k}.parquet", row_group_size=-(-P // 4))
    return str(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        path = write_partitions(Path(place, "all"), options.rows, options.columns, options.files)
        small = write_partitions(Path(place, "few"), 4000, options.columns, options.files)
        print(f"{options.rows} x {options.columns} in {options.files} files, load {os.getloadavg()[0]:.1f}")
        for name, model in MODELS.items():
            for threads in options.threads:
                code = FIT.format(model=model, threads=threads)
                found = subprocess.run(
                    [sys.executable, "-c", code, path, small], check=True, capture_output=True, text=True
                ).stdout.strip()
                print(f"{name}, {threads} thread{'s' * (threads > 1)}: {found}", flush=True)


if __name__ == "__main__":
    main()
