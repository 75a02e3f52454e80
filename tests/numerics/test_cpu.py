"""The kind of CPU a process computes for, and the one kind of portable runs."""

import json
import os
import platform
import subprocess
import sys

import pytest

from markone.errors import NotPortable
from markone.numerics import cpu

here_portable = pytest.mark.skipif(bool(cpu.missing_features()), reason="this CPU has no x86-64-v3")
PROBE = (
    "from markone.numerics import cpu; print(cpu.cpu_kind()); "
    "cpu.portable_requested() and cpu.require_portable()"
)


def kind(**settings):
    """As a process says that was started with these settings only."""
    plain = {name: value for name, value in os.environ.items() if name not in cpu.portable_settings()}
    command = [sys.executable, "-W", "error", "-c", PROBE]
    out = subprocess.run(command, env=plain | settings, capture_output=True, check=True)
    return json.loads(out.stdout)


def test_the_kind_names_what_the_bits_depend_on():
    found = json.loads(cpu.cpu_kind())
    assert set(found) == {"compiled for", "features", "BLAS", "numpy"}
    assert found["compiled for"] == cpu.compile_target()[0]
    # A generic CPU has no features to name; the other three are never empty.
    assert found["compiled for"]
    assert found["BLAS"]
    assert found["numpy"]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the names are those of x86")
def test_another_kind_is_seen():
    found = kind(NUMBA_CPU_NAME="generic", OPENBLAS_CORETYPE="Nehalem")
    assert found["compiled for"] == "generic"
    assert found["features"] == ""
    if "openblas" in found["BLAS"]:
        assert found["BLAS"] == "openblas Nehalem"


@here_portable
def test_portable_is_one_kind_whatever_was_set_before():
    plain = kind(MARKONE_PORTABLE="1")
    assert plain["compiled for"] == "x86-64-v3"
    assert kind(MARKONE_PORTABLE="1", NUMBA_CPU_NAME="generic", OPENBLAS_CORETYPE="Nehalem") == plain


@here_portable
def test_too_late_is_said_with_the_variables_to_set(monkeypatch):
    if cpu.compile_target()[0] == cpu.LEVEL:
        pytest.skip("these tests run for the portable kind")
    with pytest.raises(
        NotPortable, match=r"too late.*before Python starts, with OPENBLAS_CORETYPE='Haswell' "
    ):
        cpu.require_portable()


def test_what_cannot_be_portable_says_so(monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    with pytest.raises(NotPortable, match=r"for x86-64-v3, and this machine \(aarch64\) lacks .*Leave out"):
        cpu.require_portable()


def test_an_old_cpu_says_what_it_lacks(monkeypatch):
    binding = pytest.importorskip("llvmlite.binding")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: dict.fromkeys(cpu.FEATURES[:-2], True))
    with pytest.raises(NotPortable, match="lacks lzcnt, movbe"):
        cpu.require_portable()


@pytest.mark.parametrize("machine", ["aarch64", "x86_64"])
def test_an_import_pins_only_where_it_can_be_done(monkeypatch, machine):
    monkeypatch.setattr(os, "environ", {cpu.PORTABLE_VARIABLE: "1"})
    monkeypatch.setattr(cpu, "missing_features", lambda: [] if machine == "x86_64" else [cpu.LEVEL])
    cpu.apply_portable_settings()
    assert os.environ == ({cpu.PORTABLE_VARIABLE: "1"} if machine == "aarch64" else cpu.portable_settings())


def test_a_foreign_blas_is_refused(monkeypatch):
    monkeypatch.setattr(cpu, "missing_features", list)
    facts = {"compiled for": cpu.LEVEL, "features": "", "BLAS": "accelerate", "numpy": "AVX2"}
    monkeypatch.setattr(cpu, "cpu_kind", lambda: json.dumps(facts))
    with pytest.raises(NotPortable, match="need OpenBLAS or MKL, and numpy or scipy has accelerate"):
        cpu.require_portable()
