"""Report, dictionary and model file of any result of `markone fit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from markone.tables.comparing.comparison import ModelComparison
from markone.tables.comparing.comparison_report import build_comparison_report, comparison_to_dict
from markone.tables.fit_result import FitResult, RegressionResult
from markone.tables.model_file import save_fit
from markone.tables.report.blocks import Report
from markone.tables.report.class_report import build_class_report
from markone.tables.report.number_report import build_number_report
from markone.tables.report.to_dict import class_fit_to_dict, number_fit_to_dict

if TYPE_CHECKING:
    from markone.tables.partitions.folder_fit import FolderResult

AnyResult: TypeAlias = "FitResult | RegressionResult | ModelComparison | FolderResult"


# The modules of partitions are imported for folders only: they import every model that learns from sums.


def build_report(result: AnyResult) -> Report:
    if isinstance(result, ModelComparison):
        return build_comparison_report(result)
    if isinstance(result, FitResult):
        return build_class_report(result)
    if isinstance(result, RegressionResult):
        return build_number_report(result)
    from markone.tables.partitions.folder_report import build_folder_report

    return build_folder_report(result)


def result_to_dict(result: AnyResult) -> dict[str, Any]:
    if isinstance(result, ModelComparison):
        return comparison_to_dict(result)
    if isinstance(result, FitResult):
        return class_fit_to_dict(result)
    if isinstance(result, RegressionResult):
        return number_fit_to_dict(result)
    from markone.tables.partitions.folder_report import folder_to_dict

    return folder_to_dict(result)


def save_result(result: AnyResult, path: Path) -> None:
    """Save the model of a result; a comparison has none."""
    if isinstance(result, FitResult | RegressionResult):
        save_fit(result, path)
    elif not isinstance(result, ModelComparison):
        from markone.tables.partitions.folder_report import save_folder_model

        save_folder_model(result, path)
