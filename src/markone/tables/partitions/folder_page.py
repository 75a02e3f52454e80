"""Report of a folder as a self-contained HTML page."""

from __future__ import annotations

import platform
import shlex
from pathlib import Path

import numpy as np
import sklearn

from markone.numerics.text import format_count, format_number
from markone.show.page import PageFigure, PageTable, render_page
from markone.tables.partitions import summary_text
from markone.tables.partitions.folder_fit import FolderResult
from markone.tables.report import input_figures
from markone.tables.report.fit_page import inline_figure
from markone.tables.report.inspection import SHARES
from markone.tables.scores import RESAMPLED

TEMPLATE = Path(__file__).with_name("folder.html")


def build_folder_page(found: FolderResult, command: list[str], version: str) -> str:
    options, findings = found.request.options, found.known.findings
    versions = f"markone {version}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"
    provenance = [
        ["command", shlex.join(["markone", *command])],
        ["seed", str(found.request.seed)],
        ["fits", f"{format_count(found.scores.folds + 1, 'student')}, {found.seconds:.1f} s"],
        ["versions", versions],
        ["python", platform.python_version()],
    ]
    return render_page(
        TEMPLATE,
        title=f"{found.model} on {Path(found.request.data).name}",
        subtitle=(
            f"{format_count(found.known.rows, 'row')}, "
            f"{format_count(len(found.known.names), 'input')}, target "
            f"{options.target!r}"
        ),
        headline=summary_text.folder_headline(found),
        doubts=[str(finding) for finding in findings if finding.doubts_score],
        findings=[str(finding) for finding in findings if not finding.doubts_score],
        scores=summary_text.folder_score_table(found),
        footnotes=[RESAMPLED],
        classes=summary_text.folder_class_table(found),
        shares=SHARES,
        inputs=_folder_inputs_figure(found),
        summary=found.summary.sentences if found.summary else [],
        prototypes=_folder_prototype_table(found),
        columns=summary_text.column_quantile_table(found),
        provenance=PageTable(["", ""], provenance),
    )


def _folder_inputs_figure(found: FolderResult) -> PageFigure | None:
    bars = found.summary.bars if found.summary else None
    return (
        None
        if bars is None
        else inline_figure("inputs", f"{bars.title}.", input_figures.draw_input_bars(bars))
    )


def _folder_prototype_table(found: FolderResult) -> PageTable:
    if found.summary is None or found.summary.prototypes is None:
        return PageTable([], [])
    labels, values = found.summary.prototypes
    rows = [
        [name, *(format_number(float(v)) for v in column)]
        for name, column in zip(found.known.names, values.T, strict=True)
    ]
    return PageTable(["column", *labels], rows)
