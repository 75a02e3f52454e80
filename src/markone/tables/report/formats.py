"""Formatting shared by the reports: intervals, splits, settings, weights, short names."""

from __future__ import annotations

from math import isfinite

import numpy as np

from markone.numerics.text import format_number, format_rounded
from markone.show.page import PageTable
from markone.tables.comparing.differences import StudentChoice
from markone.tables.inspect.model_summary import SortedInputs
from markone.tables.report.blocks import (
    MAX_BAR_LINES,
    MAX_INPUT_BARS,
    NO_TABLE,
    ReportPicture,
    Section,
    Table,
    Text,
)
from markone.tables.request import FitRequest, Folds
from markone.tables.scoring import MEASURE_NAMES, Interval

# Above this number of classes the weights are not printed.
MAX_PRINTED_LINES = 6


def format_interval(found: Interval, least: float = 2e-3) -> list[str]:
    """Mean and 95 % interval, with the digits that the interval allows (its width is at least `least`)."""
    if not isfinite(found.mean):
        return ["–", "–"]
    if not isfinite(found.low):
        return [f"{found.mean:.3f}", "–"]
    mean, low, high = format_rounded(
        [found.mean, found.low, found.high], max(found.high - found.low, least) / 2
    )
    return [mean, f"{low} to {high}"]


def format_fit_time(seconds: float) -> str:
    return f"{seconds:.2g} s" if seconds < 100 else f"{seconds:.0f} s"


def describe_splits(how: Folds, asked: FitRequest, stratified: str = "") -> str:
    """Description of the splits."""
    options = asked.options
    together = f", rows of one {options.group!r} together" if options.group else ""
    if options.time:
        return (
            f"{how.folds} folds in the order of {options.time!r}, each tested by the rows before "
            f"it{together}. The intervals assume exchangeable folds, which folds in time are not."
        )
    if how.leave_one_out:
        return f"leave-one-{'group-' if options.group else ''}out{together}."
    return f"{how}{stratified}, seed {asked.seed}{together}."


def students_section(choice: StudentChoice | None) -> Section:
    """The students compared by default, from simple to complex, with the recommended one."""
    if choice is None:
        return Section("Students", [])
    other = next(
        (m for m in ("balanced_accuracy", "mae") if m in choice.entries[0].estimates), choice.measure
    )
    rows = [
        [
            f"{entry.name}{' (recommended)' if entry.name == choice.name else ''}",
            *_format_wide(entry.estimates[choice.measure]),
            format_number(entry.estimates[other].mean, 3),
            format_fit_time(entry.seconds),
        ]
        for entry in choice.entries
    ]
    ceiling = "gradient-boosting is not interpretable: it shows what could be reached."
    drawn = (
        f"{choice.rows} rows, {choice.folds}, the same for all; one fit on one core, with its predictions."
    )
    failed = [f"{name} could not be fitted: {text}" for name, text in choice.failed.items()]
    head = ["student", MEASURE_NAMES[choice.measure], "95 %", MEASURE_NAMES[other], "one fit"]
    return Section(
        "Students compared",
        [
            Text(f"{choice.sentence} {ceiling}"),
            Table(PageTable(head, rows), "numbers scores"),
            *(Text(text, small=True) for text in [drawn, *failed]),
        ],
    )


def _format_wide(found: Interval) -> list[str]:
    """Mean and interval in the units of the target or of a share."""
    if not isfinite(found.low):
        return [format_number(found.mean), "–"]
    half = (found.high - found.low) / 2
    mean, low, high = format_rounded(
        [found.mean, found.low, found.high], half or abs(found.mean) / 100 or 1.0
    )
    return [mean, f"{low} to {high}"]


def settings_table(estimator: object) -> PageTable:
    found = estimator.get_params(deep=False)  # type: ignore[attr-defined]  # scikit-learn has no types
    return PageTable(["", ""], [[name, format_number(value)] for name, value in found.items()])


def _input_table(bars: SortedInputs | None) -> PageTable:
    """Table of weights or relevances, the largest first."""
    if bars is None:
        return NO_TABLE
    head = [line or "relevance" for line in bars.lines]
    columns = np.asarray(bars.values).T
    rows = [[n, *(format_number(float(v)) for v in c)] for n, c in zip(bars.features, columns, strict=True)]
    if bars.low is not None and bars.high is not None and len(head) == 1:
        ranges = zip(bars.low[0], bars.high[0], strict=True)
        rows = [
            [*row, f"{format_number(float(a), 3)} to {format_number(float(b), 3)}"]
            for row, (a, b) in zip(rows, ranges, strict=True)
        ]
        head.append("95 % of the folds")
    return PageTable(["input", *head], rows)


def inputs_picture(bars: SortedInputs | None) -> ReportPicture | None:
    """Figure of weights or relevances."""
    if bars is None:
        return None
    left = len(bars.features) - MAX_INPUT_BARS
    caption = bars.title + ("; lines: one standard error of the posterior" if bars.has_errors else "")
    caption += f"; {left} smaller ones are in the table." if left > 0 else "."
    if bars.low is not None and len(bars.values) <= MAX_BAR_LINES:
        caption += " Grey: 95 % range over the models of the folds, which share most of their rows."
    heading = bars.title if len(bars.lines) <= MAX_PRINTED_LINES else ""
    return ReportPicture("inputs", caption, (bars,), _input_table(bars), heading)


def importance_picture(
    found: dict[str, Interval], title: str, heading: str, rows: list[list[str]]
) -> ReportPicture | None:
    """Figure of the permutation importance of each column."""
    if not found:
        return None
    left = len(found) - MAX_INPUT_BARS
    caption = (
        f"{title} when the values of one column are permuted among the left-out rows (first repeat, 95 % "
        "intervals). Redundant columns replace each other, so that each has a small value."
    )
    caption += f" {left} less important columns are in the table." if left > 0 else ""
    return ReportPicture(
        "columns",
        caption,
        (found, title),
        PageTable(["column", "difference", "95 %"], rows),
        heading,
    )


def shorten_name(name: str, most: int) -> str:
    """Shorten a name to its beginning and end."""
    half = (most - 1) // 2
    return name if len(name) <= most else f"{name[:half]}…{name[-half:]}"


def shorten_names(names: list[str], most: int) -> list[str]:
    """Shorten names so that they stay distinct: by ends, by the differing middle, or numbered."""
    for made in ([shorten_name(name, most) for name in names], shorten_to_middles(names, most)):
        if len(set(made)) == len(set(names)):
            return made
    return [f"{k} {shorten_name(name, most - 4)}" for k, name in enumerate(names, 1)]


def shorten_to_middles(names: list[str], most: int) -> list[str]:
    """Shorten names to the part between their common prefix and suffix, with some context."""
    start = _common_prefix_length(names)
    end = _common_prefix_length([name[start:][::-1] for name in names])
    return [_cut_window(name, start, len(name) - end, most) for name in names]


def _common_prefix_length(names: list[str]) -> int:
    """Length of the common prefix."""
    letters = zip(*names, strict=False)
    return next((k for k, each in enumerate(letters) if len(set(each)) > 1), min(map(len, names)))


def _cut_window(name: str, start: int, stop: int, most: int) -> str:
    if len(name) <= most:
        return name
    spare = most - 2 - (stop - start)
    if spare < 0:
        return shorten_name(name[start:stop], most)
    left = max(start - spare // 2, 0)
    right = min(left + most - 2, len(name))
    return f"{'…' if left else ''}{name[left:right]}{'…' if right < len(name) else ''}"
