"""Download of the semeion digits, which cannot be shipped with the package."""

import hashlib
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from os import PathLike
from pathlib import Path

import numpy as np

from markone.data.semeion import (
    DOWNLOAD_HINT,
    FILE,
    OPENML_ID,
    SHA256,
    data_home,
    fetch_openml_semeion,
    find_semeion,
)
from markone.numerics.arrays import Array
from markone.numerics.files import write_atomically

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/semeion/semeion.data"
MD5 = "cb545d371d2ce14ec121470795a77432"
BYTES = 2_889_702
CHUNK = 1 << 16


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
