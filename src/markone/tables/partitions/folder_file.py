"""Save the model of a folder for `markone predict`."""

from __future__ import annotations

from pathlib import Path

from markone.tables import model_file
from markone.tables.answers.drift import TrainingRange
from markone.tables.model_file import SavedModel
from markone.tables.partitions.folder_fit import FolderResult
from markone.tables.partitions.summary_text import folder_scoring, folder_to_dict
from markone.tables.plan.column_plan import NUMBER, ColumnPlan, PlannedColumn


def save_folder_model(found: FolderResult, path: Path) -> None:
    """Save the final model, its columns and their training ranges."""
    known, options = found.known, found.request.options
    columns = [PlannedColumn(name, NUMBER) for name in known.names]
    plan = ColumnPlan(str(options.target), columns, options.missing)
    percentiles = dict(zip(known.names, found.percentiles.T.tolist(), strict=True))
    shares = {name: float(n / known.rows) for name, n in zip(known.names, known.missing, strict=True)}
    training = TrainingRange(known.rows, percentiles, missing=shares)
    model_file.write_model_file(
        SavedModel(plan, found.pipeline, folder_scoring(found), folder_to_dict(found), training), path
    )
