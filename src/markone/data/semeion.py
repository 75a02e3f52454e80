"""The semeion digits of the digits report: 1593 handwritten digits of 16 x 16 black and white pixels.

They cannot be shipped with the package: `fetch_semeion` downloads them.
"""

import hashlib
import os
import time
from os import PathLike
from pathlib import Path

import numpy as np

from markone.data.table import Table
from markone.numerics.arrays import Array
from markone.numerics.files import write_atomically

FILE = "semeion.data"
SHA256 = "f43228ae3da5ea6a3c95069d53450b86166770e3b719dcc333182128fe08d4b1"
# Of the rows as bytes (256 pixels and the digit), sorted: the same examples in whatever order and format.
ROWS_SHA256 = "a60cb5d28976246359125ac999265704438492fddded68d6572b346dac0c2931"
SOURCE = (
    "Semeion Research Center, Rome, and Tattile, Brescia: Semeion Handwritten Digit, "
    "UCI Machine Learning Repository, https://archive.ics.uci.edu/dataset/178"
)
DOWNLOAD_HINT = (
    f"`markone data semeion` downloads it; or get {FILE} from the UCI Machine Learning Repository "
    f"(cite: {SOURCE}) "
    'and give folder="where/it/is" or set MARKONE_DATA to that folder.'
)
OPENML_ID = 1501
UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/semeion/semeion.data"
MD5 = "cb545d371d2ce14ec121470795a77432"
BYTES = 2_889_702
CHUNK = 1 << 16


def find_semeion(folder: str | PathLike[str] | None = None) -> Path | None:
    """Find the file semeion.data, or return None.

    Looked for in `folder` (or `folder` itself), else where MARKONE_DATA points, else in scikit-learn's data
    home, where `fetch_semeion` puts it.

    Parameters
    ----------
    folder : str, path or None, default=None
        Where to look first: a folder, or the file.

    Returns
    -------
    pathlib.Path or None
        The file, if there is one.

    Examples
    --------
    >>> from markone.data import find_semeion
    >>> found = find_semeion()
    >>> found is None or found.name == "semeion.data"
    True
    """
    path = Path(folder if folder is not None else os.environ.get("MARKONE_DATA") or data_home())
    path = path / FILE if path.is_dir() else path
    return path if path.is_file() else None


def data_home() -> Path:
    """scikit-learn's data home; unlike `sklearn.datasets.get_data_home` it is not created."""
    return Path(os.environ.get("SCIKIT_LEARN_DATA") or "~/scikit_learn_data").expanduser()


def read_semeion(folder: str | PathLike[str] | None = None) -> Table:
    """Pixels 0 or 1 and the digit 0 .. 9, in the file's order."""
    if folder is not None and str(folder) == "openml":
        return fetch_openml_semeion()
    path = find_semeion(folder)
    if path is None:
        place = folder if folder is not None else os.environ.get("MARKONE_DATA")
        where = f"in {str(place)!r}" if place else "here: neither folder nor MARKONE_DATA is given"
        raise FileNotFoundError(f"The semeion digits are not {where}. {DOWNLOAD_HINT}")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != SHA256:
        raise ValueError(
            f"{path} is not the semeion file of UCI: its sha256 begins with {digest[:12]}, not with "
            f"{SHA256[:12]}. Remove it. {DOWNLOAD_HINT}"
        )
    rows = np.loadtxt(path)
    return _make_table(rows[:, :256], rows[:, 256:].argmax(axis=1), SOURCE, [])


def rows_digest(X: Array, y: Array) -> str:
    """Hash of the set of examples, independent of their order."""
    rows = np.column_stack([X, y]).astype(np.uint8)
    return hashlib.sha256(b"".join(sorted(row.tobytes() for row in rows))).hexdigest()


def fetch_openml_semeion() -> Table:
    """Fetch from OpenML, which numbers the classes from 1 in the order of the file's ten columns."""
    from sklearn.datasets import fetch_openml

    try:
        X, y = fetch_openml(data_id=OPENML_ID, as_frame=False, return_X_y=True, parser="liac-arff")
    except OSError as error:
        raise FileNotFoundError(f"openml.org could not be reached ({error}). {DOWNLOAD_HINT}") from error
    X, y = np.asarray(X, dtype=float), np.asarray(y).astype(float).astype(int) - 1
    if X.shape != (1593, 256) or rows_digest(X, y) != ROWS_SHA256:
        raise ValueError(f"The set {OPENML_ID} of openml.org is not the semeion set of UCI. {DOWNLOAD_HINT}")
    note = "Fetched from openml.org and compared with UCI's rows; their order may differ from the file's."
    return _make_table(X, y, SOURCE, [note])


def _make_table(X: Array, y: Array, source: str, notes: list[str]) -> Table:
    names = [f"pixel_{i}_{j}" for i in range(16) for j in range(16)]
    return Table("semeion", X, y, names, [str(k) for k in range(10)], source, notes)


def fetch_semeion(
    *, folder: str | PathLike[str] | None = None, url: str | None = None, timeout: float = 60.0
) -> Path:
    """Return the file semeion.data; download it on first use, as scikit-learn's loaders do.

    A file given by MARKONE_DATA is used first. Otherwise it is downloaded from UCI, with OpenML as the second
    source, compared with its checksums, and kept in scikit-learn's data home.

    Parameters
    ----------
    folder : str, path or None, default=None
        Folder of the file; None: MARKONE_DATA, or scikit-learn's data home (SCIKIT_LEARN_DATA).
    url : str or None, default=None
        The only source to be used; None: UCI, then OpenML.
    timeout : float, default=60.0
        Seconds after which a download is given up.

    Returns
    -------
    pathlib.Path
        The file; `markone.data.load("semeion")` reads it.

    Examples
    --------
    >>> from markone.data import fetch_semeion
    >>> fetch_semeion()  # doctest: +SKIP
    """
    found = find_semeion(folder)
    if found is not None:
        return found
    target = Path(folder) / FILE if folder is not None else data_home() / FILE
    try:
        content = _download_file(url or UCI, timeout)
    except ValueError as error:
        if url is not None:
            raise
        content = _content_from_openml(error)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, content)
    return target


def _download_file(url: str, timeout: float) -> bytes:
    """Bytes of the file at a URL; ValueError if it cannot be had in time or is not the expected file."""
    import urllib.error
    import urllib.request
    from http.client import HTTPException

    deadline, content = time.monotonic() + timeout, bytearray()
    try:
        with urllib.request.urlopen(url, timeout=timeout) as answer:
            while part := answer.read1(CHUNK):
                content += part
                if time.monotonic() > deadline:
                    raise ValueError(
                        f"{url} sent {len(content)} bytes in {timeout:g} s: too slow. {DOWNLOAD_HINT}"
                    )
                if len(content) > BYTES:
                    raise ValueError(f"{url} sends more than the {BYTES} bytes of {FILE}. {DOWNLOAD_HINT}")
    except (OSError, HTTPException) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
        raise ValueError(f"{url} could not be read: {error}. {DOWNLOAD_HINT}") from None
    if len(content) < BYTES:
        raise ValueError(f"{url} sent {len(content)} of {BYTES} bytes. {DOWNLOAD_HINT}")
    _verify_checksums(bytes(content), url)
    return bytes(content)


def _verify_checksums(content: bytes, source: str) -> None:
    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    if md5 != MD5 or hashlib.sha256(content).hexdigest() != SHA256:
        raise ValueError(
            f"{source} is not the semeion file of UCI: its md5 is {md5}, not {MD5}. {DOWNLOAD_HINT}"
        )


def _content_from_openml(reason: Exception) -> bytes:
    """The file written from the rows of OpenML, whose order must be that of UCI."""
    try:
        table = fetch_openml_semeion()
    except (FileNotFoundError, ValueError) as error:
        raise ValueError(f"{reason} The second source failed, too: {error}") from None
    content = semeion_file_content(table.X, table.y)
    _verify_checksums(content, f"The set {OPENML_ID} of openml.org")
    return content


def semeion_file_content(X: Array, y: Array) -> bytes:
    """semeion.data as UCI writes it: 256 pixels with four decimals, then ten columns 0 or 1."""
    pixels = np.char.mod("%.4f", np.asarray(X, dtype=float))
    digits = np.char.mod("%d", np.eye(10, dtype=int)[np.asarray(y, dtype=int)])
    return b"".join((" ".join(row) + " \r\n").encode() for row in np.hstack([pixels, digits]))
