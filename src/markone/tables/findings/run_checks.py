"""Run all checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markone.tables.findings import class_checks, column_checks, row_checks
from markone.tables.findings.evidence import Evidence, TableFinding

Check = Callable[[Evidence], Iterator[TableFinding]]
# A numeric target has those of `number_checks` as well.
SHARED_CHECKS: tuple[Check, ...] = (
    row_checks.find_order_effects,
    row_checks.find_duplicates,
    column_checks.find_spelling_variants,
    column_checks.find_unusual_values,
    row_checks.find_small_samples,
)
CLASS_CHECKS: tuple[Check, ...] = (
    class_checks.find_missing_by_class,
    class_checks.find_leaks,
    *SHARED_CHECKS,
)


def run_all_checks(seen: Evidence) -> list[TableFinding]:
    """Return all findings, those that question the score first."""
    checks = SHARED_CHECKS if seen.of_numbers else CLASS_CHECKS
    found = [finding for check in checks for finding in check(seen)]
    return sorted(found, key=lambda finding: not finding.doubts_score)
