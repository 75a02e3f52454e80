"""Categories that differ in spelling only; dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from markone.numerics.text import format_names
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding
from markone.tables.plan.column_kinds import contains_dates, shell_quote
from markone.tables.plan.column_plan import TEXT


def find_spelling_variants(seen: Evidence) -> Iterator[TableFinding]:
    labels = [] if seen.of_numbers else [seen.plan.target]
    for name in [*labels, *(c.name for c in seen.plan.columns_of_kind(TEXT))]:
        for words in group_spellings(list(seen.get_column(name).as_text().count_texts())):
            target = name == seen.plan.target
            what = "classes" if target else "categories"
            yield TableFinding(
                "spelling",
                f"{format_names(words)} of {name!r} differ in spelling only, and are {len(words)} {what}.",
                "Spell them alike if they mean the same.",
                target,
                (name,),
            )
    for name, column in seen.table.columns.items():
        planned = [c for c in seen.plan.columns if c.name == name and c.identity]
        if name != seen.plan.target and not planned and contains_dates(column):
            yield TableFinding(
                "dates",
                f"Column {name!r} holds dates.",
                "If the model is to predict later rows, train on earlier and test on later ones: --time "
                f"{shell_quote(name)}.",
                columns=(name,),
            )


def group_spellings(words: list[str]) -> list[list[str]]:
    """Groups of texts that are equal up to case, blanks, hyphens and Unicode normalisation."""
    groups: dict[str, list[str]] = {}
    for word in words:
        key = re.sub(r"[\s_-]+", " ", unicodedata.normalize("NFKC", word)).strip().casefold()
        groups.setdefault(key, []).append(word)
    return [group for group in groups.values() if len(group) > 1]
