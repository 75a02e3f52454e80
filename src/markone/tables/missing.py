"""Missing values: counted, named, and treated as the user decided; refused where nothing was decided."""

from __future__ import annotations

from markone.data.dialect import BadTable, is_missing
from markone.tables.columns import TEXT
from markone.tables.plan import ColumnPlan
from markone.tables.source import Raw, short


def complete(raw: Raw, plan: ColumnPlan, notes: list[str]) -> Raw:
    """What is done about missing values, by the user's choice; without one it is refused."""
    absent = {
        c.name: [k for k, cell in enumerate(raw.columns[c.name]) if is_missing(cell)] for c in plan.used
    }
    absent = {name: rows for name, rows in absent.items() if rows}
    if not absent:
        return raw
    counts = short([f"{name} {len(rows)}" for name, rows in absent.items()], 8)
    markers = sorted({raw.columns[name][k] for name, rows in absent.items() for k in rows})
    written = " or ".join("an empty cell" if m == "" else repr(m) for m in markers)
    if plan.missing == "refuse":
        raise BadTable(
            f"Values are missing (written as {written}), by column: {counts}. Choose with --missing: drop "
            "(leave out the rows), median or mean (of the training part of each fold), or mask (for models "
            "whose distance can skip a value)."
        )
    notes.append(f"Missing values (written as {written}), by column: {counts}.")
    gone = {k for rows in absent.values() for k in rows} if plan.missing == "drop" else set()
    if len(gone) == len(raw):
        raise BadTable(
            f"Every row misses some value ({counts}): --missing drop leaves none. Try --missing median."
        )
    notes.append(what_was_done(plan, absent, len(gone), len(raw)))
    return raw.only([k for k in range(len(raw)) if k not in gone]) if gone else raw


def what_was_done(plan: ColumnPlan, absent: dict[str, list[int]], gone: int, rows: int) -> str:
    if plan.missing == "drop":
        return f"{gone} of {rows} rows with a missing value were left out."
    filled = {
        "median": "Missing numbers are replaced by the median of the training part of each fold.",
        "mean": "Missing numbers are replaced by the mean of the training part of each fold.",
        "mask": "Missing numbers are left open: the model's distance skips them.",
    }[plan.missing]
    texts = [c.name for c in plan.of_kind(TEXT) if c.name in absent]
    return filled + (f" A missing text is a category of its own ({short(texts)})." if texts else "")
