"""Run all checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markone.tables.findings import (
    column_values,
    duplicates,
    leaks,
    missingness,
    row_order,
    sample_size,
    spellings,
)
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding

CLASS_CHECKS: tuple[Callable[[Evidence], Iterator[TableFinding]], ...] = (
    missingness.find_missing_by_class,
    leaks.find_leaks,
    row_order.find_order_effects,
    duplicates.find_duplicates,
    spellings.find_spelling_variants,
    column_values.find_unusual_values,
    sample_size.find_small_samples,
)


# Checks of a numeric target, besides `markone.tables.regression.findings`.
NUMBER_CHECKS = (
    row_order.find_order_effects,
    duplicates.find_duplicates,
    spellings.find_spelling_variants,
    column_values.find_unusual_values,
    sample_size.find_small_samples,
)


def run_all_checks(seen: Evidence) -> list[TableFinding]:
    """Return all findings, those that question the score first."""
    found = [
        finding for find in (NUMBER_CHECKS if seen.of_numbers else CLASS_CHECKS) for finding in find(seen)
    ]
    return sorted(found, key=lambda finding: not finding.doubts_score)
