"""Commands that reproduce a document and fetch its data."""

from pathlib import Path

import typer

from markone.cli.terminal import echo


def reproduce_document(name: str | None, folder: Path | None, workers: int | None, quiet: bool) -> None:
    from markone.lab.documents.spec import document_names, load_document

    if name is None:
        for known in document_names():
            document = load_document(known)
            echo(f"{known:16} {document.title} ({document.authors})")
        echo("\nTry: markone reproduce learning-a-rule")
        return
    from markone.lab.documents.reproduction import describe_answers
    from markone.lab.documents.reproduction import reproduce as run_document

    found = run_document(name, folder=folder, workers=workers, progress=not quiet)
    echo(f"Wrote {found.page}: {describe_answers(found.answers)}.")


def fetch_data_set(name: str, yes: bool) -> None:
    """Download a data set after confirmation."""
    from markone.data import fetch_semeion, find_semeion
    from markone.data.fetching import UCI
    from markone.data.semeion import data_home

    if name != "semeion":
        raise ValueError(f"There is no data set {name!r} to download: choose semeion.")
    if (found := find_semeion()) is None:
        if not yes:
            typer.confirm(f"Download semeion.data (2.9 MB) from {UCI} to {data_home()}?", abort=True)
        found = fetch_semeion()
    echo(f"The semeion digits are in {found}.")
