"""The notice of a first fit that compiles: once, on a terminal, with the expected time."""

import os
import subprocess
import sys

import pytest

from markone.numerics import compiling
from markone.numerics.compiling import SECONDS, notice_text, notice_wanted, outermost_caller

FIRST = """
import numpy as np
from markone.numerics._rows import squared_norms
squared_norms(np.ones((2, 3)))
squared_norms(np.ones((2, 3), np.float32))
print("answer")
"""


def run(folder, **settings):
    env = os.environ | {"MARKONE_CACHE_DIR": str(folder)} | settings
    return subprocess.run([sys.executable, "-c", FIRST], env=env, capture_output=True, text=True, check=True)


def test_said_once_and_only_where_something_is_compiled(tmp_path):
    asked = run(tmp_path, MARKONE_COMPILE_NOTICE="1")
    assert asked.stdout == "answer\n"
    assert asked.stderr.count("markone: compiling") == 1
    assert run(tmp_path, MARKONE_COMPILE_NOTICE="1").stderr == ""


def test_not_said_into_a_pipe(tmp_path, monkeypatch):
    monkeypatch.delenv("MARKONE_COMPILE_NOTICE", raising=False)
    assert run(tmp_path).stderr == ""


def test_said_on_a_terminal_but_not_by_workers(monkeypatch):
    monkeypatch.delenv("MARKONE_COMPILE_NOTICE", raising=False)
    monkeypatch.setattr(compiling.sys.stderr, "isatty", lambda: True, raising=False)
    assert notice_wanted()
    monkeypatch.setattr(compiling.multiprocessing, "parent_process", lambda: object())
    assert not notice_wanted()


def test_not_said_where_silenced(monkeypatch):
    monkeypatch.setattr(compiling.sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("MARKONE_COMPILE_NOTICE", "0")
    monkeypatch.setattr(compiling.sys.stderr, "write", pytest.fail)
    compiling._print_notice()


OURS = """
def separability():
    return deeper()

def deeper():
    return caller()

class Student:
    def fit(self):
        return deeper()
"""


def test_the_caller_is_whoever_was_asked_from_outside():
    ours = {"__name__": "markone.somewhere", "caller": outermost_caller}
    exec(OURS, ours)
    assert ours["separability"]() == "separability"
    assert ours["Student"]().fit() == "Student"


def test_what_was_measured_is_said():
    assert f"about {SECONDS['AdaTron']} s" in notice_text("AdaTron")
    assert "some seconds" in notice_text("Hebb")
    assert min(SECONDS.values()) > 1
