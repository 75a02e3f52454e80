"""Run all checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markone.tables.findings import duplicates, leaks, missingness, order, sizes, spellings, values
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding

FINDERS: tuple[Callable[[Evidence], Iterator[TableFinding]], ...] = (
    missingness.find,
    leaks.find,
    order.find,
    duplicates.find,
    spellings.find,
    values.find,
    sizes.find,
)


# Checks of a numeric target, besides `markone.tables.regression.findings`.
OF_NUMBERS = (order.find, duplicates.find, spellings.find, values.find, sizes.find)


def look(seen: Evidence) -> list[TableFinding]:
    """Return all findings, those that question the score first."""
    found = [finding for find in (OF_NUMBERS if seen.of_numbers else FINDERS) for finding in find(seen)]
    return sorted(found, key=lambda finding: not finding.doubts_score)
