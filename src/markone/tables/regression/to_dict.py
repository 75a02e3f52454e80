"""Results of a regression as a dictionary, and its model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markone.tables import model_file
from markone.tables.plan.task import REGRESSION
from markone.tables.regression.fitting import RegressionResult
from markone.tables.regression.inspection import importance, model_card
from markone.tables.regression.scores import BAND
from markone.tables.regression.sentences import headline
from markone.tables.report.to_dict import by_name, plain
from markone.tables.scores import Judge


def to_dict(fitted: RegressionResult) -> dict[str, Any]:
    validation = fitted.validation
    content = {
        "task": REGRESSION,
        "data": fitted.request.data,
        "target": fitted.plan.target,
        "rows": len(fitted.rows),
        "inputs": fitted.plan.feature_names,
        "headline": headline(fitted),
        "findings": [vars(finding) for finding in fitted.findings],
        "notes": fitted.notes,
        "model": fitted.model,
        "settings": fitted.regressor.get_params(deep=False),
        "cv": str(validation.how),
        "seed": fitted.request.seed,
        "scores": {name: vars(found) for name, found in validation.estimates.items()},
        "folds": [
            {"scores": measures, "chosen": fold.chosen, "seconds": fold.seconds}
            for measures, fold in zip(validation.measures, validation.folds, strict=False)
        ],
        "band": {"level": BAND, "half_width": fitted.width},
        "coverage": {c.name: {"promised": c.levels, "found": c.shares} for c in validation.coverage},
        "column_importance": {n: vars(found) for n, found in importance(validation).items()},
        "data_sha256": fitted.data_hash,
        "model_card": dict(model_card(fitted).rows),
        "chosen": fitted.chosen,
        "student": {"sentences": fitted.sentences},
        "seconds": fitted.seconds,
    }
    if fitted.weights is not None:
        content["student"] |= {"title": fitted.weights.title, "inputs": by_name(fitted.weights)}
    made: dict[str, Any] = plain(content)
    return made


def save_model(fitted: RegressionResult, path: Path) -> None:
    """Save the model file, without classes."""
    facts = to_dict(fitted)
    no_classes = Judge([], "")
    saved = model_file.SavedModel(fitted.plan, fitted.pipeline, no_classes, facts, fitted.training)
    model_file.dump(saved, path)
