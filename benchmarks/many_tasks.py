"""python -m benchmarks.many_tasks [n ...]: n tasks run and stored, resumed, verified, exported and reported,
each in a process of its own: CPU seconds, peak memory and size of the store."""

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.runner import install_scenario

SIZES = [100_000, 1_000_000]
# Of larger stores the table is not written.
LARGEST_TABLE = 1_000_000
MEASURE = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:])
_, status, used = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def run_step(step: str, points: int, folder: Path) -> None:
    from benchmarks.tasks import declare_tiny
    from markone.lab.report.pages import write_report
    from markone.lab.runner.run import run
    from markone.lab.store.export import export_results
    from markone.lab.store.results import Store
    from markone.lab.store.verify import examine_store
    from markone.run.executors import thread_workers

    install_scenario()
    declaration, path = declare_tiny(points), folder / "results.sqlite"
    if step in ("run", "resume"):
        with Store(path) as store:
            found = run(declaration, store, thread_workers(1), yes_really=True)
            assert found.done + found.skipped == points
    elif step == "verify":
        found = examine_store(path)
        assert (found.rows, found.problems) == (points, [])
    else:
        with Store(path, "r") as store:
            if step == "export":
                export_results(store, declaration, folder / "values.csv")
            else:
                write_report(declaration, store.points(declaration), store.provenance(), folder)


def main(sizes: list[int]) -> None:
    print(f"{'tasks':>12} {'step':8} {'CPU s':>8} {'peak MB':>8} {'store MB':>9}")
    for points in sizes:
        with tempfile.TemporaryDirectory() as folder:
            for step in ("run", "resume", "verify", "export", "report"):
                if step == "export" and points > LARGEST_TABLE:
                    continue
                command = [sys.executable, "-S", "-c", MEASURE, sys.executable, "-m", __spec__.name, step]
                done = subprocess.run(
                    [*command, str(points), folder], stdout=subprocess.PIPE, text=True, check=True
                )
                code, seconds, megabytes = done.stdout.split()[-3:]
                assert code == "0", done.stdout
                size = sum(file.stat().st_size for file in Path(folder).glob("results.sqlite*")) / 1e6
                print(
                    f"{points:12} {step:8} {float(seconds):8.1f} {float(megabytes):8.0f} {size:9.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    if sys.argv[1:2] and not sys.argv[1].isdigit():
        run_step(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(list(map(int, sys.argv[1:])) or SIZES)
