"""`markone predict`: a saved student meets a new table."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import is_missing
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.files import harmless
from markone.numerics.text import count, shortened
from markone.tables import source
from markone.tables.model_file import SavedModel
from markone.tables.plan import encoding
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.scores import scores_of
from markone.tables.source import no_column


@dataclass(frozen=True)
class Predictions:
    """A row of `cells` for each row of the table, the last ones being `numbers`; `measures` where the truth
    was in it."""

    header: list[str]
    cells: list[list[str]]
    notes: list[str]
    labels: Array
    scores: Array | None
    numbers: dict[str, Array]
    measures: dict[str, float]


def read(model: SavedModel, data: str, header: bool = True) -> CellTable:
    """The table to be predicted; what the plan takes for texts is kept as it is written."""
    return source.read(data, header=header, texts=model.plan.written, most=None)


def predict(model: SavedModel, table: CellTable, proba: bool = False) -> Predictions:
    """The class of each row of a table with the columns of the fit, and the probabilities if asked for."""
    notes = [*table.notes, *fits(table, model.plan)]
    refuse_missing(table, model.plan)
    X = encoding.inputs(table, model.plan)
    pipeline = model.pipeline
    labels, scores = pipeline.predict(X), scores_of(pipeline, X)
    header, columns = ["row"], [[str(row) for row in table.rows]]
    for column in (c for c in model.plan.columns if c.identity and c.name in table.columns):
        header.append(column.name)
        columns.append(table.columns[column.name].texts())
    header.append("label")
    columns.append([str(label) for label in labels])
    numbers = shares(model, X) if proba else named_scores(model, scores)
    for name, values in numbers.items():
        header.append(name)
        columns.append([repr(float(v)) for v in values])
    cells = [list(row) for row in zip(*columns, strict=True)]
    measures = judged(model, table, labels, scores, notes)
    return Predictions(header, cells, notes, labels, scores, numbers, measures)


def fits(table: CellTable, plan: ColumnPlan) -> list[str]:
    """Refuse a table in which a column is missing; name those that nobody needs."""
    needed = [column.name for column in plan.used]
    absent = [name for name in needed if name not in table.columns]
    if len(absent) == 1:
        raise no_column(absent[0], [name for name in table.columns if name not in needed], table.source)
    if absent:
        raise BadTable(
            f"{table.source} lacks {len(absent)} columns that the model needs: {shortened(absent)}."
        )
    known = {column.name for column in plan.columns} | {plan.target, table.target}
    extra = [name for name in table.columns if name not in known]
    return [f"Ignored, since the model was fitted without: {shortened(extra)}."] if extra else []


def refuse_missing(table: CellTable, plan: ColumnPlan) -> None:
    """A missing value is a matter for the model only if it was taught what to do about it."""
    if plan.missing in ("median", "mean", "mask"):
        return
    for column in plan.used:
        for row in table.rows[table.columns[column.name].missing][:1]:
            raise BadTable(
                f"Column {column.name!r} is missing in row {row}, and the model was not taught to fill "
                "it. Fit it with --missing median, or leave the row out."
            )


def named_scores(model: SavedModel, scores: Array | None) -> dict[str, Array]:
    """Two classes: one score, large for the positive one. More: one for each class."""
    if scores is None:
        return {}
    if scores.ndim == 1:
        classes = model.judge.classes
        return {f"score {model.judge.positive}": scores if model.judge.positive == classes[1] else -scores}
    return {f"score {label}": scores[:, k] for k, label in enumerate(model.judge.classes)}


def shares(model: SavedModel, X: Array) -> dict[str, Array]:
    if not hasattr(model.pipeline, "predict_proba"):
        name = type(model.pipeline["model"]).__name__
        raise ValueError(f"{name} gives scores, not probabilities: leave out --proba.")
    found = model.pipeline.predict_proba(X)
    return {f"probability {label}": found[:, k] for k, label in enumerate(model.judge.classes)}


def judged(
    model: SavedModel, table: CellTable, labels: Array, scores: Array | None, notes: list[str]
) -> dict[str, float]:
    """The scores, if the table has the truth in it."""
    target = table.target or model.plan.target
    if target not in table.columns:
        return {}
    y = np.array(table.columns[target].texts())
    known = np.isin(y, model.judge.classes)
    if not known.all():
        strange = sorted({str(label) for label in y[~known] if not is_missing(label)})
        what = f"a class the model does not know ({shortened(strange, 5)})" if strange else "no class"
        notes.append(
            f"{count(int((~known).sum()), 'row')} of {target!r} have {what}; the scores are of the others."
        )
    if not known.any():
        return {}
    return model.judge.measure(y[known], labels[known], None if scores is None else scores[known])


def as_csv(predicted: Predictions) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(harmless, predicted.header))
    writer.writerows(map(harmless, row) for row in predicted.cells)
    return text.getvalue()
