"""`markone slurm --submit` with an sbatch that runs what it gets at once, or refuses it."""

import os
import sys

import pytest
from toy_declarations import PLAIN

from markone.cli.main import run_command_line
from markone.lab import Experiment, Result
from markone.lab.runner.slurm import RESERVE, START, ArrayJob, hours_of_work

# Numbers its jobs, and keeps their options and scripts; with RUN it runs every task of an array.
SBATCH = """#!/bin/bash
n=$(ls job-*.sh 2>/dev/null | wc -l)
cat > job-$n.sh
echo "$@" > job-$n.options
shards=$(sed -n 's/^#SBATCH --array=1-//p' job-$n.sh)
if [ -n "$RUN" ]; then
    for k in $(seq 1 ${shards:-1}); do
        SLURM_ARRAY_TASK_ID=$k bash job-$n.sh > job-$n-$k.log 2>&1 || exit 1
    done
fi
echo "10$n;cluster"
"""


@pytest.fixture
def cluster(toy, monkeypatch):
    (toy / "bin").mkdir()
    for name, text in (
        ("sbatch", SBATCH),
        ("markone", f'#!/bin/bash\nexec {sys.executable} -m markone "$@"\n'),
    ):
        (toy / "bin" / name).write_text(text)
        (toy / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{toy / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(toy)
    return toy


def test_all_options_are_in_both_jobs(cluster, capsys):
    given = ("mem=4G", "partition=short", "account=p-1", "qos=low")
    options = [word for option in given for word in ("--sbatch", option)]
    words = [*options, "--setup", "module load a/1.0", "--set", "N=10,", "--portable", "--submit"]
    assert run_command_line(["slurm", "demo_capacity", "--shards", "3", *words]) == 0
    assert "job 100; job 101 merges" in capsys.readouterr().out
    assert (cluster / "job-0.options").read_text() == "--parsable\n"
    assert (cluster / "job-1.options").read_text() == "--parsable --dependency=afterany:100\n"
    array, merge = ((cluster / f"job-{k}.sh").read_text() for k in (0, 1))
    for script in (array, merge):
        for option in given:
            assert f"#SBATCH --{option}\n" in script
        assert "\nmodule load a/1.0\nexec markone " in script
        assert "#SBATCH --job-name=markone-demo_capacity-" in script
    assert array.endswith('--shard "$SLURM_ARRAY_TASK_ID/3" --workers 1 --set N=10, --portable\n')
    assert merge.endswith("exec markone merge demo_capacity --set N=10,\n")
    assert "--array" not in merge


def test_a_refusal_of_sbatch_is_shown(cluster, capsys, monkeypatch):
    (cluster / "bin" / "sbatch").write_text("#!/bin/bash\necho 'invalid account' >&2\nexit 1\n")
    assert run_command_line(["slurm", "capacity", "--shards", "2", "--submit"]) == 2
    assert "sbatch refused the job: invalid account" in capsys.readouterr().err
    monkeypatch.setenv("PATH", "")
    assert run_command_line(["slurm", "capacity", "--shards", "2", "--submit"]) == 2
    assert "There is no sbatch here" in capsys.readouterr().err


def test_the_time_limit_follows_from_the_work(cluster, capsys):
    assert hours_of_work(7200.0, 4, 2) == START + RESERVE * 0.25
    assert (
        ArrayJob("x.toml", "x", 2, hours=hours_of_work(0.0, 2, 1)).array_script().count("--time=00:15:00")
        == 1
    )
    words = ["--set", "N=5,", "--set", "alpha=1.0,", "--set", "repeats=4", "--measure"]
    assert run_command_line(["slurm", "demo_capacity", "--shards", "2", *words]) == 0
    assert "#SBATCH --time=00:15:00\n" in capsys.readouterr().out


@pytest.mark.slow
def test_the_submitted_jobs_give_the_bits_of_one_machine(cluster, monkeypatch):
    monkeypatch.setenv("RUN", "1")
    (cluster / "toy.toml").write_text((whole := Experiment.declare(**PLAIN)).toml())
    assert run_command_line(["slurm", "toy.toml", "--shards", "3", "--submit"]) == 0
    merged = Result.open("toy.toml").frame()
    assert merged.equals(whole.run(store=cluster / "whole.sqlite", progress=False).frame())
