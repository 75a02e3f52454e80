"""The cache of compiled code, events of compilations, and the plain twins of numba's internals."""

import gc
import os
import shutil
import subprocess
import sys
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

from markone.numerics import numba_internals as internals
from markone.numerics._vectors import max_finite, min_finite
from markone.numerics.compiling import entry
from markone.numerics.numba_internals import CompileListener

PROCESS = """
import sys
import numpy as np
from markone.numerics._rows import squared_norms

# It makes an array of its own: memory must be there without the compiler.
assert squared_norms(np.full((2, 3), 2.0)).tolist() == [12.0, 12.0]
print("numba.cpython.printimpl" in sys.modules)
assert squared_norms(np.full((2, 3), 2.0, np.float32)).tolist() == [12.0, 12.0]
print("numba.cpython.printimpl" in sys.modules)
"""


def run(folder, **settings):
    env = os.environ | {"MARKONE_CACHE_DIR": str(folder)} | settings
    done = subprocess.run(
        [sys.executable, "-c", PROCESS], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.split(), done.stderr


@pytest.fixture(scope="module")
def first_run(tmp_path_factory):
    """Output of a process that compiles for two types, and the folder in which it stored the code."""
    folder = tmp_path_factory.mktemp("compiled")
    return run(folder)[0], folder


def copied(first_run, tmp_path):
    return shutil.copytree(first_run[1], tmp_path / "copy")


def test_the_compiler_is_initialised_only_if_it_compiles(first_run, tmp_path):
    assert first_run[0] == ["True", "True"]
    folder = copied(first_run, tmp_path)
    files = sorted(folder.rglob("*squared_norms*.nbc"), key=lambda file: file.stat().st_mtime_ns)
    assert len(files) == 2
    assert run(folder)[0] == ["False", "False"]
    # The code for float32 is gone: it is compiled after that for float64 was loaded.
    files[1].unlink()
    assert run(folder)[0] == ["False", "True"]


def damage(data, how):
    if how == "a flipped bit":
        middle = len(data) // 2
        return data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :]
    return {"empty": b"", "halved": data[: len(data) // 2], "zeros": bytes(len(data))}[how]


def add_one(n):
    return n + 1


def cache_hits(folder):
    """Number of times that a new dispatcher finds its code in the folder."""
    compiled = internals.compile_cached(add_one, folder, {"nogil": True})
    assert compiled(2) == 3
    assert sum(compiled.stats.cache_hits.values()) + sum(compiled.stats.cache_misses.values()) == 1
    return sum(compiled.stats.cache_hits.values())


@pytest.mark.parametrize("how", ["empty", "halved", "zeros", "a flipped bit"])
def test_a_damaged_file_is_replaced(tmp_path, how):
    assert [cache_hits(tmp_path), cache_hits(tmp_path)] == [0, 1]
    (file,) = tmp_path.rglob("*.nbc")
    file.write_bytes(damage(file.read_bytes(), how))
    assert [cache_hits(tmp_path), cache_hits(tmp_path)] == [0, 1]


def test_damaged_files_are_replaced_by_the_next_process(first_run, tmp_path):
    folder = copied(first_run, tmp_path)
    for file in folder.rglob("*.nbc"):
        file.write_bytes(damage(file.read_bytes(), "a flipped bit"))
    assert run(folder) == (["True", "True"], "")
    assert run(folder) == (["False", "False"], "")


def test_copies_of_the_sources_share_compiled_code_and_edited_ones_do_not(tmp_path):
    hits = []
    for name, text in [("a", "def f(n):\n    return n + 2\n")] * 2 + [("b", "def f(n):\n    return n + 3\n")]:
        file = tmp_path / f"{name}{len(hits)}.py"
        file.write_text(text)
        made = {"__name__": "copied"}
        exec(compile(text, file, "exec"), made)
        compiled = internals.compile_cached(made["f"], tmp_path / "code", {"nogil": True})
        assert compiled(1) == made["f"](1)
        hits.append(sum(compiled.stats.cache_hits.values()))
    assert hits == [0, 1, 0]


FULL = """
import errno, warnings
from markone.numerics import numba_internals

def full(path, data):
    raise OSError(errno.ENOSPC, "No space left on device")

numba_internals.write_atomically = full
"""


def test_a_full_disk_is_one_warning(tmp_path):
    env = os.environ | {"MARKONE_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", FULL + PROCESS]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert done.stderr.count("cannot be stored in") == 1
    assert "No space left on device" in done.stderr


def compiled(module):
    """An event of numba about a function of this module."""
    function = SimpleNamespace(__module__=module)
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


OWN, FOREIGN = compiled("markone.perceptron"), compiled("another.package")


@pytest.fixture
def listener():
    enabled = gc.isenabled()
    gc.enable()
    reports = []
    listener = CompileListener("markone", lambda: reports.append(1))
    listener.reports = reports
    yield listener
    (gc.enable if enabled else gc.disable)()


def test_the_first_own_compilation_is_reported_once(listener):
    listener.on_start(FOREIGN)
    assert not listener.reports
    listener.on_start(OWN)
    listener.on_start(OWN)
    assert len(listener.reports) == 1


def test_paused_from_the_outermost_start_to_its_end(listener):
    listener.on_start(OWN)
    listener.on_start(FOREIGN)
    assert not gc.isenabled()
    listener.on_end(FOREIGN)
    assert not gc.isenabled()
    listener.on_end(OWN)
    assert gc.isenabled()


def test_not_paused_for_other_packages(listener):
    listener.on_start(FOREIGN)
    assert gc.isenabled()
    listener.on_end(FOREIGN)
    assert gc.isenabled()


def test_a_disabled_collector_stays_disabled(listener):
    gc.disable()
    listener.on_start(OWN)
    listener.on_end(OWN)
    assert not gc.isenabled()


def test_garbage_of_the_meantime_is_collected_later(listener):
    class Node:
        pass

    found = []
    listener.on_start(OWN)
    node = Node()
    node.itself = node
    weakref.finalize(node, found.append, "found")
    del node
    listener.on_end(OWN)
    gc.collect()
    assert found == ["found"]


@entry
def extremes(values):
    least, most = np.inf, -np.inf
    for i in range(values.shape[0]):
        least, most = min_finite(least, values[i]), max_finite(most, values[i])
    return least, most


@pytest.mark.parametrize("n", [1, 3, 8, 100, 1001])
def test_minima_are_those_of_the_plain_twins_and_of_numpy(n):
    values = np.random.default_rng(n).standard_normal(n)
    assert extremes(values) == (values.min(), values.max())
    assert (min_finite(1.0, 2.0), max_finite(1.0, 2.0)) == (1.0, 2.0)


TWINS = """
import numba, sys
numba.version_info = numba.version_info._replace(short=(9, 9))
import numpy as np
from markone.numerics import numba_internals as internals
from markone.numerics._vectors import add_and_find_min
from markone.numerics.compiling import entry
from markone.numerics._rows import squared_norms
assert not internals.AVAILABLE
values = np.random.default_rng(0).standard_normal(300)
changes = np.sin(np.arange(300.0))
found = add_and_find_min(values, changes)
assert found == (values.min(), values.argmin())
assert squared_norms(np.full((2, 3), 2.0)).tolist() == [12.0, 12.0]
with internals.record_compilations() as seen:
    pass
print(internals.numba_target()[0] != "", sum(squared_norms.stats.cache_hits.values()))
"""


def test_other_versions_of_numba_use_the_plain_twins(tmp_path):
    env = os.environ | {"MARKONE_CACHE_DIR": str(tmp_path)}
    for hits in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", TWINS], env=env, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == ["True", hits]


def test_internals_are_available_for_the_installed_version():
    """If not: test the new version, then raise TESTED."""
    assert internals.AVAILABLE
