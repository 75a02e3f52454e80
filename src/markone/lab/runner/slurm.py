"""SLURM array script that distributes an experiment over a cluster."""

import shlex
from collections.abc import Sequence
from math import inf
from pathlib import Path

from markone.lab.run_paths import validate_run_name

# `exec` makes markone the batch process: it receives SLURM's signal and ends with its rows saved.
SCRIPT = """\
#!/bin/bash
#SBATCH --job-name=markone-{name}
#SBATCH --array=1-{shards}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cores}
#SBATCH --time={time}
#SBATCH --signal=B:INT@60
#SBATCH --requeue
#SBATCH --output={logs}/%x-%a.log
# Submit with `sbatch`, also repeatedly: only missing tasks run.
# {logs} must exist before: mkdir -p {logs}
# Then join the shards: markone merge {experiment}{store}{allow}
set -euo pipefail
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
exec markone run {experiment} --shard "$SLURM_ARRAY_TASK_ID/{shards}" --workers {cores}{options}
"""


def slurm_script(
    experiment: str,
    name: str,
    shards: int,
    cores: int,
    hours: float,
    store: Path | None = None,
    portable: bool = False,
    allow: Sequence[str] = (),
) -> str:
    """Text of a SLURM array job: one task per shard, each on `cores` cores for at most `hours`."""
    if shards < 1 or cores < 1 or not 0 < hours < inf:
        raise ValueError(f"shards = {shards}, cores = {cores} and hours = {hours} must be positive numbers.")
    for text in (experiment, str(store or "")):
        # Even quoted, a line break would end a comment, and the rest would run as a command.
        if not text.isprintable():
            raise ValueError(f"{text!r} has characters that no job script should contain: rename the file.")
    place = f" --store {shlex.quote(str(store))}" if store else ""
    allowed = "".join(f" --allow {shlex.quote(package)}" for package in allow)
    minutes = max(1, round(60 * hours))
    return SCRIPT.format(
        experiment=shlex.quote(experiment),
        name=validate_run_name(name),
        shards=shards,
        cores=cores,
        time=f"{minutes // 60:02d}:{minutes % 60:02d}:00",
        logs="logs",
        store=place,
        allow=allowed,
        options=f"{place}{' --portable' if portable else ''}{allowed}",
    )
