"""A person's table: from `markone fit` and `markone predict` to a page of scores and a model.

The way of a table, from top to bottom: `request` (what was asked), `source` (the table), `plan/` (what each
column is taken for, and the inputs it makes), `findings/` (what the table itself shows), `models` and
`scaling` (the student), `splitting`, `validation` and `scores` (how good it is on rows it has not seen),
`answers/` (from scores to answers), `inspect/` and `model_summary` (what it has learned, class by class and
row by row); `preparing` and `fitting` walk it, `fit_result` is what comes out. `report/` says it,
`model_file` keeps it, `predicting` uses it.
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
