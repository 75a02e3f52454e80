"""Report, dictionary and model file of any result of `markone fit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markone.tables.comparing.comparison import ModelComparison
from markone.tables.comparing.comparison_report import build_comparison_report, comparison_to_dict
from markone.tables.fit_result import FitResult, RegressionResult
from markone.tables.model_file import save_fit
from markone.tables.partitions.folder_fit import FolderResult
from markone.tables.partitions.folder_report import build_folder_report, folder_to_dict, save_folder_model
from markone.tables.report.blocks import Report
from markone.tables.report.class_report import build_class_report
from markone.tables.report.number_report import build_number_report
from markone.tables.report.to_dict import class_fit_to_dict, number_fit_to_dict

AnyResult = FitResult | RegressionResult | ModelComparison | FolderResult


def build_report(result: AnyResult) -> Report:
    if isinstance(result, ModelComparison):
        return build_comparison_report(result)
    if isinstance(result, FolderResult):
        return build_folder_report(result)
    return build_class_report(result) if isinstance(result, FitResult) else build_number_report(result)


def result_to_dict(result: AnyResult) -> dict[str, Any]:
    if isinstance(result, ModelComparison):
        return comparison_to_dict(result)
    if isinstance(result, FolderResult):
        return folder_to_dict(result)
    return class_fit_to_dict(result) if isinstance(result, FitResult) else number_fit_to_dict(result)


def save_result(result: AnyResult, path: Path) -> None:
    """Save the model of a result; a comparison has none."""
    if isinstance(result, FolderResult):
        save_folder_model(result, path)
    elif not isinstance(result, ModelComparison):
        save_fit(result, path)
