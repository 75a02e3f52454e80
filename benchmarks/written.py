"""The last results, in measured.json, and the pages generated from them.

Each benchmark has its own date and CPU: one can be measured again without the others. The tables are between
two marks in docs/speed.md and README.md; the text around them is written by hand.
"""

import json
import platform
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.timing import Row, load, missed

HOME = Path(__file__).resolve().parent
KEPT = HOME / "measured.json"
SPEED, README = HOME.parent / "docs" / "speed.md", HOME.parent / "README.md"
# The rows in the README: benchmark, beginning of the case, beginning of the peer, text.
FIRST = [
    ("adatron", "AdaTron hard P=1000 N=200", "LinearSVC", "`AdaTron`, hard margin, 1000 × 200, exact"),
    ("adatron", "AdaTron hard P=1000 N=200", "daqp", "the same against a quadratic-programming solver"),
    ("separability", "separability N=100", "", "`separability`, N = 100, P = 200, with a proof"),
    ("rosenblatt", "Rosenblatt P=2000", "sklearn", "`Rosenblatt`, 2000 × 500, same weights"),
    ("mass_runs", "Rosenblatt N=20 ", "", "a data set of a mass run, N = 20, P = 40"),
]


def cpu() -> str:
    """Return the model of the CPU."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def measured() -> dict[str, Any]:
    return json.loads(KEPT.read_text()) if KEPT.exists() else {}


def keep(name: str, rows: Iterable[Row], seconds: float, **more: Any) -> None:
    """Store the rows of a benchmark, replacing earlier ones."""
    about = {"date": str(date.today()), "cpu": cpu(), "load": round(load(), 1), "seconds": round(seconds)}
    found = measured() | {name: about | {"rows": [rounded(row) for row in rows]} | more}
    KEPT.write_text(json.dumps(dict(sorted(found.items())), indent=1, ensure_ascii=False) + "\n")


def rounded(row: Row) -> dict[str, Any]:
    """Round to four digits; more would be noise."""
    return {key: float(f"{v:.4g}") if isinstance(v, float) else v for key, v in asdict(row).items()}


def rows_of(found: dict[str, Any], name: str) -> list[Row]:
    return [Row(**row) for row in found.get(name, {}).get("rows", [])]


def duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def times(ratio: float) -> str:
    return f"{ratio:.0f} ×" if ratio >= 10 else f"{ratio:.2g} ×"


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def line(row: Row) -> str:
    verdict = missed(row) or "met"
    cells = [
        row.case,
        duration(row.ours),
        row.peer,
        duration(row.theirs),
        times(row.ratio),
        f"{row.target:g} ×",
    ]
    return "| " + " | ".join(map(cell, [*cells, verdict, row.note])) + " |"


def origin(about: dict[str, Any]) -> str:
    return f"{about['date']}, {about['cpu']}, load {about['load']}"


def table() -> Iterator[str]:
    """Yield the lines of all tables, one for each benchmark."""
    for name, about in measured().items():
        if rows := rows_of({name: about}, name):
            yield f"### {name}\n"
            yield f"{origin(about)}, {about['seconds']} s of CPU time.\n"
            yield "| what | ours | against | its time | ratio | goal | | note |"
            yield "|---|---|---|---|---|---|---|---|"
            yield from map(line, rows)
            yield ""


def misses() -> Iterator[str]:
    """Yield a line for each missed goal, the worst first."""
    found = [row for name in measured() for row in rows_of(measured(), name) if missed(row)]
    for row in sorted(found, key=lambda row: row.ratio / row.target):
        result = f"{times(row.ratio)} where {row.target:g} × was asked for, {missed(row)}"
        yield f"- {cell(row.case)} against {cell(row.peer)}: {result}."


def size(memory: float) -> str:
    return f"{memory / 2**20:.3g} MiB" if memory >= 2**20 else f"{memory / 2**10:.3g} KiB"


def growth() -> Iterator[str]:
    """Yield the table of the scaling of each estimator with P and N."""
    about = measured().get("growth", {})
    if not about:
        return
    yield f"{origin(about)}.\n"
    yield "| estimator | over | time, smallest | largest | exponent | memory, largest | exponent |"
    yield "|---|---|---|---|---|---|---|"
    for row in about["growth"]:
        if not row["seconds"]:
            yield f"| `{row['name']}` | {row['axis']} | {cell(row['trouble'])} | | | | |"
            continue
        cells = [f"`{row['name']}`", f"{row['axis']} × {row['factor']}"]
        cells += [duration(row["seconds"][0]), duration(row["seconds"][-1]), row["time_exponent"]]
        cells += [size(row["memory"][-1]), row["memory_exponent"]]
        yield "| " + " | ".join("–" if value is None else str(value) for value in cells) + " |"


def first_lines() -> Iterator[str]:
    """Yield the lines of the README."""
    found = measured()
    for name, case, peer, words in FIRST:
        chosen = [
            row for row in rows_of(found, name) if row.case.startswith(case) and row.peer.startswith(peer)
        ]
        if chosen:
            against = f"{times(chosen[0].ratio)} {cell(chosen[0].peer)} ({duration(chosen[0].ours)})"
            yield f"- {words}: {against}."
    dates = sorted({about["date"] for about in found.values()})
    if dates:
        yield ""
        span = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        models = ", ".join(sorted({about["cpu"] for about in found.values()}))
        yield f"({models}; {span}; written by `make bench WRITE=1`.)"


def between(text: str, mark: str, lines: Iterable[str]) -> str:
    """Return the text with new lines between the marks."""
    begin, end = f"<!-- {mark}: written by make bench WRITE=1 -->", f"<!-- end of {mark} -->"
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"There must be {begin!r} followed by {end!r}.")
    return f"{before}{begin}\n\n" + "\n".join(lines).strip() + f"\n\n{end}{after}"


def pages() -> None:
    speed = between(SPEED.read_text(), "the table", table())
    speed = between(speed, "the misses", misses())
    SPEED.write_text(between(speed, "the growth", growth()))
    README.write_text(between(README.read_text(), "speed", first_lines()))
