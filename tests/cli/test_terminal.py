"""Tables on the terminal: long names are shortened and stay distinct."""

from markone.cli import terminal
from markone.cli.terminal import MAX_CELL_WIDTH, shorten_cells
from markone.show.page import PageTable


def test_long_names_are_cut_and_stay_different():
    names = [f"a rather long name of a class of things, number {k} (Verkehrsbetriebe)" for k in range(12)]
    header, *rows = shorten_cells([["class", "rows"], *([name, "20"] for name in names)])
    assert header == ["class", "rows"]
    assert len({row[0] for row in rows}) == 12
    assert max(len(row[0]) for row in rows) <= MAX_CELL_WIDTH


def test_what_cannot_be_told_apart_is_cut_later():
    texts = [f"{k}{'x' * 60}{k}{'y' * 60}{(k + 1) % 3}" for k in range(3)]
    rows = shorten_cells([["said"], *([text] for text in texts), ["–"]])
    assert rows[-1] == ["–"]
    assert all(len(row[0]) <= 2 * MAX_CELL_WIDTH for row in rows)


def test_what_fits_stays_as_it_is(capsys):
    terminal.print_table(PageTable(["a", "b"], [["one", "1"], ["two", "2"]]))
    assert capsys.readouterr().out == "a    b\none  1\ntwo  2\n"
