"""CSV that is safe to open in a spreadsheet: cells that look like formulas are quoted."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from markone.numerics.files import harmless


def as_csv(header: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([harmless(name) for name in header])
    writer.writerows([harmless(cell) for cell in row] for row in cells)
    return text.getvalue()
