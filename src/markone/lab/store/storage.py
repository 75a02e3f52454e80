"""The stores of many hosts in one place: a shared folder, or an object store by an fsspec path.

Each local store has one file there, named by a hash of its host and path: only the process that holds the
lock of the local store writes it, so that the place needs no locks. A file is uploaded under another name and
then moved, so that it changes as a whole. Results are only added: any file can be merged at any time.
"""

import platform
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from markone.errors import StoreError
from markone.lab.run_paths import RESULTS, Shard
from markone.lab.schema import Declaration
from markone.lab.store import database
from markone.lab.store.merge import MergeReport, merge_stores
from markone.lab.store.results import Store
from markone.lazy_import import require_module

# Seconds between two uploads of a run: what a lost host loses at most.
INTERVAL = 300.0


class Storage:
    """The files of one experiment below an fsspec path: s3://bucket/runs, file:///shared, /shared."""

    def __init__(self, place: str, name: str) -> None:
        self.place = place
        with self._translate_errors(f"{place} cannot be used"):
            self.files, root = require_module("fsspec.core", "storage").url_to_fs(place)
        self.folder = f"{root.rstrip('/')}/{name}"

    @contextmanager
    def _translate_errors(self, what: str) -> Iterator[None]:
        try:
            yield
        except (StoreError, ImportError, MemoryError):
            raise
        except Exception as error:  # each file system has its own
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            raise StoreError(f"{what} ({reason}).") from error

    def upload(self, store: Path) -> None:
        """Replace the file of a local store by one with its present rows."""
        owner = sha256(f"{platform.node()} {store.absolute()}".encode()).hexdigest()[:12]
        target = f"{self.folder}/{store.stem}-{owner}{store.suffix}"
        what = f"{self.place} took no results: they are safe in {store}, run the same command again"
        with self._translate_errors(what), TemporaryDirectory(".upload", dir=store.parent) as folder:
            copy = Path(folder) / store.name
            with closing(database.open_to_read(store)) as source, closing(sqlite3.connect(copy)) as backup:
                source.backup(backup)
            self.files.makedirs(self.folder, exist_ok=True)
            self.files.put_file(str(copy), f"{target}.part")
            self.files.mv(f"{target}.part", target)

    def iterate_copies(self, folder: Path, shard: Shard | None = None) -> Iterator[Path]:
        """Yield local copies of all files, or of those of a shard; each is removed before the next."""
        part = f"*-shard-{shard[0] + 1}-of-{shard[1]}-" if shard else ""
        with (
            TemporaryDirectory(".download", dir=folder) as here,
            self._translate_errors(f"{self.place} cannot be read"),
        ):
            self.files.invalidate_cache()
            for file in sorted(self.files.glob(f"{self.folder}/{part}*{Path(RESULTS).suffix}")):
                copy = Path(here) / file.rpartition("/")[2]
                self.files.get_file(file, str(copy))
                yield copy
                for left in Path(here).iterdir():  # with the index of SQLite
                    left.unlink()

    def merge_into(
        self,
        target: Store,
        declaration: Declaration | None = None,
        other_code: bool = False,
        shard: Shard | None = None,
    ) -> tuple[MergeReport, int]:
        """Merge the files into a local store as `merge_stores` does; return also their number."""
        copies = self.iterate_copies(target.path.parent, shard)
        found = [merge_stores(target, [copy], other_code=other_code) for copy in copies]
        missing = merge_stores(target, [], declaration).missing
        differing = [task for one in found for task in one.differing]
        return MergeReport(sum(one.added for one in found), missing, differing), len(found)


@contextmanager
def mirror_store(
    storage: Storage | None,
    store: Path,
    shard: Shard | None = None,
    report: Callable[..., None] = lambda *step: None,
) -> Iterator[Callable[..., None]]:
    """Merge what the place has of a shard into its store, before that is opened. Upload it when it is closed,
    also after an interrupt, and at a call of the function, which is `report` besides, if INTERVAL has passed
    since the last time. Without a storage nothing is done."""
    last = time.monotonic()
    if storage:
        with Store(store) as results:
            storage.merge_into(results, shard=shard)

    def report_and_upload(*step: Any) -> None:
        nonlocal last
        report(*step)
        if storage and time.monotonic() - last >= INTERVAL:
            storage.upload(store)
            last = time.monotonic()

    try:
        yield report_and_upload
    finally:
        if storage and store.is_file():
            storage.upload(store)
