"""`markone predict`: labels and scores for the rows of a table, by a saved model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markone.cli.terminal import check_output_files, echo, print_to_pipe, translate_interrupt
from markone.numerics.files import write_atomically

if TYPE_CHECKING:
    from markone.tables.table_prediction import Predictions


def run_predict(
    model: Path,
    data: str,
    out: Path | None,
    proba: bool,
    explain: bool,
    keep: list[str],
    header: bool,
    force: bool,
    as_json: bool,
) -> None:
    from markone.tables import model_file, table_prediction

    check_output_files(data, [out], force)
    if Path(data).is_dir():
        if explain or keep:
            raise ValueError("--explain and --keep are for one table, not for a folder.")
        _run_folder_predict(model, Path(data), out, proba, as_json)
        return
    with translate_interrupt():
        loaded = model_file.load_model(model)
        table = table_prediction.read_new_table(loaded, data, header)
        found = table_prediction.predict(loaded, table, proba, explain, keep)
    if out:
        write_atomically(out, table_prediction.to_safe_csv(found.header, found.cells).encode())
    if as_json:
        echo(json.dumps(_predictions_to_dict(found)))
        return
    if not out:
        print_to_pipe(table_prediction.to_safe_csv(found.header, found.cells))
    _print_prediction_notes(found, out)


def _run_folder_predict(model: Path, folder: Path, out: Path | None, proba: bool, as_json: bool) -> None:
    from markone.tables import model_file
    from markone.tables.partitions.folder_fit import first_notes, predict_folder

    if out is None:
        raise ValueError(f"{folder} is a folder: give --out, the CSV file for all predictions.")
    with translate_interrupt():
        found = predict_folder(model_file.load_model(model), folder, out, proba)
    if as_json:
        echo(json.dumps({"rows": found.rows, "answered": found.answered, "notes": found.notes}))
        return
    for note in first_notes(found):
        echo(note, err=True)
    echo(f"Wrote {found.answered} predictions to {out}.")


def _predictions_to_dict(found: Predictions) -> dict[str, Any]:
    from markone.tables.report.to_dict import to_plain

    rows = []
    for k, cells in enumerate(found.cells):
        row: dict[str, Any] = dict(zip(found.header, cells, strict=True))
        # Of a regression the prediction is a number; a row without a label or a prediction has none.
        row |= {"label": row["label"] or None} if "label" in row else {"prediction": found.labels[k]}
        rows.append(row | {"row": int(cells[0])} | {name: v[k] for name, v in found.numbers.items()})
    return {"rows": to_plain(rows), "notes": found.notes, "scores": to_plain(found.measures)}


def _print_prediction_notes(found: Predictions, out: Path | None) -> None:
    """Print notes and scores to stderr: the predictions may go into a pipe."""
    from markone.tables.scoring import MEASURE_NAMES

    for note in found.notes:
        echo(note, err=True)
    if found.measures:
        truth = "numbers" if "rmse" in found.measures else "classes"
        words = ", ".join(
            f"{MEASURE_NAMES[name]} {value:.3f}" for name, value in found.measures.items() if value == value
        )
        echo(f"The table has the true {truth}: {words}.", err=True)
    if out:
        echo(f"Wrote {sum(map(bool, found.labels))} predictions to {out}.")
