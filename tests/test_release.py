"""The release: one version everywhere, a smoke test for every extra, locked packages, licences, the wheel."""

import importlib
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import markone
from markone.numerics import numba_internals

ROOT = Path(__file__).parent.parent


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _import_script(name):
    sys.path.insert(0, str(ROOT / ".ci"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / ".ci"))


@pytest.fixture(scope="module")
def release():
    return _import_script("release")


@pytest.fixture(scope="module")
def lock():
    return _import_script("lock")


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


def test_every_requirement_is_locked_in_a_version_that_it_allows(lock):
    blocks = lock.read_blocks()
    for text in chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        asked = Requirement(text)
        name = lock.read_name(asked.name)
        if name in lock.select_packages("test"):
            for version in re.findall(r"^\S+==(\S+)", blocks[name], re.M):
                assert version in asked.specifier, (text, version)
    names = {lock.read_name(text) for text in PROJECT["optional-dependencies"]["test"]}
    assert names - blocks.keys() == {"markone"}


def test_each_locked_package_has_hashes_and_none_names_its_origin(lock):
    assert "://" not in lock.LOCKED.read_text()
    for name, text in lock.read_blocks().items():
        assert re.findall(r"^\S+==", text, re.M) == re.findall(
            r"^(\S+==).*\\\n +--hash=sha256:\w{64}", text, re.M
        ), name


def test_demo_and_lab_install_few_of_the_locked_packages(lock):
    lab, web, test = map(lock.select_packages, ("lab", "web", "test"))
    assert {"numba", "matplotlib", "pydantic-core"} <= lab.keys() < web.keys() < test.keys()
    assert "mypy" not in web
    assert test == lock.read_blocks()


def test_numba_is_locked_in_a_version_whose_internals_are_tested(lock):
    found = re.findall(r"^numba==(\d+)\.(\d+)", lock.read_blocks()["numba"], re.M)
    oldest, newest = numba_internals.TESTED
    assert all(oldest <= tuple(map(int, version)) < newest for version in found)


def test_installed_packages_agree_with_each_other():
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_what_users_install_has_permissive_licences(lock):
    """What each package says about its licence; the runtime of a compiler may be linked (GCC exception)."""
    allowed = ("BSD", "MIT", "Apache", "Python Software Foundation", "PSF", "MPL", "HPND", "ISC")
    for name in lock.select_packages("web"):
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:  # of other systems
            continue
        kinds = [kind for kind in about.get_all("Classifier", []) if kind.startswith("License")]
        files = [file for file in metadata.files(name) or () if "LICENSE" in file.name.upper()]
        kinds += [file.read_text()[:100] for file in files[:1]]
        words = " ".join([about.get("License-Expression") or "", (about.get("License") or "")[:200], *kinds])
        assert any(word in words for word in allowed), (name, words)
        assert not re.search(r"GPL(?!-3\.0-or-later WITH GCC|-3\.0-with-GCC|v3\+ with GCC)", words), (
            name,
            words,
        )


def test_the_wheel_holds_the_package_and_its_licence_and_nothing_else(tmp_path):
    wheels = pytest.importorskip("hatchling.builders.wheel", reason="the wheel is built by hatchling")
    (path,) = wheels.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = set(zipfile.ZipFile(path).namelist())
    info = f"markone-{markone.__version__}.dist-info"
    package = {
        file.relative_to(ROOT / "src").as_posix()
        for file in (ROOT / "src" / "markone").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    extra = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
    assert names == package | {f"{info}/{name}" for name in extra}
