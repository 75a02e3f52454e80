"""Tables that people dropped, and what was made of them. Every name on the disk is made here.

What a page sends (a key) is looked up among the names that are there; it never becomes part of a path.
"""

import hashlib
import shutil
import tempfile
from functools import cache
from pathlib import Path

LARGEST_UPLOAD = 5_000_000
# Beyond these the oldest make room: 60 tables are at most 300 MB.
MOST_TABLES, MOST_RESULTS = 60, 120
GONE = (
    "The table of this link is not here: uploads stay on the machine that got them, and only as long as its "
    "laboratory runs. Drop the file again; the same file gives the same page."
)
# What can be had of a fit: the file, and what it is called and taken for by who gets it.
OFFERED = {"report": ("report.html", "text/html"), "model": ("model.skops", "application/octet-stream")}


class Uploads:
    """One folder with `tables` and `results`, shared by the server and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tables, self.results = folder / "tables", folder / "results"
        for place in (self.tables, self.results):
            place.mkdir(parents=True, exist_ok=True)

    def keep(self, data: bytes) -> str:
        """The key of a table is a digest of what is in it: the same file is kept once."""
        key = hashlib.sha256(data).hexdigest()
        # The ending makes the reader take it for text, whatever it is.
        path = self.tables / f"{key}.csv"
        if path.exists():
            path.touch()
        else:
            part = path.with_suffix(".part")
            part.write_bytes(data)
            part.replace(path)
        _make_room(self.tables, "*.csv", MOST_TABLES)
        return key

    def table(self, key: str) -> Path:
        """ValueError if it is not here."""
        found = {path.stem: path for path in self.tables.glob("*.csv")}.get(key)
        if found is None:
            raise ValueError(GONE)
        return found

    def result(self, key: str) -> Path | None:
        """The folder with report and model of a fit, if it is here."""
        return {path.name: path for path in self.results.iterdir() if path.is_dir()}.get(key)

    def offered(self, key: str, what: str) -> Path | None:
        """One of the files of a result."""
        folder = self.result(key)
        if folder is None or what not in OFFERED:
            return None
        path = folder / OFFERED[what][0]
        return path if path.is_file() else None

    def new_result(self) -> Path:
        """An empty folder that becomes a result when all is in it."""
        _make_room(self.results, "*", MOST_RESULTS)
        return Path(tempfile.mkdtemp(prefix="part-", dir=self.results))

    def finish(self, part: Path, key: str) -> Path:
        place = self.results / key
        try:
            part.replace(place)
        except OSError:  # another worker was quicker: the same request has the same result
            shutil.rmtree(part, ignore_errors=True)
        return place


def _make_room(folder: Path, pattern: str, most: int) -> None:
    for path in sorted(folder.glob(pattern), key=_age)[most:]:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """The newest first. Another process may have just removed it."""
    try:
        return -path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


_here: list[Uploads] = []


def use(folder: str) -> None:
    """The folder of this process: the server tells its workers."""
    _here[:] = [Uploads(Path(folder))]


@cache
def _of_its_own() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="markone-lab-")


def uploads() -> Uploads:
    """Where tables are; without a server in a folder that goes with this process."""
    if not _here:
        use(_of_its_own().name)
    return _here[0]
