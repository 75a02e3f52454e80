"""An open store: queries and transactions, with readable messages for SQLite's errors."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from markone.errors import StoreError
from markone.lab.store import database
from markone.lab.store.database import translate_errors


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
                self._connection = database.open_to_read(self.path)
                return
            self._lock = database.acquire_lock(self.path, wait)
            try:
                self._connection = database.open_to_write(self.path)
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
