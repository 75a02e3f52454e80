"""Build the plan, with notes on the use of every column and the treatment of missing values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_count, shorten_list
from markone.tables.plan.column_kinds import (
    apply_notations,
    decide_kind,
    describe_notation,
    plan_ordered_words,
)
from markone.tables.plan.column_plan import (
    CODED,
    LEFT_OUT,
    MISSING_TEXT,
    NUMBER,
    TEXT,
    YES_NO,
    ColumnPlan,
    PlannedColumn,
)
from markone.tables.plan.target import (
    CLASSIFICATION,
    REGRESSION,
    count_classes,
    drop_rare_classes,
    drop_unlabelled,
    find_target,
    number_target_note,
    target_numbers,
)
from markone.tables.request import ColumnOptions

TREATMENTS = ("auto", "refuse", "drop", "median", "mean", "indicator", "mask")


def _treat_missing_rows(table: CellTable, plan: ColumnPlan, notes: list[str]) -> CellTable:
    """Return the rows that remain with the chosen treatment; raise with "refuse"."""
    absent: dict[str, Array] = {}
    for column in plan.used_columns:
        rows = table.columns[column.name].missing
        if rows.any():
            absent[column.name] = rows
    if not absent:
        return table
    counts = shorten_list([f"{name} {rows.sum()}" for name, rows in absent.items()], 8)
    markers = sorted({text for name in absent for text in table.columns[name].missing_markers})
    written = " or ".join("an empty cell" if text == "" else repr(text) for text in markers)
    if plan.missing == "refuse":
        raise BadTable(
            f"Values are missing (written as {written}), by column: {counts}. Choose with --missing: drop "
            "(leave out the rows), median or mean (of the training part of each fold), indicator (the "
            "median, and an extra 0/1 input), or mask (for models whose distance can skip a value)."
        )
    notes.append(f"Missing values (written as {written}), by column: {counts}.")
    if plan.missing != "drop":
        notes.append(_missing_treatment_note(plan, absent))
        return table
    gone = np.logical_or.reduce(list(absent.values()))
    if gone.all():
        raise BadTable(
            f"Every row has a missing value ({counts}): --missing drop leaves none. Try --missing median."
        )
    notes.append(f"{gone.sum()} of {len(table)} rows with a missing value were left out.")
    return table.only(np.flatnonzero(~gone))


def _missing_treatment_note(plan: ColumnPlan, absent: dict[str, Array]) -> str:
    filled = {
        "median": "Missing numbers are replaced by the median of the training part of each fold.",
        "mean": "Missing numbers are replaced by the mean of the training part of each fold.",
        "indicator": "Missing numbers are replaced by the median of the training part of each fold, with "
        "an extra 0/1 input per such column.",
        "mask": "Missing numbers are skipped in the model's distance.",
    }[plan.missing]
    texts = [c.name for c in plan.columns_of_kind(TEXT, CODED) if c.name in absent]
    return filled + (f" A missing text is a category of its own ({shorten_list(texts)})." if texts else "")


def make_plan(
    table: CellTable, options: ColumnOptions, task: str = CLASSIFICATION, asked: str = "auto"
) -> tuple[ColumnPlan, CellTable, list[str]]:
    """Return the plan, the rows used, and notes."""
    target = find_target(table, options)
    if options.missing not in TREATMENTS:
        raise BadTable(f"--missing must be one of {', '.join(TREATMENTS)}, not {options.missing!r}.")
    notes, missing = list(table.notes), options.treatment
    table = labelled_rows(table, target, options, task, notes)
    columns = _plan_columns(table, target, options)
    table = apply_notations(table, columns)
    plan = ColumnPlan(target, columns, missing, missing_words=options.missing_words)
    if missing == "indicator":
        plan = replace(plan, indicators=_indicator_columns(table, plan))
    if not plan.used_columns:
        reasons = "; ".join(f"{c.name!r}: {c.reason}" for c in columns[:5])
        raise BadTable(
            f"No column of {table.source} is left as an input ({reasons or 'there is only the target'})."
        )
    table = _treat_missing_rows(table, plan, notes)
    if task == REGRESSION:
        aim = number_target_note(table, target, target_numbers(table, target), asked)
    else:
        classes = count_classes(table, target)
        words = shorten_list([f"{label} {n}" for label, n in classes.items()], 20)
        aim = f"Target {target!r}: {len(classes)} classes, rows of each: {words}."
    return plan, table, [*notes, *_plan_notes(plan), aim]


def labelled_rows(
    table: CellTable, target: str, options: ColumnOptions, task: str, notes: list[str]
) -> CellTable:
    """Rows with a label, of classes that can be trained and tested."""
    table = drop_unlabelled(table, target, options.treatment, notes)
    return table if options.strict or task == REGRESSION else drop_rare_classes(table, target, notes)


def _indicator_columns(table: CellTable, plan: ColumnPlan) -> list[str]:
    """Columns with missing values; of those missing in the same rows, the first."""
    found: dict[bytes, str] = {}
    for column in plan.columns_of_kind(NUMBER, YES_NO):
        missing = table.columns[column.name].missing
        if missing.any():
            found.setdefault(np.packbits(missing).tobytes(), column.name)
    return list(found.values())


def _plan_columns(table: CellTable, target: str, options: ColumnOptions) -> list[PlannedColumn]:
    """Plan all columns; one error names everything that is wrong."""
    found, errors = [], []
    for name in table.columns:
        try:
            found += [] if name == target else [_plan_column(table, name, options)]
        except BadTable as error:
            errors.append(str(error))
    if errors:
        raise BadTable("\n".join(errors))
    return found


def _plan_column(table: CellTable, name: str, options: ColumnOptions) -> PlannedColumn:
    if name in options.drop:
        return PlannedColumn(name, LEFT_OUT, reason="it is in --drop")
    if name in (options.group, options.time):
        way = "group" if name == options.group else "time"
        return PlannedColumn(name, LEFT_OUT, reason=f"it determines the splits (--{way})", identity=True)
    if name in options.orders:
        return plan_ordered_words(table, name, options.orders[name])
    column = decide_kind(
        table, name, as_text=name in options.categorical, keep=name in options.keep, strict=options.strict
    )
    text = column.kind in (TEXT, CODED)
    if text and options.missing != "drop" and table.columns[name].missing.any():
        return replace(column, levels=[*column.levels, MISSING_TEXT])
    return column


def _plan_notes(plan: ColumnPlan) -> list[str]:
    """Notes on the use of each column."""
    notes = []
    numbers = [c for c in plan.columns_of_kind(NUMBER) if not c.notation]
    yes_no = plan.columns_of_kind(YES_NO)
    if numbers:
        notes.append(
            f"{format_count(len(numbers), 'column')} of numbers: {shorten_list([c.name for c in numbers])}."
        )
    if yes_no:
        notes.append(f"Yes or no, as 1 and 0: {shorten_list([c.name for c in yes_no])}.")
    for column in plan.columns_of_kind(TEXT):
        new = column.shown_levels
        inputs = "one 0/1 input" if len(new) == 1 else f"{len(new)} 0/1 inputs"
        notes.append(f"Text column {column.name!r} became {inputs}: {shorten_list(new, 8)}.")
    for column in plan.columns_of_kind(NUMBER):
        if column.notation:
            notes.append(f"Column {column.name!r} holds {describe_notation(column.notation)}.")
    for column in plan.columns_of_kind(CODED):
        notes.append(
            f"Text column {column.name!r} of {len(column.levels)} values became the mean of the target for "
            "each value, by cross-fitting in the training part of each fold."
        )
    notes += [f"Left out: column {c.name!r}, because {c.reason}." for c in plan.columns_of_kind(LEFT_OUT)]
    return notes
