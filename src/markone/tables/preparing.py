"""Inputs and labels by the plan; scaling and model as one pipeline."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables import models, splitting
from markone.tables.answers.drift import TrainingRange, training_range
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding
from markone.tables.findings.looking import look
from markone.tables.plan import encoding, making
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.plan.target import labelled
from markone.tables.plan.ties import RowTies
from markone.tables.request import FitRequest, Folds
from markone.tables.scaling import Scaling
from markone.tables.source import read
from markone.tables.splitting import FREE


@dataclass
class Prepared:
    """Inputs, target and row numbers of the rows used, with plan, notes and findings."""

    plan: ColumnPlan
    X: Array
    y: Array
    rows: list[int]
    notes: list[str]
    ties: RowTies = FREE
    findings: list[TableFinding] = field(default_factory=list)
    training: TrainingRange | None = None


def the_table(asked: FitRequest) -> CellTable:
    return read(
        asked.data, header=asked.header, texts=asked.options.written, rows=asked.rows, seed=asked.seed
    )


def prepare(asked: FitRequest, how: Folds, table: CellTable) -> Prepared:
    plan, kept, notes = making.make(table, asked.options)
    X, y = encoding.inputs(kept, plan), encoding.labels(kept, plan)
    table = labelled(table, plan.target, plan.missing, [])
    seen = Evidence(table, plan, encoding.labels(table, plan), X, y, kept.rows, how)
    ties = splitting.ties_of(kept, asked.options, seen)
    return Prepared(plan, X, y, kept.rows.tolist(), notes, ties, look(seen), training_range(kept, plan))


def assemble(asked: FitRequest, plan: ColumnPlan, model: Any, notes: list[str]) -> Pipeline:
    """Combine scaling and model, so that both are fitted in each fold; append notes."""
    if asked.scale not in ("standard", "none"):
        raise ValueError(f"--scale must be standard or none, not {asked.scale!r}.")
    if plan.missing == "mask" and not get_tags(model).input_tags.allow_nan:
        raise BadTable(
            f"{models.called(asked.model, model)} cannot skip missing values, so --missing mask does not "
            "apply. Use --missing median, mean, indicator or drop, or a model that can: "
            f"{', '.join(models.masking())}."
        )
    if plan.n_numbers:
        done = "The numbers were not scaled (--scale none)."
        if asked.scale == "standard":
            done = (
                "Numbers were scaled to z-scores, with mean and deviation of the training part of each fold."
            )
            done += " 0/1 inputs stay as they are." if len(plan.feature_names) > plan.n_numbers else ""
        notes.append(done)
    fill = {"median": "median", "mean": "mean", "indicator": "median"}.get(plan.missing, "mask")
    scaling = Scaling(plan.n_numbers, asked.scale, fill)
    return Pipeline([("scaling", scaling), ("model", model)])
