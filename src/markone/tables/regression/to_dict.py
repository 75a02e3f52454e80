"""Results of a regression as a dictionary, and its model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markone.tables import model_file
from markone.tables.plan.task import REGRESSION
from markone.tables.regression.fitting import RegressionResult
from markone.tables.regression.inspection import error_importance, regression_card
from markone.tables.regression.regression_text import regression_headline
from markone.tables.regression.scores import INTERVAL_LEVEL
from markone.tables.report.to_dict import to_plain, values_by_input
from markone.tables.scores import ClassScoring


def regression_to_dict(fitted: RegressionResult) -> dict[str, Any]:
    validation = fitted.validation
    content = {
        "task": REGRESSION,
        "data": fitted.request.data,
        "target": fitted.plan.target,
        "rows": len(fitted.rows),
        "inputs": fitted.plan.feature_names,
        "headline": regression_headline(fitted),
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
        "band": {"level": INTERVAL_LEVEL, "half_width": fitted.width},
        "coverage": {c.name: {"promised": c.levels, "found": c.shares} for c in validation.coverage},
        "column_importance": {n: vars(found) for n, found in error_importance(validation).items()},
        "data_sha256": fitted.data_hash,
        "model_card": dict(regression_card(fitted).rows),
        "chosen": fitted.chosen,
        "student": {"sentences": fitted.sentences},
        "seconds": fitted.seconds,
    }
    if fitted.weights is not None:
        content["student"] |= {"title": fitted.weights.title, "inputs": values_by_input(fitted.weights)}
    made: dict[str, Any] = to_plain(content)
    return made


def save_regressor(fitted: RegressionResult, path: Path) -> None:
    """Save the model file, without classes."""
    facts = regression_to_dict(fitted)
    no_classes = ClassScoring([], "")
    saved = model_file.SavedModel(fitted.plan, fitted.pipeline, no_classes, facts, fitted.training)
    model_file.write_model_file(saved, path)
