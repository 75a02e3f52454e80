"""`markone figure` and `markone watch`."""

import json

import pytest

from markone.cli.main import run_command_line


def test_figures_are_listed(capsys):
    assert run_command_line(["figure"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1.1 ")
    assert any(line.startswith("3.4 ") for line in lines)
    assert run_command_line(["figure", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["number"] == "1.1"


def test_a_figure_is_drawn(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run_command_line(["figure", "3.4", "--out", "fig.svg", "--size", "slide"]) == 0
    assert "<svg" in (tmp_path / "fig.svg").read_text()
    assert run_command_line(["figure", "3.2"]) == 0
    assert (tmp_path / "figure-3.2.svg").exists()
    assert "Drew fig.svg" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["figure", "9.9"], "There is no figure '9.9'"),
        (["figure", "3.4", "--size", "giant"], "choose column, double, slide, poster"),
        (["figure", "3.4", "--out", "fig.doc"], "fig.doc: write .png, .svg, .pdf"),
        (["watch", "rosenblat"], "Did you mean 'rosenblatt'"),
        (["watch", "rosenblatt", "--data", "loose"], "There is no set of examples 'loose'"),
        (["watch", "rosenblatt", "--out", "film.doc"], "'.doc' is not one of .html"),
    ],
)
def test_bad_words_get_a_sentence(arguments, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run_command_line(arguments) == 2
    assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_watch_writes_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run_command_line(["watch", "rosenblatt", "--data", "tight", "--points", "12"]) == 0
    page = (tmp_path / "rosenblatt-tight.html").read_text(encoding="utf-8")
    assert "Rosenblatt learns 12 examples, tight" in page
    assert "arrow keys" in capsys.readouterr().out
