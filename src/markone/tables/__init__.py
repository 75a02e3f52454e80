"""Tables: `markone fit` and `markone predict`.

The pipeline, in order: `request` (the options), `source` (reading the table), `plan/` (how each column is
used, and the inputs it becomes), `findings/` (problems of the data), `models` and `scaling` (the
estimator), `row_splits`, `validation` and `scoring` (cross-validation, with one scoring for classes and one
for numbers), `answers/` (decisions from scores), `inspect/` (diagnostics and summary of the fitted
model). `prepared_data` and `fitting` run these steps, `comparing/` runs them for several models,
`partitions/` by sums over files; `fit_result` holds the results, `report/` shows them, `model_file` saves
the model, `table_prediction` applies it; `dispatch` chooses among these by the kind of the result.
"""

from markone import lazy_import

HOMES = {
    "AnswerOptions": "markone.tables.request",
    "ColumnOptions": "markone.tables.request",
    "ModelComparison": "markone.tables.comparing.comparison",
    "FitRequest": "markone.tables.request",
    "FitResult": "markone.tables.fit_result",
    "PartitionSummary": "markone.tables.partitions.partition_summary",
    "SavedModel": "markone.tables.model_file",
    "RegressionResult": "markone.tables.fit_result",
    "describe_partitions": "markone.tables.partitions.partition_summary",
    "fit": "markone.tables.dispatch",
    "fit_partitions": "markone.tables.partitions.fitting",
    "headline": "markone.tables.dispatch",
    "load_model": "markone.tables.model_file",
    "predict": "markone.tables.table_prediction",
    "save_model": "markone.tables.dispatch",
    "score_partitions": "markone.tables.partitions.fitting",
    "validate_partitions": "markone.tables.partitions.validation",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
