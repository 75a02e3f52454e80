"""Inputs and target by the plan; scaling and model as one pipeline."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables import models, row_splits
from markone.tables.answers.drift import TrainingRange, training_range
from markone.tables.findings import column_checks, leak_checks, row_checks, target_checks
from markone.tables.findings.evidence import Check, Evidence, TableFinding
from markone.tables.findings.row_units import (
    find_near_copies,
    find_unit_column,
    near_copies_finding,
    unit_finding,
)
from markone.tables.plan import column_plan
from markone.tables.plan.build_plan import labelled_rows, make_plan
from markone.tables.plan.column_kinds import apply_notations, mark_missing_words
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.plan.target import REGRESSION, find_target, read_target_numbers, target_numbers
from markone.tables.request import ColumnOptions, FitRequest, Folds, requested_folds
from markone.tables.row_splits import NO_TIES, RowTies, join_groups
from markone.tables.scaling import ScaledTarget, Scaling
from markone.tables.source import read_data, sample_table_rows

CLASS_CHECKS: tuple[Check, ...] = (
    target_checks.find_missing_by_class,
    leak_checks.find_leaks,
    column_checks.find_rule_changes,
)
NUMBER_CHECKS: tuple[Check, ...] = (
    lambda seen: target_checks.number_findings(*seen.measured_inputs),
    lambda seen: target_checks.find_target_outliers(seen.kept_y, seen.kept_rows),
)
SHARED_CHECKS: tuple[Check, ...] = (
    row_checks.find_order_effects,
    column_checks.find_unit_changes,
    row_checks.find_duplicates,
    column_checks.find_spelling_variants,
    column_checks.find_unusual_values,
    row_checks.find_small_samples,
)


@dataclass
class PreparedData:
    """Inputs, target and row numbers of the rows used, with plan, notes and findings."""

    plan: ColumnPlan
    X: Array
    y: Array
    rows: list[int]
    notes: list[str]
    how: Folds
    options: ColumnOptions = field(default_factory=ColumnOptions)
    ties: RowTies = NO_TIES
    # Where rows of one unit were found: what is kept together, and the constraints without it.
    together: str = ""
    loose: RowTies = NO_TIES
    findings: list[TableFinding] = field(default_factory=list)
    training: TrainingRange | None = None


def read_requested_table(asked: FitRequest) -> CellTable:
    if asked.table is not None:
        table = sample_table_rows(asked.table, asked.rows, asked.seed)
    else:
        texts = asked.options.written
        table = read_data(asked.data, header=asked.header, texts=texts, rows=asked.rows, seed=asked.seed)
    table = mark_missing_words(table, asked.options.missing_words)
    return table if asked.options.strict else read_target_numbers(table, asked.options, asked.task)


def prepare_data(asked: FitRequest, table: CellTable, task: str) -> PreparedData:
    """Plan and encode the table, and check it; rows of one unit become a group if folds are possible."""
    options = asked.options
    typos = target_checks.find_label_typos(table, find_target(table, options), task)
    if not (options.strict or options.group or options.time):
        target = find_target(table, options)
        labelled = labelled_rows(table, target, options, task, [])
        ignored = {*options.drop, *options.keep}
        unit = find_unit_column(labelled, target, task != REGRESSION, ignored)
        for group, clusters in [(unit, False)] * bool(unit) + [(None, True)]:
            try:
                data = _prepare(asked, replace(options, group=group), table, task, clusters)
                if data.together:
                    row_splits.make_splits(data.how, data.y, asked.seed, data.ties, task)
            except BadTable:
                continue
            data.findings[:0] = typos
            return data
    data = _prepare(asked, options, table, task)
    data.findings[:0] = typos
    return data


def _prepare(
    asked: FitRequest, options: ColumnOptions, table: CellTable, task: str, clusters: bool = False
) -> PreparedData:
    plan, kept, notes = make_plan(table, options, task, asked.task)
    how, is_number = requested_folds(asked), task == REGRESSION
    X, y = column_plan.encode_inputs(kept, plan), _target(kept, plan, task)
    table = apply_notations(labelled_rows(table, plan.target, options, task, []), plan.columns)
    seen = Evidence(table, plan, _target(table, plan, task), X, y, kept.rows, how, of_numbers=is_number)
    loose = row_splits.find_row_ties(kept, asked.options, seen)
    ties, together = row_splits.find_row_ties(kept, options, seen), ""
    first: list[TableFinding] = []
    copies = find_near_copies(X[:, : plan.n_numbers]) if clusters else None
    if copies is not None:
        ties = replace(ties, groups=join_groups(ties.groups, copies))
        together, first = "near copies", [near_copies_finding(copies)]
    elif options.group != asked.options.group:
        together, first = f"rows of one {options.group!r}", [unit_finding(table, str(options.group))]
    if not options.strict:
        how = row_splits.lower_folds(how, y, ties, task, notes)
    found = [*first, *run_all_checks(replace(seen, how=how))]
    rows, ranges = kept.rows.tolist(), training_range(kept, plan)
    return PreparedData(plan, X, y, rows, notes, how, options, ties, together, loose, found, ranges)


def run_all_checks(seen: Evidence) -> list[TableFinding]:
    """Return all findings, those that question the score first."""
    checks = [*(NUMBER_CHECKS if seen.of_numbers else CLASS_CHECKS), *SHARED_CHECKS]
    found = [finding for check in checks for finding in check(seen)]
    return sorted(found, key=lambda finding: not finding.doubts_score)


def _target(table: CellTable, plan: ColumnPlan, task: str) -> Array:
    return (
        target_numbers(table, plan.target) if task == REGRESSION else column_plan.target_labels(table, plan)
    )


def build_pipeline(
    asked: FitRequest, plan: ColumnPlan, model: Any, name: str, notes: list[str], task: str
) -> Pipeline:
    """Combine scaling and model, so that both are fitted in each fold; append notes."""
    if asked.scale not in ("standard", "none"):
        raise ValueError(f"--scale must be standard or none, not {asked.scale!r}.")
    if plan.missing == "mask" and not get_tags(model).input_tags.allow_nan:
        raise BadTable(_mask_message(name, task))
    if plan.n_numbers:
        done = "The numbers were not scaled (--scale none)."
        if asked.scale == "standard":
            done = (
                "Numbers were scaled to z-scores, with mean and deviation of the training part of each fold."
            )
            done += " 0/1 inputs stay as they are." if len(plan.feature_names) > plan.n_numbers else ""
        notes.append(done)
    fill = {"median": "median", "mean": "mean", "indicator": "median"}.get(plan.missing, "mask")
    scaling = Scaling(plan.n_numbers, asked.scale, fill, plan.n_coded)
    return Pipeline([("scaling", scaling), ("model", ScaledTarget(model) if task == REGRESSION else model)])


def _mask_message(name: str, task: str) -> str:
    text = f"{name} cannot skip missing values, so --missing mask does not apply. Use --missing median, mean"
    if task == REGRESSION:
        return f"{text} or drop, or --model gradient-boosting."
    return f"{text}, indicator or drop, or a model that can: {', '.join(models.models_with_masking())}."
