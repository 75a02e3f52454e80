"""SLURM array job that distributes an experiment over a cluster, and the job that merges its shards."""

import re
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from markone.lab.run_paths import validate_run_name

LOGS = "logs"
HEAD = """\
#!/bin/bash
#SBATCH --job-name=markone-{name}
#SBATCH --time={time}
#SBATCH --output={logs}/%x-%a.log
{options}"""
# `exec` makes markone the batch process: it receives SLURM's signal and ends with its rows saved.
ARRAY = """\
#SBATCH --array=1-{shards}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cores}
#SBATCH --signal=B:INT@60
#SBATCH --requeue
# Submit with `sbatch`, also repeatedly: only missing tasks run.
# {logs} must exist before: mkdir -p {logs}
# Then join the shards: {merge}
set -euo pipefail
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
{setup}exec markone run {experiment} --shard "$SLURM_ARRAY_TASK_ID/{shards}" --workers {cores}{found}
"""
# Of the array a measured time is increased by this factor, and by the start of a task in hours.
RESERVE, START = 1.5, 0.25
MERGE_HOURS = 1.0


@dataclass(frozen=True)
class ArrayJob:
    """An array job: each of its tasks runs one shard on `cores` cores for at most `hours`.

    `options` are those of sbatch (mem=4G, partition=short), `setup` lines of shell that prepare the
    environment, `settings` values of --set.
    """

    experiment: str
    name: str
    shards: int
    cores: int = 1
    hours: float = 4.0
    store: Path | None = None
    portable: bool = False
    allow: Sequence[str] = ()
    settings: Sequence[str] = ()
    options: Sequence[str] = ()
    setup: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.shards < 1 or self.cores < 1 or not 0 < self.hours < inf:
            raise ValueError(
                f"shards = {self.shards}, cores = {self.cores} and hours = {self.hours} must be positive "
                "numbers."
            )
        for text in (self.experiment, str(self.store or ""), *self.settings, *self.setup):
            # Even quoted, a line break would end a comment, and the rest would run as a command.
            if not text.isprintable():
                raise ValueError(
                    f"{text!r} has characters that no job script should contain: rename the file."
                )
        for option in self.options:
            if not re.fullmatch(r"[a-z-]+=[\w.,:@/+-]+", option):
                raise ValueError(f"--sbatch {option!r} must be name=value, for example mem=4G.")

    def array_script(self) -> str:
        words = self._found_options() + " --portable" * self.portable + self._allowed_packages()
        return self._script_head(self.hours) + ARRAY.format(
            shards=self.shards,
            cores=self.cores,
            logs=LOGS,
            merge=self._merge_command(),
            setup=self._setup_lines(),
            experiment=shlex.quote(self.experiment),
            found=words,
        )

    def merge_script(self) -> str:
        return f"{self._script_head(MERGE_HOURS)}{self._setup_lines()}exec {self._merge_command()}\n"

    def _merge_command(self) -> str:
        return (
            f"markone merge {shlex.quote(self.experiment)}{self._found_options()}{self._allowed_packages()}"
        )

    def _script_head(self, hours: float) -> str:
        minutes = max(1, round(60 * hours))
        return HEAD.format(
            name=validate_run_name(self.name),
            time=f"{minutes // 60:02d}:{minutes % 60:02d}:00",
            logs=LOGS,
            options="".join(f"#SBATCH --{option}\n" for option in self.options),
        )

    def _found_options(self) -> str:
        """The options by which a command finds the store and the values of the run."""
        place = f" --store {shlex.quote(str(self.store))}" if self.store else ""
        return place + "".join(f" --set {shlex.quote(change)}" for change in self.settings)

    def _allowed_packages(self) -> str:
        return "".join(f" --allow {shlex.quote(package)}" for package in self.allow)

    def _setup_lines(self) -> str:
        return "".join(f"{line}\n" for line in self.setup)


def hours_of_work(core_seconds: float, shards: int, cores: int) -> float:
    """Time limit of a shard for so much work, as `markone check` estimates it."""
    return START + RESERVE * core_seconds / 3600 / (shards * cores)


def submit_job(job: ArrayJob) -> tuple[str, str]:
    """Submit the array and the merge that waits for it; return their numbers."""
    Path(LOGS).mkdir(exist_ok=True)
    array = _submit_script(job.array_script())
    return array, _submit_script(job.merge_script(), f"--dependency=afterany:{array}")


def _submit_script(script: str, *options: str) -> str:
    try:
        done = subprocess.run(
            ["sbatch", "--parsable", *options], input=script, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise ValueError(
            "There is no sbatch here: leave out --submit and submit the printed script."
        ) from None
    if done.returncode:
        raise ValueError(f"sbatch refused the job: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip().partition(";")[0]
