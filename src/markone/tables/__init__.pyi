# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.tables.comparing.comparison import ModelComparison as ModelComparison
from markone.tables.dispatch import fit as fit
from markone.tables.dispatch import headline as headline
from markone.tables.dispatch import save_model as save_model
from markone.tables.fit_result import FitResult as FitResult
from markone.tables.fit_result import RegressionResult as RegressionResult
from markone.tables.model_file import SavedModel as SavedModel
from markone.tables.model_file import load_model as load_model
from markone.tables.partitions.fitting import fit_partitions as fit_partitions
from markone.tables.partitions.fitting import score_partitions as score_partitions
from markone.tables.partitions.partition_summary import PartitionSummary as PartitionSummary
from markone.tables.partitions.partition_summary import describe_partitions as describe_partitions
from markone.tables.partitions.validation import validate_partitions as validate_partitions
from markone.tables.request import AnswerOptions as AnswerOptions
from markone.tables.request import ColumnOptions as ColumnOptions
from markone.tables.request import FitRequest as FitRequest
from markone.tables.table_prediction import predict as predict

HOMES: dict[str, str]
__all__: list[str]
