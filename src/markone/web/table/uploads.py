"""Storage of uploaded tables and of results. All file names are generated here.

A key sent by a page is looked up among the stored names; it never becomes part of a path.
"""

import hashlib
import shutil
import tempfile
from functools import cache
from pathlib import Path

from markone.numerics.files import remove_leftovers, temporary_path

LARGEST_UPLOAD = 5_000_000
# Beyond these the oldest are removed: 60 tables are at most 300 MB.
MOST_TABLES, MOST_RESULTS = 60, 120
GONE = (
    "The table of this link is not stored here: uploads stay on the machine that received them, while its "
    "laboratory runs. Drop the file again; the same file gives the same page."
)
# Files of a fit that can be downloaded: name and media type.
OFFERED = {"report": ("report.html", "text/html"), "model": ("model.skops", "application/octet-stream")}


class Uploads:
    """One folder with `tables` and `results`, shared by the server and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tables, self.results = folder / "tables", folder / "results"
        for place in (self.tables, self.results):
            place.mkdir(parents=True, exist_ok=True)

    def store_table(self, data: bytes) -> str:
        """Store a table and return its key, a digest of its contents: the same file is stored once."""
        key = hashlib.sha256(data).hexdigest()
        # With this suffix the reader treats any content as text.
        path = self.tables / f"{key}.csv"
        if path.exists():
            path.touch()
        else:
            part = path.with_suffix(".part")
            part.write_bytes(data)
            part.replace(path)
        _remove_oldest(self.tables, "*.csv", MOST_TABLES)
        return key

    def table(self, key: str) -> Path:
        """Return the path of a stored table. ValueError if there is none."""
        found = {path.stem: path for path in self.tables.glob("*.csv")}.get(key)
        if found is None:
            raise ValueError(GONE)
        return found

    def result(self, key: str) -> Path | None:
        """Return the folder with report and model of a fit; None if there is none."""
        return {path.name: path for path in self.results.iterdir() if path.is_dir()}.get(key)

    def result_file(self, key: str, what: str) -> Path | None:
        """Return the path of one file of a result; None if there is none."""
        folder = self.result(key)
        if folder is None or what not in OFFERED:
            return None
        path = folder / OFFERED[what][0]
        return path if path.is_file() else None

    def make_result_folder(self) -> Path:
        """Return an empty folder for a result in preparation."""
        _remove_oldest(self.results, "*", MOST_RESULTS)
        return Path(tempfile.mkdtemp(prefix="part-", dir=self.results))

    def publish_folder(self, part: Path, key: str) -> Path:
        place = self.results / key
        try:
            part.replace(place)
        except OSError:  # another worker has finished the same request: same result
            shutil.rmtree(part, ignore_errors=True)
        return place


def _remove_oldest(folder: Path, pattern: str, most: int) -> None:
    for path in sorted(folder.glob(pattern), key=_negative_mtime)[most:]:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _negative_mtime(path: Path) -> float:
    """Sort key, newest first; 0 if another process has removed the file."""
    try:
        return -path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


_here: list[Uploads] = []


def use_upload_folder(folder: str) -> None:
    """Set the folder of this process; the server passes it to its workers."""
    _here[:] = [Uploads(Path(folder))]


def make_upload_folder() -> tempfile.TemporaryDirectory[str]:
    """A new folder readable by this user only; those of laboratories that were killed are removed."""
    parent = Path(tempfile.gettempdir())
    remove_leftovers(parent, "markone-lab")
    return tempfile.TemporaryDirectory(prefix=f"{temporary_path(parent, 'markone-lab').name}.")


_temporary_folder = cache(make_upload_folder)


def current_uploads() -> Uploads:
    """Return the storage of this process; without a server a temporary folder."""
    if not _here:
        use_upload_folder(_temporary_folder().name)
    return _here[0]
