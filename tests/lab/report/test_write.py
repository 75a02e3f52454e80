"""The files of a report."""

import errno
import re

import pytest
from generated_points import made_up
from report_pages import declared

from markone.lab.report import pages
from markone.lab.report.pages import write_report

PROVENANCE = {
    "markone": "1.0",
    "versions": {"numpy": "2.4"},
    "commit": "abc",
    "seed": 1,
    "seconds": 12.345678,
}


def test_written_files_are_the_same_each_time(tmp_path):
    declaration = declared()
    first, second = (write_report(declaration, made_up(declaration), PROVENANCE, tmp_path / f) for f in "ab")
    assert len(first.figures) == 6
    pairs = zip(
        [first.html, first.markdown, *first.figures],
        [second.html, second.markdown, *second.figures],
        strict=True,
    )
    assert all(a.read_bytes() == b.read_bytes() for a, b in pairs)
    assert all(
        (tmp_path / "a" / p).exists() for p in re.findall(r"\]\(([^)]+)\)", first.markdown.read_text())
    )


def test_a_folder_that_is_read_only_is_named_with_advice(tmp_path, monkeypatch):
    def refuse(folder):
        raise OSError(errno.EROFS, "Read-only file system", str(folder / ".all.part-1"))

    monkeypatch.setattr(pages, "staged_folder", refuse)
    declaration = declared()
    with pytest.raises(PermissionError, match=r"no report can be written here. Copy the store") as found:
        write_report(declaration, made_up(declaration), PROVENANCE, tmp_path)
    assert found.value.filename == str(tmp_path)
