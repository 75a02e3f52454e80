"""Schema of a document: its figures, tables, numbers and sentences in their order."""

import tomllib
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, model_validator

from markone.numerics.text import unknown_name_text

FOLDER = Path(__file__).parent


class DocumentItem(BaseModel):
    """One item of a document: a figure or a table of an experiment, a figure of
    `markone figure` by its name (`numbered`), or a sentence `says`, quoted verbatim, which the claims of
    the experiment with the same `says` test. `repeats`: show so many runs a point, the document's number,
    where claims need more to be decided. `joined`: join the marks by lines, as the document does. `note`:
    what the document leaves open, and what was chosen."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    place: str
    says: str = ""
    experiment: str = ""
    figure: str = ""
    table: str = ""
    numbered: str = ""
    repeats: int = 0
    joined: bool = False
    note: str = ""

    @model_validator(mode="after")
    def _check_content(self) -> "DocumentItem":
        shown = [part for part in (self.figure, self.table, self.numbered) if part]
        if len(shown) > 1 or (not self.experiment and (self.figure or self.table)):
            raise ValueError(
                f"{self.place}: give one figure or table of an experiment, or one numbered figure."
            )
        if not (shown or self.says or self.note):
            raise ValueError(f"{self.place}: the item is empty.")
        return self


class Document(BaseModel):
    """A document: `source` begins the name of its text file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str
    authors: str
    source: str
    read_first: str = ""
    item: list[DocumentItem]

    @property
    def experiments(self) -> list[str]:
        """Names of the experiments in the order of their first item."""
        return list(dict.fromkeys(item.experiment for item in self.item if item.experiment))


def document_names() -> list[str]:
    """Names of the documents that can be reproduced."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def load_document(name: str) -> Document:
    """Return the document of this name; ValueError with the nearest name if it does not exist."""
    if name not in document_names():
        raise ValueError(
            f"{unknown_name_text('document', name, document_names())} `markone reproduce` lists them."
        )
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return Document.model_validate(tomllib.loads(text))
