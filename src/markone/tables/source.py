"""A table as it was written: every cell a text. What the texts mean is decided later, and said."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from markone.data.dialect import BadTable

# More rows than this take minutes in 50 fits of anything; `--rows` draws a sample.
MOST_ROWS = 200_000


@dataclass
class Raw:
    """Columns of texts by name; `numbers` are the row numbers under the header, counted from one."""

    source: str
    columns: dict[str, list[str]]
    notes: list[str] = field(default_factory=list)
    target: str | None = None
    decimal: str = "."
    numbers: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.numbers = self.numbers or list(range(1, len(self) + 1))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def only(self, rows: list[int]) -> Raw:
        columns = {name: [cells[k] for k in rows] for name, cells in self.columns.items()}
        numbers = [self.numbers[k] for k in rows]
        return Raw(self.source, columns, list(self.notes), self.target, self.decimal, numbers)

    def number(self, text: str) -> str:
        """The text of a number as Python writes it."""
        return text.replace(",", ".") if self.decimal == "," else text


def no_column(name: str, known: list[str], source: str) -> BadTable:
    near = get_close_matches(name, known, n=1, cutoff=0.65)
    near = near or [each for each in known if each.lower() == name.lower()]
    advice = f"Did you mean {near[0]!r}?" if near else f"Its columns: {short(known)}."
    return BadTable(f"{source} has no column {name!r}. {advice}")


def short(names: list[str], most: int = 12) -> str:
    """The first of them on one line, none of them endless."""
    words = [" ".join(name.split()) for name in names[:most]]
    shown = ", ".join(word if len(word) <= 60 else f"{word[:57]}..." for word in words)
    return shown + (f", ... ({len(names)} in all)" if len(names) > most else "")


def read(
    data: str, *, header: bool = True, rows: int | None = None, seed: int = 0, most: int | None = MOST_ROWS
) -> Raw:
    """A CSV, TSV or Parquet file, or a set that markone knows by name; refused with more than `most` rows."""
    path = Path(data)
    if path.is_dir():
        raise BadTable(f"{data} is a folder. Give the file of the table, or the name of a known set.")
    if path.is_file():
        from markone.data.formats import is_parquet
        from markone.tables import parquet, text

        most = most if rows is None else None
        raw = (parquet if is_parquet(path) else text).read(path, header, most)
    else:
        from markone.tables import builtin_datasets

        raw = builtin_datasets.read(data)
    if len(raw) == 0:
        raise BadTable(f"{data} has a header but no rows.")
    if most is not None and len(raw) > most:
        raise too_many(raw.source, len(raw), most)
    return sample(raw, rows, seed)


def sample(raw: Raw, rows: int | None, seed: int) -> Raw:
    """`rows` of them drawn without replacement, in their order; all if there are not more."""
    P = len(raw)
    if rows is None or rows >= P:
        return raw
    import numpy as np

    chosen = np.sort(np.random.default_rng(seed).choice(P, rows, replace=False))
    drawn = raw.only(chosen.tolist())
    drawn.notes.append(f"{rows} of the {P} rows were drawn at random (seed {seed}).")
    return drawn


def too_many(source: str, rows: int, most: int) -> BadTable:
    return BadTable(
        f"{source} has about {rows} rows, more than the {most} that `markone fit` takes at once: every "
        "fold would fit a student to nearly all of them. Draw a sample with --rows 20000, or stream the file "
        "from Python: markone.data.chunks gives it in pieces to students with partial_fit."
    )
