"""CSV that is safe to open in a spreadsheet: cells that look like formulas are quoted."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from markone.numerics.files import escape_formula


def to_safe_csv(header: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([escape_formula(name) for name in header])
    writer.writerows([escape_formula(cell) for cell in row] for row in cells)
    return text.getvalue()
