"""Ctrl-C once and twice, SIGTERM and SIGHUP, and the report of unexpected exceptions."""

import os
import re
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from markone.cli import crash_report

# The package has a function of this name.
main = import_module("markone.cli.main")
LAB = Path(__file__).parents[1] / "lab"
STUDY = """
name = "study"
title = "A study"
scenario = "toy"
seed = 7
repeats = 2000
[grid]
N = [5]
alpha = [1.0]
[fixed]
busy = 0.02
"""


@pytest.fixture
def started(tmp_path, monkeypatch):
    """A run under way."""
    (tmp_path / "study.toml").write_text(STUDY)
    paths = [str(LAB / "toy"), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    # Ctrl-C as at a terminal: a background job ignores it, and hands that on.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    # Below nohup it would be ignored, as it should be.
    hung_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    command = [sys.executable, "-m", "markone", "run", "study.toml", "--workers", "1", "--json"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    signal.signal(signal.SIGINT, before)
    signal.signal(signal.SIGHUP, hung_up)
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_saves_and_says_so(started, number, code):
    started.send_signal(number)
    said = started.communicate(timeout=60)[1]
    assert started.returncode == code
    assert re.search(r"Saved \d+/400; run the same command to continue.\n$", said)
    assert "Traceback" not in said


def test_ctrl_c_twice(started):
    started.send_signal(signal.SIGINT)
    time.sleep(0.01)
    started.send_signal(signal.SIGINT)
    said = started.communicate(timeout=60)[1]
    assert started.returncode == 130
    assert "run the same command to continue." in said
    assert "Traceback" not in said


def test_what_nobody_foresaw(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(main.cpu, "apply_portable_settings", lambda: 1 / 0)
    assert main.run_command_line(["list", "a b"]) == crash_report.EXIT_CODE
    said = capsys.readouterr().err
    (trace,) = tmp_path.glob("markone-trace-*.txt")
    assert "This is a bug in markone (ZeroDivisionError: division by zero)." in said
    assert str(trace) in said
    assert "Traceback" not in said
    text = trace.read_text()
    assert "markone list 'a b'" in text
    assert "ZeroDivisionError" in text
    assert trace.stat().st_mode & 0o077 == 0
    monkeypatch.setenv("MARKONE_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main.run_command_line(["list"])


def test_a_full_memory_is_a_sentence(monkeypatch, capsys):
    def full():
        raise MemoryError

    monkeypatch.setattr(main.cpu, "apply_portable_settings", full)
    assert main.run_command_line(["list"]) == 2
    assert "Out of memory." in capsys.readouterr().err


def test_names_that_are_no_text_are_said_all_the_same(capsys):
    assert main._print_error("There is no file \udcff.", 2) == 2
    assert "\\udcff" in capsys.readouterr().err
