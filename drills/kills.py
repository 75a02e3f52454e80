"""kill -9 at random times: the same values at the end, and complete files."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from drills.experiment import (
    RandomTimes,
    drill_command,
    drill_store,
    hash_values,
    kill_command,
    list_leftovers,
    run_command,
    run_drill,
)

Outcomes = Iterator[bool]


def kill_runs(folder: Path, backend: str, tries: int = 3, kills: int = 3) -> Outcomes:
    whole = folder / "whole"
    whole.mkdir()
    moments = RandomTimes(4, whole, drill_command(whole, "run", "--quiet", "--backend", backend))
    right = hash_values(whole)
    for k in range(tries):
        place = folder / str(k)
        place.mkdir()
        for _ in range(kills):
            kill_command(
                place, drill_command(place, "run", "--quiet", "--backend", backend), moments.next_time()
            )
        ended = run_drill(place, "run", "--quiet", "--backend", backend).returncode
        yield ended == 0 and hash_values(place) == right is not None


def kill_reports(folder: Path, tries: int = 8) -> Outcomes:
    """All pages belong to one report: the previous one or the new one."""
    run_drill(folder, "run", "--quiet")
    moments = RandomTimes(5, folder, drill_command(folder, "report"))
    home, names = drill_store(folder).parent, ["report.html", "report.md"]
    before = [(home / name).read_bytes() for name in names]
    for _ in range(tries):
        kill_command(folder, drill_command(folder, "report"), moments.next_time())
        yield [(home / name).read_bytes() for name in names] == before
    assert run_drill(folder, "report").returncode == 0
    yield not list_leftovers(home)


def kill_exports(folder: Path, tries: int = 6) -> Outcomes:
    """The previous table or the complete new one; leftovers of a kill are removed by the next export."""
    run_drill(folder, "run", "--quiet")
    moments = RandomTimes(6, folder, drill_command(folder, "export", "table.csv"))
    table = folder / "table.csv"
    right = table.read_bytes()
    for _ in range(tries):
        kill_command(folder, drill_command(folder, "export", "table.csv"), moments.next_time())
        yield table.read_bytes() == right
    assert run_drill(folder, "export", "table.csv").returncode == 0
    yield table.read_bytes() == right and not list_leftovers(folder)


def kill_repairs(folder: Path, tries: int = 4) -> Outcomes:
    """A killed repair loses nothing: another one and a run give the previous values."""
    run_drill(folder, "run", "--quiet")
    right, data = hash_values(folder), drill_store(folder).read_bytes()
    cut = data[: len(data) * 2 // 3]
    drill_store(folder).write_bytes(cut)
    moments = RandomTimes(7, folder, drill_command(folder, "verify", "--repair"))
    for _ in range(tries):
        shutil.rmtree(drill_store(folder).parent)
        drill_store(folder).parent.mkdir()
        drill_store(folder).write_bytes(cut)
        kill_command(folder, drill_command(folder, "verify", "--repair"), moments.next_time())
        repaired = run_drill(folder, "verify", "--repair").returncode
        again = run_drill(folder, "run", "--quiet").returncode
        yield (repaired, again) == (0, 0) and hash_values(folder) == right and not list_leftovers(folder)


def kill_merges(folder: Path, tries: int = 4) -> Outcomes:
    """Merge two shards from two data folders; killed merges are repeated."""
    whole, places = folder / "whole", [folder / "host-1", folder / "host-2"]
    whole.mkdir()
    run_drill(whole, "run", "--quiet")
    right, parts = hash_values(whole), []
    for k, place in enumerate(places, start=1):
        place.mkdir()
        assert run_drill(place, "run", "--quiet", "--shard", f"{k}/2").returncode == 0
        parts += [str(part) for part in drill_store(place).parent.glob("results-shard-*.sqlite")]
    joined = folder / "joined"
    joined.mkdir()
    moments = RandomTimes(8, joined, drill_command(joined, "merge", *parts))
    yield moments.whole.returncode == 0 and hash_values(joined) == right
    for _ in range(tries):
        shutil.rmtree(joined / "runs")
        kill_command(joined, drill_command(joined, "merge", *parts), moments.next_time())
        ended = run_drill(joined, "merge", *parts).returncode
        yield ended == 0 and hash_values(joined) == right


def kill_fits(folder: Path, tries: int = 3) -> Outcomes:
    """`markone fit --workers` continues after a kill and gives the same result."""
    words = [sys.executable, "-m", "markone", "fit", "wine", "--model", "adatron", "--cv", "5x10"]
    words += ["--workers", "2", "--json"]
    moments = RandomTimes(9, folder, words)
    right = parse_scores(moments.whole.stdout)
    for _ in range(tries):
        kill_command(folder, words, moments.next_time())
        yield parse_scores(run_command(folder, words).stdout) == right is not None


def parse_scores(text: str) -> Any:
    """Return the parsed result without the times."""
    try:
        return remove_times(json.loads(text))
    except ValueError:
        return None


def remove_times(result: Any) -> Any:
    if isinstance(result, dict):
        return {key: remove_times(value) for key, value in result.items() if "second" not in key}
    return [remove_times(one) for one in result] if isinstance(result, list) else result


DRILLS = {
    **{
        f"kill -9 of a run on {backend}, 3 times each": lambda folder, backend=backend: kill_runs(
            folder, backend
        )
        for backend in ("threads", "processes", "loky", "dask")
    },
    "kill -9 of a report": kill_reports,
    "kill -9 of an export": kill_exports,
    "kill -9 of a repair": kill_repairs,
    "kill -9 of a merge of two data folders": kill_merges,
    "kill -9 of fit --workers": kill_fits,
}
