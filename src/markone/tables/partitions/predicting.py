"""Predict all rows of a folder of Parquet files, in pieces, into one CSV file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from markone.data.reading import cell_table
from markone.data.reading.parquet import parquet_files
from markone.numerics.files import staged
from markone.numerics.text import count
from markone.tables import predicting
from markone.tables.answers import spreadsheet
from markone.tables.model_file import SavedModel

# Rows in memory at once.
ROWS = 100_000


@dataclass
class FolderAnswers:
    """Number of rows, number with a prediction, and notes."""

    rows: int = 0
    answered: int = 0
    notes: list[str] = field(default_factory=list)


def predict_folder(model: SavedModel, folder: Path, out: Path, proba: bool = False) -> FolderAnswers:
    """Write a line for each row of each file, starting with the file name."""
    found = FolderAnswers()
    with staged(out) as part, part.open("wb") as file:
        for place, (name, piece) in enumerate(pieces(model, folder)):
            answers = predicting.predict(model, piece, proba)
            cells = [[name, *row] for row in answers.cells]
            lines = spreadsheet.as_csv(["file", *answers.header], cells)
            file.write((lines if not place else lines.split("\n", 1)[1]).encode())
            found.rows += len(cells)
            found.answered += sum(bool(str(label)) and label == label for label in answers.labels)
            found.notes += [f"{name}: {note}" for note in answers.notes]
    return found


def pieces(model: SavedModel, folder: Path) -> Iterator[tuple[str, cell_table.CellTable]]:
    for path in parquet_files(folder):
        for piece in cell_table.pieces(cell_table.TableFile(path, True), ROWS, model.plan.written):
            yield path.relative_to(folder).as_posix(), piece


def told(found: FolderAnswers, most: int = 10) -> list[str]:
    """The first notes, and the number of the others."""
    more = len(found.notes) - most
    return [*found.notes[:most], *([f"... and {count(more, 'more note')}."] if more > 0 else [])]
