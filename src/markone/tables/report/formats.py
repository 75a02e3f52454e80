"""Formatting shared by the reports: intervals, splits, settings, weights, short names."""

from __future__ import annotations

from math import isfinite

import numpy as np

from markone.numerics.text import format_count, format_number, format_rounded
from markone.show.page import PageTable
from markone.tables.comparing.differences import StudentChoice
from markone.tables.fit_result import FitResult, TableResult
from markone.tables.inspect.learning_curve import BAND, MOST_TIMES, REACHED, LearningCurve
from markone.tables.inspect.model_summary import ModelSummary, SortedInputs
from markone.tables.inspect.validation_diagnostics import column_importance
from markone.tables.report.blocks import (
    BOTH,
    MAX_BAR_LINES,
    MAX_INPUT_BARS,
    NO_TABLE,
    PAGE,
    ReportPicture,
    Section,
    Table,
    Text,
    count_drawn_inputs,
)
from markone.tables.request import FitRequest, Folds
from markone.tables.scoring import MEASURE_NAMES, Interval
from markone.tables.validation import Validation

# Above this number of classes the weights are not printed.
MAX_PRINTED_LINES = 6


def format_interval(found: Interval, least: float = 2e-3) -> list[str]:
    """Mean and 95 % interval, with the digits that the interval allows (its width is at least `least`).

    Shares have three digits without an interval; with `least` 0 the values are in units of the target.
    """
    if not isfinite(found.mean):
        return ["–", "–"]
    if not isfinite(found.low):
        return [f"{found.mean:.3f}" if least else format_number(found.mean), "–"]
    half = max(found.high - found.low, least) / 2 or abs(found.mean) / 100 or 1.0
    mean, low, high = format_rounded([found.mean, found.low, found.high], half)
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
            *format_interval(entry.estimates[choice.measure], 0),
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


def table_of_prototypes(summary: ModelSummary, names: list[str]) -> PageTable:
    if summary.prototypes is None:
        return NO_TABLE
    labels, values = summary.prototypes
    rows = [[a, *(format_number(float(v)) for v in line)] for a, line in zip(labels, values, strict=True)]
    header = ["class", *names]
    if len(header) > len(rows):
        # A long table is easier to read than a wide one.
        header, *rows = (list(column) for column in zip(header, *rows, strict=True))
    return PageTable(header, rows)


def inputs_picture(bars: SortedInputs | None) -> ReportPicture | None:
    """Figure of weights or relevances."""
    if bars is None:
        return None
    left = len(bars.features) - count_drawn_inputs(1 if bars.has_errors else len(bars.lines))
    caption = bars.title + ("; lines: one standard error of the posterior" if bars.has_errors else "")
    caption += "; smaller ones are in the table." if left > 0 else "."
    if bars.low is not None and len(bars.values) <= MAX_BAR_LINES:
        caption += " Lines: 95 % range over the models of the folds, which share most of their rows."
    heading = bars.title if len(bars.lines) <= MAX_PRINTED_LINES else ""
    return ReportPicture("inputs", caption, (bars,), _input_table(bars), heading)


def importance_picture(validation: Validation, title: str, least: float = 2e-3) -> ReportPicture | None:
    """Figure of the permutation importance of each column."""
    found = column_importance(validation)
    if not found:
        return None
    left = len(found) - MAX_INPUT_BARS
    caption = (
        f"{title} when the values of one column are permuted among the left-out rows (first repeat, 95 % "
        "intervals). Redundant columns replace each other, so that each has a small value."
    )
    caption += f" {left} less important columns are in the table." if left > 0 else ""
    rows = [[name, *format_interval(each, least)] for name, each in found.items()]
    table = PageTable(["column", "difference", "95 %"], rows)
    return ReportPicture("columns", caption, (found, title), table, f"{title} when a column is permuted")


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


TIMES = (1, 2, 4, MOST_TIMES)
PERCENT = f"{100 * BAND:.0f} %"


def more_rows_section(fitted: TableResult) -> Section:
    """Measured and forecast errors, the rows needed for rounder scores, the paragraph of a publication.

    Printed on a terminal only if requested.
    """
    curve = fitted.more
    if curve is None:
        return Section("More rows", [])
    P, name = len(fitted.rows), _error_name(curve)
    caption = (
        f"{name[0].upper()}{name[1:]} by the rows of the training part: measured on nested parts (mean over "
        f"the folds, on the same test rows), and the {PERCENT} band of power laws that agree with it."
    )
    heading, where = (f"{name} with more rows", BOTH) if fitted.request.more else ("", (PAGE,))
    picture = ReportPicture("more", caption, (curve, name), _curve_table(curve, P), heading)
    paragraph = f"To copy (TRIPOD+AI, sample size): {_sample_size_paragraph(fitted, curve)}"
    needed, last = (
        [Text(text, where=where) for text in texts] for texts in (rows_needed(curve, P), [paragraph])
    )
    return Section("More rows", [*needed, picture, *last])


def _error_name(curve: LearningCurve) -> str:
    name = MEASURE_NAMES[curve.measure]
    return name if curve.measure == "rmse" else f"1 - {name}"


def _format_band(curve: LearningCurve, n: int) -> list[str]:
    """Median and ends of the forecast error."""
    middle, *ends = (format_number(value, 3) for value in curve.forecast.band_at(n))
    return [middle, " to ".join(ends)]


def _curve_table(curve: LearningCurve, P: int) -> PageTable:
    measured = zip(curve.sizes, curve.means, strict=True)
    rows = [[f"{n:.0f}", format_number(float(e), 3), "measured"] for n, e in measured]
    rows += [[str(times * P), *_format_band(curve, times * P)] for times in TIMES]
    return PageTable(["training rows", _error_name(curve), f"forecast, {PERCENT}"], rows)


def rows_needed(curve: LearningCurve, P: int) -> list[str]:
    """Rows needed for the next scores above the present one; for numbers the error of four times the rows."""
    measure, forecast = curve.measure, curve.forecast
    if measure == "rmse":
        middle, band = _format_band(curve, 4 * P)
        now = _format_band(curve, P)[0]
        return [f"With {4 * P} rows the error is expected at {middle} ({PERCENT}: {band}), now {now}."]
    texts = []
    for level in [level for level in REACHED if 1 - level < forecast.band_at(P)[0]][:2]:
        low, high, share = forecast.rows_to_reach(1 - level)
        few, start = max(low, P), f"To reach {MEASURE_NAMES[measure]} of {100 * level:g} %"
        if share < 0.5 or few > MOST_TIMES * P:
            texts.append(f"{start}, more rows are not enough: not with this model.")
        elif isfinite(high) and high <= 1000 * P:
            texts.append(f"{start} you need {_round_rows(few)} to {_round_rows(high)} rows.")
        else:
            never = f"{100 * (1 - share):.0f} % probability"
            texts.append(
                f"{start} you need {_round_rows(few)} rows or many more; with {never} it never does."
            )
    return texts


def _round_rows(n: float) -> str:
    """Two digits: the band allows no more."""
    unit = 10 ** max(int(np.floor(np.log10(max(n, 1)))) - 1, 0)
    return f"{int(np.ceil(n / unit) * unit)}"


def _sample_size_paragraph(fitted: TableResult, curve: LearningCurve) -> str:
    """The justification of the sample size that TRIPOD+AI asks for."""
    P, N = len(fitted.rows), len(fitted.plan.feature_names)
    rows = f"{format_count(P, 'row')} ({P / N:.1f} for each of {format_count(N, 'input')})"
    if isinstance(fitted, FitResult):
        label, events = min(fitted.class_counts.items(), key=lambda pair: pair[1])
        rows += f", {events} of the smallest class {label!r} ({events / N:.1f} for each input),"
    found = fitted.validation.estimates[curve.measure]
    parts = ", ".join(f"{e:.3g} with {n:.0f}" for n, e in zip(curve.sizes, curve.means, strict=True))
    middle, band = _format_band(curve, 2 * P)
    return (
        f"All available {rows} were used; no sample size was calculated beforehand. The cross-validated "
        f"{MEASURE_NAMES[curve.measure]} of the model ({fitted.model}) is {found.mean:.3g} (95 %: "
        f"{found.low:.3g} to {found.high:.3g}). On nested training sets {_error_name(curve)} was {parts} "
        f"rows. Twice the rows are expected to give {middle} ({PERCENT} interval {band}), by power laws "
        "fitted to this learning curve."
    )
