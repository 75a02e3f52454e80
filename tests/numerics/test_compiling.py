"""Compiled code: kept on disk, found by the next process, named after its sources."""

import os
import subprocess
import sys
from pathlib import Path

from markone.numerics import compiling

PROBE = """
import numpy as np
from markone.numerics._rows import squared_norms
squared_norms(np.ones((2, 3)))
print(sum(squared_norms.stats.cache_hits.values()), sum(squared_norms.stats.cache_misses.values()))
"""


def _run(cache: Path) -> list[int]:
    env = os.environ | {"MARKONE_CACHE_DIR": str(cache)}
    out = subprocess.run([sys.executable, "-c", PROBE], env=env, capture_output=True, text=True, check=True)
    return [int(word) for word in out.stdout.split()]


def test_a_second_process_reuses_the_compiled_code(tmp_path):
    assert _run(tmp_path) == [0, 1]
    assert _run(tmp_path) == [1, 0]


def test_the_folder_is_named_after_the_sources(tmp_path, monkeypatch):
    package = tmp_path / "package"
    package.mkdir()
    (package / "_loop.py").write_text("a = 1")
    monkeypatch.setattr(compiling, "PACKAGE", package)
    before = compiling.sources_hash()
    (package / "_loop.py").write_text("a = 2")
    assert compiling.sources_hash() != before


def test_without_a_folder_that_can_be_written_nothing_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MARKONE_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert compiling.cache_folder() is None


def test_importing_markone_leaves_the_cache_of_others_alone():
    from numba.core import config

    assert "markone" not in str(config.CACHE_DIR)


@compiling.entry
def twice(n):
    return 2 * n


@compiling.entry
def four_and_six():
    return twice(2) + twice(3)


def test_an_entry_is_compiled_for_types_and_not_for_the_constants_of_its_callers():
    assert four_and_six() == 10
    assert len(twice.signatures) == 1
