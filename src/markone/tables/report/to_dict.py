"""Results as plain dictionaries, lists, numbers and texts; NaN is null."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from typing import Any

import numpy as np

from markone.tables.comparing.differences import StudentChoice
from markone.tables.fit_result import FitResult, RegressionResult
from markone.tables.inspect.learning_curve import LearningCurve
from markone.tables.inspect.model_summary import ModelSummary, SortedInputs
from markone.tables.inspect.row_intervals import scores_per_class
from markone.tables.inspect.validation_diagnostics import column_importance
from markone.tables.plan.target import REGRESSION
from markone.tables.report.class_report import always_misclassified, describe_folds
from markone.tables.report.formats import TIMES, describe_splits, rows_needed
from markone.tables.report.headline import class_headline, model_card
from markone.tables.report.number_report import regression_headline
from markone.tables.scoring import INTERVAL_LEVEL


def class_fit_to_dict(fitted: FitResult) -> dict[str, Any]:
    validation, headline = fitted.validation, class_headline(fitted)
    content = {
        **_shared_facts(fitted, headline),
        "classes": fitted.class_counts,
        "positive": fitted.judge.positive,
        "settings": fitted.pipeline["model"].get_params(deep=False),
        "folds_made": describe_folds(fitted),
        "baseline": fitted.baseline,
        "confusion": validation.confusion,
        "folds": [{"scores": fold.measures, "chosen": fold.chosen} for fold in validation.folds],
        "always_wrong": always_misclassified(fitted),
        "rows_to_look_at": fitted.cases,
        "per_class": scores_per_class(fitted.judge, validation.confusion),
        "prices": fitted.judge.prices,
        "probabilities": fitted.probabilities,
        "rejection": fitted.rejection,
        "sets": fitted.sets,
        "model_card": dict(model_card(fitted, headline, describe_folds(fitted)).rows),
        "training_range": fitted.training,
        "student": {"problems": fitted.summary.problems, "support": fitted.summary.support}
        | _student(fitted.summary),
    }
    return dict(to_plain(content))


def number_fit_to_dict(fitted: RegressionResult) -> dict[str, Any]:
    validation, headline = fitted.validation, regression_headline(fitted)
    splits = describe_splits(validation.how, fitted.request)
    content = {
        "task": REGRESSION,
        **_shared_facts(fitted, headline),
        "settings": fitted.regressor.get_params(deep=False),
        "folds": [
            {"scores": fold.measures, "chosen": fold.chosen, "seconds": fold.seconds}
            for fold in validation.folds
            if fold.measures
        ],
        "band": {"level": INTERVAL_LEVEL, "half_width": fitted.width},
        "coverage": {c.name: {"promised": c.levels, "found": c.shares} for c in validation.coverage},
        "model_card": dict(model_card(fitted, headline, splits).rows),
        "student": _student(fitted.summary),
    }
    return dict(to_plain(content))


def _students_to_dict(choice: StudentChoice | None) -> dict[str, Any] | None:
    """The students compared by default."""
    if choice is None:
        return None
    scored = {e.name: e.estimates | {"seconds": e.seconds} for e in choice.entries}
    return {"recommended": choice.name, "why": choice.sentence, "measure": choice.measure, "models": scored}


def _shared_facts(fitted: FitResult | RegressionResult, headline: str) -> dict[str, Any]:
    validation = fitted.validation
    return {
        "data": fitted.request.data,
        "target": fitted.plan.target,
        "rows": len(fitted.rows),
        "inputs": fitted.plan.feature_names,
        "headline": headline,
        "findings": fitted.findings,
        "notes": fitted.notes,
        "model": fitted.model,
        "cv": str(validation.how),
        "seed": fitted.request.seed,
        "scores": validation.estimates,
        "chosen": fitted.chosen,
        "column_importance": column_importance(validation),
        "units_apart": fitted.apart,
        "students": _students_to_dict(fitted.students),
        "more_rows": _curve_to_dict(fitted.more, len(fitted.rows)),
        "data_sha256": fitted.data_hash,
        "seconds": fitted.seconds,
    }


def _curve_to_dict(curve: LearningCurve | None, P: int) -> dict[str, Any] | None:
    """The measured learning curve, its forecast, and the rows needed in sentences."""
    if curve is None:
        return None
    bands = {
        times * P: dict(zip(("median", "low", "high"), curve.forecast.band_at(times * P), strict=True))
        for times in TIMES
    }
    return {
        "measure": curve.measure,
        "measured": dict(zip(curve.sizes.astype(int).tolist(), curve.means, strict=True)),
        "forecast": bands,
        "needed": rows_needed(curve, P),
    }


def _student(summary: ModelSummary) -> dict[str, Any]:
    found: dict[str, Any] = {"sentences": summary.sentences}
    bars = summary.bars
    if bars is not None:
        found |= {"title": bars.title, "inputs": _values_by_input(bars)}
        if bars.low is not None and bars.high is not None:
            ends = {"low": bars.low, "high": bars.high}
            found["over_folds"] = {key: _values_by_input(replace(bars, values=v)) for key, v in ends.items()}
    if summary.prototypes is not None:
        labels, values = summary.prototypes
        found["prototypes"] = [{"class": a, "at": v} for a, v in zip(labels, values, strict=True)]
    return found


def _values_by_input(bars: SortedInputs) -> dict[str, Any]:
    return {name: bars.values[:, k] for k, name in enumerate(bars.features)}


def to_plain(value: Any) -> Any:
    """Convert to types of JSON: fields of data classes by name."""
    if is_dataclass(value):
        value = vars(value)
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return to_plain(value.tolist())
    if isinstance(value, list | tuple):
        return [to_plain(part) for part in value]
    if isinstance(value, np.generic):
        return to_plain(value.item())
    if isinstance(value, float):
        return value if np.isfinite(value) else ("inf" if value == np.inf else None)
    return value if isinstance(value, bool | int | str | None) else str(value)
