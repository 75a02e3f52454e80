"""Predict all rows of a folder of Parquet files, in pieces, into one CSV file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from markone.data.reading import cell_table
from markone.data.reading.parquet import find_parquet_files
from markone.numerics.files import staged_file
from markone.numerics.text import format_count
from markone.tables import table_prediction
from markone.tables.model_file import SavedModel

# Rows in memory at once.
ROWS_IN_MEMORY = 100_000


@dataclass
class FolderPredictions:
    """Number of rows, number with a prediction, and notes."""

    rows: int = 0
    answered: int = 0
    notes: list[str] = field(default_factory=list)


def predict_folder(model: SavedModel, folder: Path, out: Path, proba: bool = False) -> FolderPredictions:
    """Write a line for each row of each file, starting with the file name."""
    found = FolderPredictions()
    with staged_file(out) as part, part.open("wb") as file:
        for place, (name, piece) in enumerate(_read_pieces(model, folder)):
            answers = table_prediction.predict(model, piece, proba)
            cells = [[name, *row] for row in answers.cells]
            lines = table_prediction.to_safe_csv(["file", *answers.header], cells)
            file.write((lines if not place else lines.split("\n", 1)[1]).encode())
            found.rows += len(cells)
            found.answered += sum(bool(str(label)) and label == label for label in answers.labels)
            found.notes += [f"{name}: {note}" for note in answers.notes]
    return found


def _read_pieces(model: SavedModel, folder: Path) -> Iterator[tuple[str, cell_table.CellTable]]:
    for path in find_parquet_files(folder):
        for piece in cell_table.read_cell_pieces(
            cell_table.TableFile(path, True), ROWS_IN_MEMORY, model.plan.text_columns
        ):
            yield path.relative_to(folder).as_posix(), piece


def first_notes(found: FolderPredictions, most: int = 10) -> list[str]:
    """The first notes, and the number of the others."""
    more = len(found.notes) - most
    return [*found.notes[:most], *([f"... and {format_count(more, 'more note')}."] if more > 0 else [])]
