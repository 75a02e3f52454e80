"""Tables: `markone fit` and `markone predict`.

The pipeline, in order: `request` (the options), `source` (reading the table), `plan/` (how each column is
used, and the inputs it becomes), `findings/` (problems of the data), `models` and `scaling` (the
estimator), `splitting`, `validation` and `scores` (cross-validation), `answers/` (decisions from scores),
`inspect/` and `model_summary` (diagnostics of the fitted model). `preparing` and `fitting` run these steps,
`fit_result` holds the results, `report/` formats them, `model_file` saves the model, `predicting` applies it.
"""

from markone.numerics import lazily

HOMES = {
    "AnswerOptions": "markone.tables.request",
    "ColumnOptions": "markone.tables.request",
    "ModelComparison": "markone.tables.comparing.comparison",
    "FitRequest": "markone.tables.request",
    "FitResult": "markone.tables.fit_result",
    "PartitionSummary": "markone.tables.partitions.describing",
    "SavedModel": "markone.tables.model_file",
    "RegressionResult": "markone.tables.regression.fitting",
    "describe_partitions": "markone.tables.partitions.describing",
    "fit": "markone.tables.answering",
    "fit_partitions": "markone.tables.partitions.fitting",
    "headline": "markone.tables.answering",
    "load_model": "markone.tables.model_file",
    "predict": "markone.tables.predicting",
    "save_model": "markone.tables.answering",
    "score_partitions": "markone.tables.partitions.fitting",
    "validate_partitions": "markone.tables.partitions.validation",
}

__all__ = list(HOMES)
__getattr__ = lazily.names(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
