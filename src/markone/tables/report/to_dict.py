"""Results as plain dictionaries, lists, numbers and texts; NaN is null."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from markone.tables.fit_result import FitResult
from markone.tables.inspect.importance import column_importance
from markone.tables.inspect.per_class import scores_per_class
from markone.tables.report.fit_text import always_misclassified, describe_folds
from markone.tables.report.headline import class_headline
from markone.tables.report.inspection import fit_reliability
from markone.tables.report.model_card import classifier_card


def fit_to_dict(fitted: FitResult) -> dict[str, Any]:
    validation, summary = fitted.validation, fitted.summary
    content = {
        "data": fitted.request.data,
        "target": fitted.plan.target,
        "rows": len(fitted.rows),
        "inputs": fitted.plan.feature_names,
        "classes": fitted.class_counts,
        "positive": fitted.judge.positive,
        "headline": class_headline(fitted),
        "findings": [vars(finding) for finding in fitted.findings],
        "notes": fitted.notes,
        "model": fitted.model,
        "settings": fitted.pipeline["model"].get_params(deep=False),
        "cv": str(validation.how),
        "folds_made": describe_folds(fitted),
        "seed": fitted.request.seed,
        "scores": {name: vars(found) for name, found in validation.estimates.items()},
        "baseline": fitted.baseline,
        "confusion": validation.confusion,
        "folds": [{"scores": fold.measures, "chosen": fold.chosen} for fold in validation.folds],
        "chosen": fitted.chosen,
        "always_wrong": always_misclassified(fitted),
        "rows_to_look_at": [vars(case) for case in fitted.cases],
        "per_class": [as_plain_dict(c) for c in scores_per_class(fitted.judge, validation.confusion)],
        "prices": fitted.judge.prices,
        "reliability": as_plain_dict(fit_reliability(fitted)),
        "rejection": as_plain_dict(fitted.rejection),
        "column_importance": {name: vars(found) for name, found in column_importance(validation).items()},
        "missing_ways": [as_plain_dict(way) for way in fitted.missing_ways],
        "data_sha256": fitted.data_hash,
        "model_card": dict(classifier_card(fitted).rows),
        "training_range": as_plain_dict(fitted.training),
        "student": {
            "sentences": summary.sentences,
            "problems": summary.problems,
            "support": summary.support,
        },
        "seconds": fitted.seconds,
    }
    if summary.bars is not None:
        content["student"] |= {"title": summary.bars.title, "inputs": values_by_input(summary.bars)}
        if summary.bars.low is not None and summary.bars.high is not None:
            ends = {"low": summary.bars.low, "high": summary.bars.high}
            content["student"] |= {
                "over_folds": {
                    key: values_by_input(replace(summary.bars, values=v)) for key, v in ends.items()
                }
            }
    if summary.prototypes is not None:
        labels, values = summary.prototypes
        content["student"] |= {
            "prototypes": [{"class": a, "at": v} for a, v in zip(labels, values, strict=True)]
        }
    made: dict[str, Any] = to_plain(content)
    return made


def as_plain_dict(found: Any) -> Any:
    return None if found is None else asdict(found)


def values_by_input(bars: Any) -> dict[str, Any]:
    return {name: bars.values[:, k] for k, name in enumerate(bars.features)}


def to_plain(value: Any) -> Any:
    """Convert to types of JSON."""
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
