"""Files of small tables for the tests of the reader."""

from pathlib import Path

from markone.data.reading import cell_table

ROWS = [(0.5, 1.25, "yes"), (-0.75, 2.5, "no"), (1.5, -3.125, "yes")]


def written(tmp_path, content, name="table.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return str(path)


def plain(separator=",", names="a b k"):
    lines = [separator.join(names.split())] + [separator.join(map(str, row)) for row in ROWS]
    return "\n".join(lines) + "\n"


EXPECTED = {"a": ["0.5", "-0.75", "1.5"], "b": ["1.25", "2.5", "-3.125"], "k": ["yes", "no", "yes"]}


def read(path, header=True, kept=None):
    return cell_table.read_cell_table(cell_table.TableFile(Path(path), header), kept)


def texts(table):
    return {name: column.texts() for name, column in table.columns.items()}
