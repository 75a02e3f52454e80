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

from benchmarks.timing import Row, describe_miss, machine_load

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


def cpu_model() -> str:
    """Return the model of the CPU."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def load_measured() -> dict[str, Any]:
    return json.loads(KEPT.read_text()) if KEPT.exists() else {}


def store_rows(name: str, rows: Iterable[Row], seconds: float, **more: Any) -> None:
    """Store the rows of a benchmark, replacing earlier ones."""
    about = {
        "date": str(date.today()),
        "cpu": cpu_model(),
        "load": round(machine_load(), 1),
        "seconds": round(seconds),
    }
    found = load_measured() | {name: about | {"rows": [round_row(row) for row in rows]} | more}
    KEPT.write_text(json.dumps(dict(sorted(found.items())), indent=1, ensure_ascii=False) + "\n")


def round_row(row: Row) -> dict[str, Any]:
    """Round to four digits; more would be noise."""
    return {key: float(f"{v:.4g}") if isinstance(v, float) else v for key, v in asdict(row).items()}


def load_rows_of(found: dict[str, Any], name: str) -> list[Row]:
    return [Row(**row) for row in found.get(name, {}).get("rows", [])]


def format_seconds(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def format_ratio(ratio: float) -> str:
    return f"{ratio:.0f} ×" if ratio >= 10 else f"{ratio:.2g} ×"


def escape_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def format_line(row: Row) -> str:
    verdict = describe_miss(row) or "met"
    cells = [
        row.case,
        format_seconds(row.ours),
        row.peer,
        format_seconds(row.theirs),
        format_ratio(row.ratio),
        f"{row.target:g} ×",
    ]
    return "| " + " | ".join(map(escape_cell, [*cells, verdict, row.note])) + " |"


def format_origin(about: dict[str, Any]) -> str:
    return f"{about['date']}, {about['cpu']}, load {about['load']}"


def table_lines() -> Iterator[str]:
    """Yield the lines of all tables, one for each benchmark."""
    for name, about in load_measured().items():
        if rows := load_rows_of({name: about}, name):
            yield f"### {name}\n"
            yield f"{format_origin(about)}, {about['seconds']} s of CPU time.\n"
            yield "| what | ours | against | its time | ratio | goal | | note |"
            yield "|---|---|---|---|---|---|---|---|"
            yield from map(format_line, rows)
            yield ""


def missed_lines() -> Iterator[str]:
    """Yield a line for each missed goal, the worst first."""
    found = [
        row for name in load_measured() for row in load_rows_of(load_measured(), name) if describe_miss(row)
    ]
    for row in sorted(found, key=lambda row: row.ratio / row.target):
        result = f"{format_ratio(row.ratio)} where {row.target:g} × was asked for, {describe_miss(row)}"
        yield f"- {escape_cell(row.case)} against {escape_cell(row.peer)}: {result}."


def format_size(memory: float) -> str:
    return f"{memory / 2**20:.3g} MiB" if memory >= 2**20 else f"{memory / 2**10:.3g} KiB"


def growth_lines() -> Iterator[str]:
    """Yield the table of the scaling of each estimator with P and N."""
    about = load_measured().get("growth", {})
    if not about:
        return
    yield f"{format_origin(about)}.\n"
    yield "| estimator | over | time, smallest | largest | exponent | memory, largest | exponent |"
    yield "|---|---|---|---|---|---|---|"
    for row in about["growth"]:
        if not row["seconds"]:
            yield f"| `{row['name']}` | {row['axis']} | {escape_cell(row['trouble'])} | | | | |"
            continue
        cells = [f"`{row['name']}`", f"{row['axis']} × {row['factor']}"]
        cells += [format_seconds(row["seconds"][0]), format_seconds(row["seconds"][-1]), row["time_exponent"]]
        cells += [format_size(row["memory"][-1]), row["memory_exponent"]]
        yield "| " + " | ".join("–" if value is None else str(value) for value in cells) + " |"


def readme_lines() -> Iterator[str]:
    """Yield the lines of the README."""
    found = load_measured()
    for name, case, peer, words in FIRST:
        chosen = [
            row
            for row in load_rows_of(found, name)
            if row.case.startswith(case) and row.peer.startswith(peer)
        ]
        if chosen:
            against = (
                f"{format_ratio(chosen[0].ratio)} {escape_cell(chosen[0].peer)} "
                f"({format_seconds(chosen[0].ours)})"
            )
            yield f"- {words}: {against}."
    dates = sorted({about["date"] for about in found.values()})
    if dates:
        yield ""
        span = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        models = ", ".join(sorted({about["cpu"] for about in found.values()}))
        yield f"({models}; {span}; written by `make bench WRITE=1`.)"


def replace_between(text: str, mark: str, lines: Iterable[str]) -> str:
    """Return the text with new lines between the marks."""
    begin, end = f"<!-- {mark}: written by make bench WRITE=1 -->", f"<!-- end of {mark} -->"
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"There must be {begin!r} followed by {end!r}.")
    return f"{before}{begin}\n\n" + "\n".join(lines).strip() + f"\n\n{end}{after}"


def write_speed_pages() -> None:
    speed = replace_between(SPEED.read_text(), "the table", table_lines())
    speed = replace_between(speed, "the misses", missed_lines())
    SPEED.write_text(replace_between(speed, "the growth", growth_lines()))
    README.write_text(replace_between(README.read_text(), "speed", readme_lines()))
