"""Predictions as a table that a spreadsheet may open: what looks like a formula is a text there."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from markone.data.reading.columns import number_in

# A cell that begins so is computed by a spreadsheet, and may call out or run what it likes.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def safe(cell: str) -> str:
    """A quote before what would be a formula; numbers stay numbers."""
    formula = cell.lstrip(" ").startswith(FORMULA) and number_in(cell) != number_in(cell)
    return f"'{cell}" if formula else cell


def as_csv(header: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([safe(name) for name in header])
    writer.writerows([safe(cell) for cell in row] for row in cells)
    return text.getvalue()
