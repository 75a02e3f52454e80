"""kill -9 at random times: the same values at the end, and complete files."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from drills.study import Moments, command, done, finished, killed, leftovers, store, values

Outcomes = Iterator[bool]


def runs(folder: Path, backend: str, tries: int = 3, kills: int = 3) -> Outcomes:
    whole = folder / "whole"
    whole.mkdir()
    moments = Moments(4, whole, command(whole, "run", "--quiet", "--backend", backend))
    right = values(whole)
    for k in range(tries):
        place = folder / str(k)
        place.mkdir()
        for _ in range(kills):
            killed(place, command(place, "run", "--quiet", "--backend", backend), moments.next())
        ended = done(place, "run", "--quiet", "--backend", backend).returncode
        yield ended == 0 and values(place) == right is not None


def reports(folder: Path, tries: int = 8) -> Outcomes:
    """All pages belong to one report: the previous one or the new one."""
    done(folder, "run", "--quiet")
    moments = Moments(5, folder, command(folder, "report"))
    home, names = store(folder).parent, ["report.html", "report.md"]
    before = [(home / name).read_bytes() for name in names]
    for _ in range(tries):
        killed(folder, command(folder, "report"), moments.next())
        yield [(home / name).read_bytes() for name in names] == before
    assert done(folder, "report").returncode == 0
    yield not leftovers(home)


def exports(folder: Path, tries: int = 6) -> Outcomes:
    """The previous table or the complete new one; leftovers of a kill are removed by the next export."""
    done(folder, "run", "--quiet")
    moments = Moments(6, folder, command(folder, "export", "table.csv"))
    table = folder / "table.csv"
    right = table.read_bytes()
    for _ in range(tries):
        killed(folder, command(folder, "export", "table.csv"), moments.next())
        yield table.read_bytes() == right
    assert done(folder, "export", "table.csv").returncode == 0
    yield table.read_bytes() == right and not leftovers(folder)


def repairs(folder: Path, tries: int = 4) -> Outcomes:
    """A killed repair loses nothing: another one and a run give the previous values."""
    done(folder, "run", "--quiet")
    right, data = values(folder), store(folder).read_bytes()
    cut = data[: len(data) * 2 // 3]
    store(folder).write_bytes(cut)
    moments = Moments(7, folder, command(folder, "verify", "--repair"))
    for _ in range(tries):
        shutil.rmtree(store(folder).parent)
        store(folder).parent.mkdir()
        store(folder).write_bytes(cut)
        killed(folder, command(folder, "verify", "--repair"), moments.next())
        repaired = done(folder, "verify", "--repair").returncode
        again = done(folder, "run", "--quiet").returncode
        yield (repaired, again) == (0, 0) and values(folder) == right and not leftovers(folder)


def merges(folder: Path, tries: int = 4) -> Outcomes:
    """Merge two shards from two data folders; killed merges are repeated."""
    whole, places = folder / "whole", [folder / "host-1", folder / "host-2"]
    whole.mkdir()
    done(whole, "run", "--quiet")
    right, parts = values(whole), []
    for k, place in enumerate(places, start=1):
        place.mkdir()
        assert done(place, "run", "--quiet", "--shard", f"{k}/2").returncode == 0
        parts += [str(part) for part in store(place).parent.glob("results-shard-*.sqlite")]
    joined = folder / "joined"
    joined.mkdir()
    moments = Moments(8, joined, command(joined, "merge", *parts))
    yield moments.whole.returncode == 0 and values(joined) == right
    for _ in range(tries):
        shutil.rmtree(joined / "runs")
        killed(joined, command(joined, "merge", *parts), moments.next())
        ended = done(joined, "merge", *parts).returncode
        yield ended == 0 and values(joined) == right


def fits(folder: Path, tries: int = 3) -> Outcomes:
    """`markone fit --workers` continues after a kill and gives the same result."""
    words = [sys.executable, "-m", "markone", "fit", "wine", "--model", "adatron", "--cv", "5x10"]
    words += ["--workers", "2", "--json"]
    moments = Moments(9, folder, words)
    right = scores(moments.whole.stdout)
    for _ in range(tries):
        killed(folder, words, moments.next())
        yield scores(finished(folder, words).stdout) == right is not None


def scores(text: str) -> Any:
    """Return the parsed result without the times."""
    try:
        return without_times(json.loads(text))
    except ValueError:
        return None


def without_times(result: Any) -> Any:
    if isinstance(result, dict):
        return {key: without_times(value) for key, value in result.items() if "second" not in key}
    return [without_times(one) for one in result] if isinstance(result, list) else result


DRILLS = {
    **{
        f"kill -9 of a run on {backend}, 3 times each": lambda folder, backend=backend: runs(folder, backend)
        for backend in ("threads", "processes", "loky", "dask")
    },
    "kill -9 of a report": reports,
    "kill -9 of an export": exports,
    "kill -9 of a repair": repairs,
    "kill -9 of a merge of two data folders": merges,
    "kill -9 of fit --workers": fits,
}
