"""`predict --explain`: why a row has its label, and what would change it."""

import csv
import io

import numpy as np
import pytest

from markone.errors import BadTable
from markone.tables import ColumnOptions, FitRequest, fit, load_model, predict, save_model
from markone.tables.table_prediction import read_new_table, to_safe_csv


@pytest.fixture
def wards(tmp_path):
    """Old people of the south are ill; `noise` does nothing."""
    rng = np.random.default_rng(0)
    lines = ["age,ward,noise,k"]
    for _ in range(240):
        age, ward = rng.uniform(20, 90), ["north", "south", "east"][rng.integers(3)]
        ill = age + 30 * (ward == "south") > 75
        lines.append(f"{age:.1f},{ward},{rng.normal():.3f},{'ill' if ill else 'well'}")
    path = tmp_path / "wards.csv"
    path.write_text("\n".join(lines))
    return path


def explained(path, model, **how):
    target = "k" if how.pop("classes", True) else "age"
    fitted = fit(FitRequest(str(path), model, ColumnOptions(target), cv="1x5"))
    save_model(fitted, path.with_suffix(".skops"))
    loaded = load_model(path.with_suffix(".skops"))
    found = predict(loaded, read_new_table(loaded, str(path)), explain=True, **how)
    return loaded, found, list(csv.DictReader(io.StringIO(to_safe_csv(found.header, found.cells))))


def test_the_columns_that_decide_are_named_and_noise_is_not_first(wards):
    _, _, rows = explained(wards, "soft-margin")
    first = [row["because"].split(" ")[0] for row in rows]
    assert set(first) <= {"age", "ward"}
    assert "prototype" not in rows[0]


def test_the_change_gives_the_label_it_says(wards):
    loaded, _, rows = explained(wards, "soft-margin", keep=["noise"])
    table = read_new_table(loaded, str(wards))
    lines = wards.read_text().splitlines()
    changed, expected = [lines[0]], []
    for line, row in zip(lines[1:], rows, strict=True):
        cells = dict(zip(lines[0].split(","), line.split(","), strict=True))
        assert "noise" not in row["change"]
        changes, _, then = row["change"].rpartition(": ")
        for part in changes.split(", ") if changes else []:
            name, new, *_ = part.split(" ")
            cells[name] = new
        if changes:
            changed.append(",".join(cells.values()))
            expected.append(then)
    assert len(expected) > 0.9 * len(table)
    wards.write_text("\n".join(changed))
    again = predict(loaded, read_new_table(loaded, str(wards)))
    assert np.mean(again.labels == expected) > 0.98  # values are written with four digits


def test_the_nearest_other_row_has_another_label(wards):
    _, found, rows = explained(wards, "gmlvq")
    for label, row in zip(found.labels, rows, strict=True):
        number, other = row["nearest other"].removeprefix("row ").rstrip(")").split(" (")
        assert found.labels[int(number) - 1] == other != label
        assert row["prototype"].startswith(label)


def test_numbers_have_their_deciding_columns(wards):
    _, _, rows = explained(wards, "ridge", classes=False)
    assert all("k" in row["because"] or "ward" in row["because"] for row in rows)
    assert "change" not in rows[0]


def test_an_unknown_column_is_not_kept(wards):
    with pytest.raises(BadTable, match="no column 'agee'"):
        explained(wards, "hebb", keep=["agee"])
