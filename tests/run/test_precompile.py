"""Compilation in advance."""

from markone.cli.main import run_command_line
from markone.run import precompile


def test_every_first_fit_is_one_of_ours_and_is_done_once(monkeypatch):
    monkeypatch.setattr(precompile, "FIRST_FITS", dict(list(precompile.FIRST_FITS.items())[:2]))
    seen = []
    assert (
        precompile.precompile_students(lambda done, total, label: seen.append((done, total, label)), 2) == 2
    )
    assert [step[:2] for step in seen] == [(1, 2), (2, 2)]
    assert {label for *_, label in seen} == {"Rosenblatt", "Pocket"}


def test_the_doctor_warms_before_it_looks(monkeypatch, capsys):
    monkeypatch.setattr(precompile, "precompile_students", lambda progress: progress(1, 1, "Rosenblatt"))
    run_command_line(["doctor", "--warm"])
    said = capsys.readouterr().out
    assert said.index("compiling: 1 of 1 tasks") < said.index("compiled code")
