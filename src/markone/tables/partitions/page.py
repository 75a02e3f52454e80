"""Report of a folder as a self-contained HTML page."""

from __future__ import annotations

import platform
import shlex
from pathlib import Path

import numpy as np
import sklearn

from markone.numerics.text import count, number
from markone.show.page import PageFigure, PageTable, render
from markone.tables.partitions import saying
from markone.tables.partitions.folder import FolderResult
from markone.tables.report import input_figures
from markone.tables.report.inspection import SHARES
from markone.tables.report.page import drawn
from markone.tables.scores import RESAMPLED

TEMPLATE = Path(__file__).with_name("folder.html")


def page(found: FolderResult, command: list[str], version: str) -> str:
    options, findings = found.request.options, found.known.findings
    versions = f"markone {version}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"
    provenance = [
        ["command", shlex.join(["markone", *command])],
        ["seed", str(found.request.seed)],
        ["fits", f"{count(found.scores.folds + 1, 'student')}, {found.seconds:.1f} s"],
        ["versions", versions],
        ["python", platform.python_version()],
    ]
    return render(
        TEMPLATE,
        title=f"{found.model} on {Path(found.request.data).name}",
        subtitle=f"{count(found.known.rows, 'row')}, {count(len(found.known.names), 'input')}, target "
        f"{options.target!r}",
        headline=saying.headline(found),
        doubts=[str(finding) for finding in findings if finding.doubts_score],
        findings=[str(finding) for finding in findings if not finding.doubts_score],
        scores=saying.score_table(found),
        footnotes=[RESAMPLED],
        classes=saying.classes_table(found),
        shares=SHARES,
        inputs=inputs(found),
        summary=found.summary.sentences if found.summary else [],
        prototypes=prototypes(found),
        columns=saying.columns(found),
        provenance=PageTable(["", ""], provenance),
    )


def inputs(found: FolderResult) -> PageFigure | None:
    bars = found.summary.bars if found.summary else None
    return None if bars is None else drawn("inputs", f"{bars.title}.", input_figures.bars(bars))


def prototypes(found: FolderResult) -> PageTable:
    if found.summary is None or found.summary.prototypes is None:
        return PageTable([], [])
    labels, values = found.summary.prototypes
    rows = [
        [name, *(number(float(v)) for v in column)]
        for name, column in zip(found.known.names, values.T, strict=True)
    ]
    return PageTable(["column", *labels], rows)
