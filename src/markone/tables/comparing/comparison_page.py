"""Report of a comparison as a self-contained HTML page."""

from __future__ import annotations

import platform
import shlex
from pathlib import Path

import numpy as np
import sklearn

from markone.numerics.text import format_count
from markone.show.page import PageTable, render_page
from markone.tables.comparing import comparison_text
from markone.tables.comparing.comparison import ModelComparison
from markone.tables.comparing.difference_diagram import draw_difference_diagram
from markone.tables.report.fit_page import inline_figure

TEMPLATE = Path(__file__).with_name("comparison.html")


def build_comparison_page(found: ModelComparison, command: list[str], version: str) -> str:
    versions = f"markone {version}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"
    caption = (
        "Mean over the folds and its 95 % interval; dotted: constant prediction. A bar at the left joins "
        "models no two of which differ significantly."
    )
    return render_page(
        TEMPLATE,
        title=f"{format_count(len(found.entries), 'model')} on {Path(found.request.data).name}",
        subtitle=(
            f"{format_count(found.rows, 'row')}, {format_count(found.inputs, 'input')}, "
            f"target {found.target!r}"
        ),
        headline=comparison_text.comparison_headline(found),
        doubts=comparison_text.comparison_doubts(found),
        findings=[str(finding) for finding in found.findings if not finding.doubts_score],
        notes=found.notes,
        scores=comparison_text.comparison_table(found),
        footnotes=comparison_text.comparison_footnotes(found),
        picture=inline_figure(
            "models", caption, draw_difference_diagram(found), comparison_text.pair_table(found)
        ),
        warnings=comparison_text.model_warnings(found),
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
