"""Reading a table: `markone fit` up to its inputs and labels, and `markone.data.load`, against pandas.

`pandas.read_csv` only parses; fit also detects the format, decides about every column, makes one array and
looks for problems: duplicates, leaks, outliers, missing values related to the class. Times are interleaved
CPU times. Memory is the peak of a separate process above that after its imports, in units of the table as an
array of float64.
"""

import csv
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.timing import Row, row_of_pairs

# At most three times pandas' time; more than 1/3 is better.
TARGET = 0.33
ROUNDS = 2
IMPORTS = """
import re, sys
import numpy, pandas, pyarrow.csv, pyarrow.compute, pyarrow.parquet
from markone.data import load
from markone.tables.prepared_data import prepare_data, read_requested_table
from markone.tables.request import ColumnOptions, FitRequest
path = sys.argv[1]
# Of this process; getrusage may report that of the process that started it.
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
before = peak()
"""
READERS = {
    "fit": "request = FitRequest(path, options=ColumnOptions('k', 'median')); "
    "found = prepare_data(request, read_requested_table(request), 'classification')",
    "load": "found = load(path, target='k')",
    "pandas": "found = pandas.read_csv(path)",
}


def compare() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = write_numbers(Path(folder) / "small.csv", 50_000, 100)
        yield compare_reader("fit, 50 000 x 100 numbers", "fit", path, 5_000_000)
        yield compare_reader("load, 50 000 x 100 numbers", "load", path, 5_000_000)
        path = write_numbers(Path(folder) / "long.csv", 1_000_000, 20)
        yield compare_reader("fit, 1 000 000 x 20 numbers", "fit", path, 20_000_000)
        path = write_mixed(Path(folder) / "mixed.csv", 100_000)
        yield compare_reader("fit, 100 000 x 12, texts in quotes, holes", "fit", path, 1_200_000)


def write_numbers(path: Path, P: int, N: int) -> Path:
    from pyarrow import csv, table

    X = np.random.default_rng(0).normal(size=(P, N)).round(6)
    columns = {f"x{k}": X[:, k] for k in range(N)} | {"k": np.where(X[:, 0] < 0, "no", "yes")}
    csv.write_csv(table(columns), path, csv.WriteOptions(quoting_style="none"))
    return path


def write_mixed(path: Path, P: int) -> Path:
    """Write six columns of numbers, three with missing values, and six of texts, some with separators."""
    rng = np.random.default_rng(1)
    words = ["north, east", "south", 'the "far" west', "here"]
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{k}" for k in range(6)), *(f"t{k}" for k in range(5)), "k"])
        for _ in range(P):
            x = [
                f"{v:.4f}" if k < 3 or rng.random() > 0.1 else "NA" for k, v in enumerate(rng.normal(size=6))
            ]
            writer.writerow([*x, *(words[j] for j in rng.integers(4, size=5)), "ab"[rng.integers(2)]])
    return path


def compare_reader(case: str, reader: str, path: Path, cells: int) -> Row:
    ours, theirs = make_reader(reader, path), make_reader("pandas", path)
    ours(), theirs()
    pairs = np.array([(time_call(ours), time_call(theirs)) for _ in range(ROUNDS)])
    size = 8 * cells / 1024
    peaks = [measure_peak(name, path) / size for name in (reader, "pandas")]
    note = f"peak {peaks[0]:.1f} x the array, pandas {peaks[1]:.1f} x; CPU time"
    return row_of_pairs(case, pairs[:, 0], "pandas.read_csv", pairs[:, 1], TARGET, note)


def make_reader(reader: str, path: Path) -> Callable[[], object]:
    import pandas

    from markone.data import load
    from markone.tables.prepared_data import prepare_data, read_requested_table
    from markone.tables.request import ColumnOptions, FitRequest

    asked = FitRequest(str(path), options=ColumnOptions("k", missing="median"))
    return {
        "fit": lambda: prepare_data(asked, read_requested_table(asked), "classification"),
        "load": lambda: load(path, target="k"),
        "pandas": lambda: pandas.read_csv(path),
    }[reader]


def time_call(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


def measure_peak(reader: str, path: Path) -> int:
    """Return the peak memory of a reader in KiB."""
    code = f"{IMPORTS}\n{READERS[reader]}\nprint(peak() - before)"
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    return int(done.stdout)
