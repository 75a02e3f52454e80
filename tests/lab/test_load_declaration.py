"""Declarations from files and from names."""

import pytest

from markone.errors import DeclarationError
from markone.lab import catalogue
from markone.lab.load import load_declaration

pytestmark = pytest.mark.usefixtures("toy")

TOML = """
name = "study"
title = "A study"
scenario = "toy"
seed = 7
repeats = 12
read_first = "Careful."
[grid]
N = [5, 20]
alpha = { start = 0.5, stop = 1.5, step = 0.5 }
[fixed]
rule = "minover"
[[figure]]
name = "heights"
x = "alpha"
lines = ["N"]
measures = ["height"]
theory = ["line"]
[[claim]]
text = "It grows."
measure = "height"
where = { N_min = 10, alpha = 0.5 }
expect = { rises_with = "alpha" }
"""


def test_files_that_are_not_there_or_not_toml(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    (tmp_path / "capacity.toml").write_text(TOML)
    (tmp_path / "broken.toml").write_text("name = \nseed = 1")
    assert catalogue.experiment_names() == ["broken", "capacity"]
    assert load_declaration("capacity").name == "study"
    with pytest.raises(DeclarationError, match=r"no file or experiment 'capcity'. Did you mean 'capacity'"):
        load_declaration("capcity")
    with pytest.raises(DeclarationError, match=r"not TOML: .*line 1"):
        load_declaration(tmp_path / "broken.toml")
