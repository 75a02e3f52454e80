"""Only the user can write to the folder of compiled code, since its content is executed."""

import hashlib
import os
import subprocess
import sys

import pytest

from markone.numerics import compiling
from markone.numerics.files import UnsafeFolder, make_private_folder

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders of Windows have no modes")


def mode(path):
    return path.stat().st_mode & 0o7777


def test_it_is_made_for_its_owner_alone(tmp_path):
    folder = make_private_folder(tmp_path / "root" / "compiled")
    assert mode(folder) == mode(folder.parent) == 0o700


def test_one_that_others_could_only_read_is_closed(tmp_path):
    folder = tmp_path / "compiled"
    folder.mkdir()
    folder.chmod(0o755)
    assert make_private_folder(folder) == folder
    assert mode(folder) == 0o700


@pytest.mark.parametrize("bits", [0o777, 0o770, 0o722])
def test_one_that_others_could_write_is_refused(tmp_path, bits):
    folder = tmp_path / "compiled"
    folder.mkdir()
    folder.chmod(bits)
    with pytest.raises(UnsafeFolder, match=f"compiled can be written by other users .mode {bits:o}"):
        make_private_folder(folder)


def test_one_of_somebody_else_is_refused(tmp_path, monkeypatch):
    (tmp_path / "compiled").mkdir()
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(UnsafeFolder, match="compiled belongs to another user"):
        make_private_folder(tmp_path / "compiled")


def test_a_link_is_refused(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "compiled").symlink_to(tmp_path / "real")
    with pytest.raises(UnsafeFolder, match="not a real folder"):
        make_private_folder(tmp_path / "compiled")


def test_nobody_may_exchange_it_from_above(tmp_path):
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o777)
    with pytest.raises(UnsafeFolder, match="above can be written by other users"):
        make_private_folder(above / "root" / "compiled")
    above.chmod(0o1777)
    assert make_private_folder(above / "root" / "compiled")


def test_a_planted_pickle_does_not_run(tmp_path):
    """With write access to MARKONE_CACHE_DIR an attacker leaves a file there under the expected name."""
    probe = "import numpy, markone.numerics._rows as rows; rows.squared_norms(numpy.ones((2, 3)))"
    environment = os.environ | {"MARKONE_CACHE_DIR": str(tmp_path / "shared"), "HOME": str(tmp_path / "home")}
    environment.pop("XDG_CACHE_HOME", None)

    def fit():
        return subprocess.run(
            [sys.executable, "-c", probe], env=environment, capture_output=True, text=True, check=False
        )

    assert fit().returncode == 0
    (file,) = (tmp_path / "shared").rglob("*.nbc")
    planted = f"cposix\nsystem\n(S'touch {tmp_path / 'taken'}'\ntR.".encode()
    file.write_bytes(hashlib.sha256(planted).digest() + planted)
    fit()
    assert (tmp_path / "taken").exists(), "loaded, it would run: the folder is all that stands between"
    (tmp_path / "taken").unlink()
    (tmp_path / "shared" / compiling.CACHE.name).chmod(0o777)
    again = fit()
    assert again.returncode == 0
    assert "could come from another user" in again.stderr
    assert not (tmp_path / "taken").exists()
