"""The results for machines: plain dictionaries, lists, numbers and texts; what is not a number is null."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from markone.tables.fitting import FitResult


def to_dict(fitted: FitResult) -> dict[str, Any]:
    validation, summary = fitted.validation, fitted.summary
    content = {
        "data": fitted.request.data,
        "target": fitted.plan.target,
        "rows": len(fitted.rows),
        "inputs": fitted.plan.feature_names,
        "classes": fitted.class_counts,
        "positive": fitted.judge.positive,
        "notes": fitted.notes,
        "model": fitted.model,
        "settings": fitted.pipeline["model"].get_params(deep=False),
        "cv": str(validation.how),
        "seed": fitted.request.seed,
        "scores": {name: vars(found) for name, found in validation.estimates.items()},
        "baseline": fitted.baseline,
        "confusion": validation.confusion,
        "folds": [{"scores": fold.measures, "chosen": fold.chosen} for fold in validation.folds],
        "chosen": fitted.chosen,
        "always_wrong": [fitted.rows[k] for k in np.flatnonzero(validation.wrong == validation.how.repeats)],
        "student": {"sentences": summary.sentences, "support": summary.support},
        "seconds": fitted.seconds,
    }
    if summary.bars is not None:
        content["student"] |= {"title": summary.bars.title, "inputs": by_name(summary.bars)}
    if summary.prototypes is not None:
        labels, values = summary.prototypes
        content["student"] |= {
            "prototypes": [{"class": a, "at": v} for a, v in zip(labels, values, strict=True)]
        }
    made: dict[str, Any] = plain(content)
    return made


def by_name(bars: Any) -> dict[str, Any]:
    return {name: bars.values[:, k] for k, name in enumerate(bars.features)}


def plain(value: Any) -> Any:
    """As JSON and skops know it."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if np.isfinite(value) else ("inf" if value == np.inf else None)
    return value if isinstance(value, bool | int | str | None) else str(value)
