"""Open an SQLite file: one writer, any number of readers, and messages for its errors."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from markone.errors import StoreBusy, StoreError
from markone.lab.store.sql_schema import check_store_format, create_tables, is_new_store, read_pragma

SENTENCES = {
    "SQLITE_FULL": "The disk of {path} is full. All saved results are safe: free some space and run the "
    "same command to continue.",
    "SQLITE_READONLY": "{path} cannot be written: it, or its folder, is read-only. All saved results are "
    "safe: make it writable, or copy it and name the copy.",
    "SQLITE_CANTOPEN": "{path} cannot be opened: its folder does not exist or may not be written to.",
    "SQLITE_PERM": "{path} cannot be opened: its folder does not exist or may not be written to.",
    "SQLITE_NOTADB": "{path} is not a markone store: it is not an SQLite database. Give another file.",
    "SQLITE_CORRUPT": "{path} is damaged (a truncated copy?). `markone verify --store {path}` shows where; "
    "with --repair it keeps all undamaged rows, and a run computes the others.",
    "SQLITE_BUSY": "{path} is locked by another process that writes to it. Wait until it has finished.",
    "SQLITE_IOERR": "{path} could not be read or written: the disk reports an error ({error}). Results "
    "saved before are safe: check the disk, then run the same command to continue.",
}


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Translate SQLite's errors to messages that name the file."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        kind = next((key for key in SENTENCES if name.startswith(key)), None)
        # Python's own errors: a text is not valid UTF-8.
        odd = any(words in str(error) for words in ("Could not decode to UTF-8", "malformed"))
        kind = "SQLITE_CORRUPT" if odd else kind
        text = SENTENCES[kind] if kind else "{path} could not be used: {error}."
        problem = StoreBusy if kind == "SQLITE_BUSY" else StoreError
        raise problem(text.format(path=path, error=error)) from error
    except UnicodeDecodeError as error:
        # SQLite's message about a damaged schema may contain invalid UTF-8.
        raise StoreError(SENTENCES["SQLITE_CORRUPT"].format(path=path)) from error


def acquire_lock(path: Path, wait: float) -> sqlite3.Connection:
    """Acquire the write lock: an open transaction on a file beside the store, which the system releases when
    the process ends, and which does not block readers of the store."""
    beside = path.with_name(path.name + "-lock")
    connection = None
    try:
        connection = sqlite3.connect(beside, timeout=wait, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if connection is not None:
            connection.close()
        if not str(getattr(error, "sqlite_errorname", "")).startswith("SQLITE_BUSY"):
            raise
        raise StoreBusy(
            f"Another process is writing to {path}. Wait until it has finished, or give another store."
        ) from None
    return connection


def _open_to_write(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    try:
        # Before anything is written: SQLite would extend a truncated file.
        check_file_length(connection, path)
        # A killed process loses nothing; a power cut at most the last tasks, which then run again.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if not is_new_store(connection):
            _check_integrity(connection, path)
        create_tables(connection, str(path))
        _check_row_count(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise StoreError(f"There is no store {path}: nothing has been run yet, or the name is another.")
    try:
        connection = connect_to_read(path, "mode=ro")
    except sqlite3.OperationalError:
        # In a read-only folder SQLite cannot create its index file.
        connection = connect_to_read(path, "mode=ro&immutable=1")
    try:
        check_store_format(connection, str(path))
        check_file_length(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path, options: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True, isolation_level=None)
    try:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _check_integrity(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise StoreError(SENTENCES["SQLITE_CORRUPT"].format(path=path))


def _check_row_count(connection: sqlite3.Connection, path: Path) -> None:
    """Raise unless there are as many rows as were written."""
    query = (
        "SELECT total(length(p.point) / 10) FROM attempts AS a NOT INDEXED JOIN points AS p ON p.id = a.point"
    )
    found = connection.execute(query).fetchone()[0]
    if found != connection.execute("SELECT done + failed FROM tally").fetchone()[0]:
        raise StoreError(SENTENCES["SQLITE_CORRUPT"].format(path=path))


def check_file_length(connection: sqlite3.Connection, path: Path) -> None:
    """Raise if the file is shorter than its header states and there is no log with the rest."""
    log = path.with_name(path.name + "-wal")
    pages = read_pragma(connection, "page_count") * read_pragma(connection, "page_size")
    if path.stat().st_size < pages and not (log.is_file() and log.stat().st_size):
        raise StoreError(SENTENCES["SQLITE_CORRUPT"].format(path=path))


class Connection:
    """Connection to a store and, in mode "w", its lock."""

    def __init__(self, path: str | Path, mode: Literal["w", "r"] = "w", wait: float = 0.0) -> None:
        if mode not in ("w", "r"):
            raise ValueError(f"mode is 'w' (write) or 'r' (read), not {mode!r}.")
        self.path, self.mode = Path(path), mode
        self._session: int | None = None
        self._begun: set[str] = set()
        self._lock: sqlite3.Connection | None = None
        with translate_errors(self.path):
            if mode == "r":
                self._connection = open_to_read(self.path)
                return
            self._lock = acquire_lock(self.path, wait)
            try:
                self._connection = _open_to_write(self.path)
            except BaseException:
                self._lock.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, then release the lock."""
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def errors(self) -> AbstractContextManager[None]:
        """Context that translates SQLite's errors to messages that name this store."""
        return translate_errors(self.path)

    def rows(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with translate_errors(self.path):
            return self._connection.execute(query, values).fetchall()

    def execute(self, query: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """Execute a query inside a transaction, or inside `translated_errors`."""
        return self._connection.execute(query, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Context that commits, or rolls back on any exception."""
        if self.mode == "r":
            raise StoreError(f"{self.path} was opened to read: open it with mode 'w' to write.")
        session = self._session
        with translate_errors(self.path):
            try:
                # Inside the try: Ctrl-C may arrive right after this statement.
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._session = session
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
