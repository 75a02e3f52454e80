"""The release script: one version everywhere, and a smoke test for every extra."""

import importlib
import re
import shutil
import sys
from pathlib import Path

import pytest

import markone

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def release():
    sys.path.insert(0, str(ROOT / ".ci"))
    try:
        yield importlib.import_module("release")
    finally:
        sys.path.remove(str(ROOT / ".ci"))


def test_all_files_have_the_same_version(release):
    assert release.read_version() == markone.__version__


def test_every_extra_has_a_smoke_test(release):
    programs = {path.stem for path in (ROOT / ".ci" / "smoke").glob("*.py")}
    assert programs == {"none", *release.list_extras()}


def test_a_new_version_is_written_into_all_files(release, tmp_path, monkeypatch):
    for place in [*release.PLACES, "CHANGELOG.md"]:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / place, tmp_path / place)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    release.write_version("7.8.9")
    assert release.read_version() == "7.8.9"
    changes = (tmp_path / "CHANGELOG.md").read_text()
    assert re.search(r"^## Unreleased\n\n## 7\.8\.9 \(\d{4}-\d\d-\d\d\)\n", changes, re.MULTILINE)


def test_files_with_different_versions_are_refused(release, tmp_path, monkeypatch):
    for place in release.PLACES:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / place, tmp_path / place)
    cff = tmp_path / "CITATION.cff"
    cff.write_text(cff.read_text().replace(markone.__version__, "7.8.9"))
    monkeypatch.setattr(release, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match=r"The files name different versions: .*7\.8\.9"):
        release.read_version()
