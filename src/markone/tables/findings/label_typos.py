"""Labels of the target that look like typing errors of a frequent label."""

from __future__ import annotations

import re

from markone.data.reading.cell_table import CellTable
from markone.numerics.text import format_count
from markone.tables.findings.evidence import TableFinding
from markone.tables.plan.target import REGRESSION

# A typing error is rare, and so much rarer than the label; short labels may be one letter apart.
MOST_SHARE, LEAST_RATIO, LEAST_LETTERS = 0.02, 10, 4


def find_label_typos(table: CellTable, target: str, task: str) -> list[TableFinding]:
    """Rare labels one edit, or one exchange of neighbouring letters, away from a frequent one."""
    if task == REGRESSION:
        return []
    counts = table.columns[target].as_text().count_texts()
    found = []
    for rare, n in counts.items():
        if len(rare) < LEAST_LETTERS or n > MOST_SHARE * sum(counts.values()):
            continue
        near = [
            word for word, times in counts.items() if times >= LEAST_RATIO * n and one_edit_apart(rare, word)
        ]
        if near:
            found.append(_typo_finding(target, rare, n, near[0]))
    return found


def _typo_finding(target: str, rare: str, n: int, label: str) -> TableFinding:
    return TableFinding(
        "label typo",
        f"Class {rare!r} of {target!r}, in {format_count(n, 'row')}, is one letter away from {label!r}.",
        "Correct it if it is a typing error: as it is, these rows are a class of their own, or left out.",
        doubts_score=True,
        columns=(target,),
        numbers={"rows": float(n)},
    )


def one_edit_apart(one: str, other: str) -> bool:
    """Whether one letter more, less or different, or two neighbours exchanged, makes the words equal.

    Words that differ in a digit are different codes.
    """
    if one == other or re.sub(r"\D", "", one) != re.sub(r"\D", "", other):
        return False
    k = next(
        (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    a, b = one[k:], other[k:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and len(b) > 1 and a[2:] == b[2:])
