"""A CSV with a text column is read as a data frame."""

from pathlib import Path

from markone.data import load

Path("small.csv").write_text("size,colour,kind\n1,red,x\n2,blue,y\n3,red,x\n")
table = load("small.csv", target="kind")
assert list(table.X.columns) == ["size", "colour"]
