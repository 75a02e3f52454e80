"""`markone predict`: a saved student meets a new table."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import numpy as np

from markone.data.dialect import BadTable, is_missing
from markone.lab.fitting import encoding
from markone.lab.fitting.plan import Plan
from markone.lab.fitting.raw import Raw, no_column, short
from markone.lab.fitting.saving import Model
from markone.lab.fitting.scores import scores_of
from markone.numerics.arrays import Array
from markone.numerics.text import count


@dataclass(frozen=True)
class Predicted:
    """A row of `cells` for each row of the table, the last ones being `numbers`; `measures` where the truth
    was in it."""

    header: list[str]
    cells: list[list[str]]
    notes: list[str]
    labels: Array
    scores: Array | None
    numbers: dict[str, Array]
    measures: dict[str, float]


def predict(model: Model, raw: Raw, proba: bool = False) -> Predicted:
    notes = [*raw.notes, *fits(raw, model.plan)]
    raw = with_rows(raw, model.plan)
    X = encoding.inputs(raw, model.plan)
    pipeline = model.pipeline
    labels, scores = pipeline.predict(X), scores_of(pipeline, X)
    header, columns = ["row"], [[str(row) for row in raw.numbers]]
    for column in (c for c in model.plan.columns if c.identity and c.name in raw.columns):
        header.append(column.name)
        columns.append(raw.columns[column.name])
    header.append("label")
    columns.append([str(label) for label in labels])
    numbers = shares(model, X) if proba else named_scores(model, scores)
    for name, values in numbers.items():
        header.append(name)
        columns.append([repr(float(v)) for v in values])
    cells = [list(row) for row in zip(*columns, strict=True)]
    measures = judged(model, raw, labels, scores, notes)
    return Predicted(header, cells, notes, labels, scores, numbers, measures)


def fits(raw: Raw, plan: Plan) -> list[str]:
    """Refuse a table in which a column is missing; name those that nobody needs."""
    needed = [column.name for column in plan.used]
    absent = [name for name in needed if name not in raw.columns]
    if len(absent) == 1:
        raise no_column(absent[0], [name for name in raw.columns if name not in needed], raw.source)
    if absent:
        raise BadTable(f"{raw.source} lacks {len(absent)} columns that the model needs: {short(absent)}.")
    known = {column.name for column in plan.columns} | {plan.target, raw.target}
    extra = [name for name in raw.columns if name not in known]
    return [f"Ignored, since the model was fitted without: {short(extra)}."] if extra else []


def with_rows(raw: Raw, plan: Plan) -> Raw:
    """A missing value is a matter for the model only if it was taught what to do about it."""
    if plan.missing in ("median", "mean", "mask"):
        return raw
    for column in plan.used:
        for row, cell in zip(raw.numbers, raw.columns[column.name], strict=True):
            if is_missing(cell):
                raise BadTable(
                    f"Column {column.name!r} is missing in row {row}, and the model was not taught to fill "
                    "it. Fit it with --missing median, or leave the row out."
                )
    return raw


def named_scores(model: Model, scores: Array | None) -> dict[str, Array]:
    """Two classes: one score, large for the positive one. More: one for each class."""
    if scores is None:
        return {}
    if scores.ndim == 1:
        classes = model.judge.classes
        return {f"score {model.judge.positive}": scores if model.judge.positive == classes[1] else -scores}
    return {f"score {label}": scores[:, k] for k, label in enumerate(model.judge.classes)}


def shares(model: Model, X: Array) -> dict[str, Array]:
    if not hasattr(model.pipeline, "predict_proba"):
        name = type(model.pipeline["model"]).__name__
        raise ValueError(f"{name} gives scores, not probabilities: leave out --proba.")
    found = model.pipeline.predict_proba(X)
    return {f"probability {label}": found[:, k] for k, label in enumerate(model.judge.classes)}


def judged(model: Model, raw: Raw, labels: Array, scores: Array | None, notes: list[str]) -> dict[str, float]:
    """The scores, if the table has the truth in it."""
    target = raw.target or model.plan.target
    if target not in raw.columns:
        return {}
    y = np.array(raw.columns[target])
    known = np.isin(y, model.judge.classes)
    if not known.all():
        strange = sorted({str(label) for label in y[~known] if not is_missing(label)})
        what = f"a class the model does not know ({short(strange, 5)})" if strange else "no class"
        notes.append(
            f"{count(int((~known).sum()), 'row')} of {target!r} have {what}; the scores are of the others."
        )
    if not known.any():
        return {}
    return model.judge.measure(y[known], labels[known], None if scores is None else scores[known])


def as_csv(predicted: Predicted) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(predicted.header)
    writer.writerows(predicted.cells)
    return text.getvalue()
