"""Compiled code: cached on disk, loaded by the next process, keyed by all that it depends on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from markone.numerics import compiling, cpu

PROBE = """
import numpy as np
from markone.numerics._rows import squared_norms
squared_norms(np.ones((2, 3)))
print(sum(squared_norms.stats.cache_hits.values()), sum(squared_norms.stats.cache_misses.values()))
"""


def _run(cache: Path, **settings: str) -> list[int]:
    env = os.environ | {"MARKONE_CACHE_DIR": str(cache)} | settings
    out = subprocess.run([sys.executable, "-c", PROBE], env=env, capture_output=True, text=True, check=True)
    return [int(word) for word in out.stdout.split()]


def test_a_second_process_reuses_the_compiled_code(tmp_path):
    assert _run(tmp_path) == [0, 1]
    assert _run(tmp_path) == [1, 0]


@pytest.mark.slow
def test_each_kind_of_cpu_has_code_of_its_own(tmp_path, monkeypatch):
    for name in cpu.portable_settings():
        monkeypatch.delenv(name, raising=False)
    assert _run(tmp_path, NUMBA_CPU_NAME="generic") == [0, 1]
    assert _run(tmp_path) == [0, 1]
    assert _run(tmp_path, NUMBA_CPU_NAME="generic") == [1, 0]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of one compiled file, and its hash before anything is changed."""
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "_loop.py").write_text("a = 1")
    monkeypatch.setattr(compiling, "PACKAGE", folder)
    return folder, compiling.code_hash()


def test_the_folder_is_named_after_the_sources(package):
    folder, before = package
    (folder / "plain.py").write_text("not compiled")
    assert compiling.code_hash() == before
    (folder / "_loop.py").write_text("a = 2")
    assert compiling.code_hash() != before


def test_and_after_the_flags(package, monkeypatch, tmp_path):
    before = package[1]
    edited = tmp_path / "compiling.py"
    edited.write_text(Path(compiling.__file__).read_text().replace('"reassoc", ', ""))
    monkeypatch.setattr(compiling, "__file__", str(edited))
    assert compiling.code_hash() != before


@pytest.mark.parametrize(
    ("where", "name", "value"),
    [
        (compiling.numba, "__version__", "0.0"),
        (compiling, "version", lambda package: "0.0"),
        (compiling.numba_config, "CPU_NAME", "i486"),
        (compiling.numba_config, "CPU_FEATURES", "+sse"),
        (compiling.numba_config, "OPT", 1),
        (compiling.numba_config, "BOUNDSCHECK", 1),
    ],
    ids=lambda value: str(getattr(value, "__name__", value)),
)
def test_and_after_compilers_settings_and_cpu(package, monkeypatch, where, name, value):
    monkeypatch.setattr(where, name, value)
    assert compiling.code_hash() != package[1]


def test_without_a_folder_that_can_be_written_nothing_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MARKONE_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert compiling.cache_folder() is None


def test_a_folder_that_others_can_write_to_is_left_for_the_users_own(tmp_path, monkeypatch):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("MARKONE_CACHE_DIR", str(tmp_path / "open"))
    monkeypatch.setattr(compiling, "_user_cache", lambda: tmp_path / "home")
    with pytest.warns(RuntimeWarning, match=r"not kept in .*open.*mode 777.*Set MARKONE_CACHE_DIR to"):
        found = compiling.cache_folder()
    assert found.is_relative_to(tmp_path / "home" / "markone")


def test_a_user_without_a_home_and_a_choice_keeps_nothing(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("MARKONE_CACHE_DIR", raising=False)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert compiling.cache_folder() is None


def test_importing_markone_leaves_the_cache_of_others_alone():
    from numba.core import config

    assert "markone" not in str(config.CACHE_DIR)


def test_the_target_is_what_numba_compiles_for():
    from numba.core.registry import cpu_target

    _, name, features = cpu_target.target_context.codegen().magic_tuple()
    assert cpu.compile_target() == (name, features)


@compiling.entry
def twice(n):
    return 2 * n


@compiling.entry
def four_and_six():
    return twice(2) + twice(3)


def test_an_entry_is_compiled_for_types_and_not_for_the_constants_of_its_callers():
    # As numba requests it when it compiles a caller; a cached one is not compiled at all.
    from numba import types

    for constant in (2, 3):
        twice.get_call_template([types.literal(constant)], {})
    assert twice.signatures == [(types.int64,)]
    assert four_and_six() == 10


FIRST_FIT = """
import sys, warnings, numpy as np, markone
from numba.core import event
warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=(20, 5))
asked = getattr(markone, sys.argv[1])
with event.install_recorder("numba:compile") as seen:
    asked(X, X[:, 0] > 0) if sys.argv[1] == "separability" else asked().fit(X, X[:, 0] > 0)
print(sum(found.is_start for _, found in seen.buffer))
"""


@pytest.mark.parametrize(
    ("student", "most"),
    [
        ("LVQ1", 3),
        pytest.param("MinOver", 21, marks=pytest.mark.slow),
        pytest.param("Pocket", 21, marks=pytest.mark.slow),
        pytest.param("Rosenblatt", 23, marks=pytest.mark.slow),
        pytest.param("AdaTron", 43, marks=pytest.mark.slow),
        pytest.param("KernelAdaTron", 40, marks=pytest.mark.slow),
        pytest.param("separability", 56, marks=pytest.mark.slow),
        pytest.param("BayesPoint", 68, marks=pytest.mark.slow),
        pytest.param("CommitteeMachine", 17, marks=pytest.mark.slow),
        pytest.param("ParityMachine", 68, marks=pytest.mark.slow),
    ],
)
def test_a_first_fit_compiles_few_functions(tmp_path, student, most):
    """An assignment of an array to a slice of another adds 35; each costs a twentieth of a second or more."""
    env = os.environ | {"MARKONE_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", FIRST_FIT, student]
    out = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert 1 <= int(out.stdout) <= most
