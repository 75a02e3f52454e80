"""Report of a comparison as a self-contained HTML page."""

from __future__ import annotations

import platform
import shlex
from pathlib import Path

import numpy as np
import sklearn

from markone.numerics.text import count
from markone.show.page import PageTable, render
from markone.tables.comparing import sentences
from markone.tables.comparing.comparison import ModelComparison
from markone.tables.comparing.picture import picture
from markone.tables.report.page import drawn

TEMPLATE = Path(__file__).with_name("comparison.html")


def page(found: ModelComparison, command: list[str], version: str) -> str:
    versions = f"markone {version}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"
    caption = (
        "Mean over the folds and its 95 % interval; dotted: constant prediction. A bar at the left joins "
        "models no two of which differ significantly."
    )
    return render(
        TEMPLATE,
        title=f"{count(len(found.entries), 'model')} on {Path(found.request.data).name}",
        subtitle=f"{count(found.rows, 'row')}, {count(found.inputs, 'input')}, target {found.target!r}",
        headline=sentences.headline(found),
        doubts=sentences.doubts(found),
        findings=[str(finding) for finding in found.findings if not finding.doubts_score],
        notes=found.notes,
        scores=sentences.table(found),
        footnotes=sentences.footnotes(found),
        picture=drawn("models", caption, picture(found), sentences.pairs(found)),
        warnings=sentences.warnings(found),
        provenance=PageTable(
            ["", ""],
            [
                ["command", shlex.join(["markone", *command])],
                ["seed", str(found.request.seed)],
                ["time", f"{found.seconds:.1f} s"],
                ["versions", versions],
                ["python", platform.python_version()],
            ],
        ),
    )
