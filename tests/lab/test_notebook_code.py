"""State of a class of a script: all code that it uses there, and nothing else."""

import types

import pytest

from markone.lab.foreign_code import class_state, defining_module

TEXT = """
import math
RATE = {rate}
calls = {calls}
def helper(x):
    return {helper}
def unused():
    return {unused}
class Base:
    size = {size}
    def fit(self):
        global calls
        calls += 1
        return [helper(x) for x in (1, 2)]
class Rule(Base):
    @property
    def rate(self):
        return RATE * math.pi
"""
SAME = {"rate": 1.0, "helper": "x", "unused": 0, "calls": 0, "size": 3}


def state(tmp_path, name="__main__", **changes):
    """State of Rule in a module that is a file for `inspect` and a script for markone."""
    path = tmp_path / f"script_{len(list(tmp_path.iterdir()))}.py"
    path.write_text(TEXT.format(**SAME | changes))
    module = types.ModuleType(name)
    exec(compile(path.read_text(), str(path), "exec"), vars(module))
    return class_state(module.Rule)


def test_what_counts_and_what_does_not(tmp_path):
    usual = state(tmp_path)
    assert usual == state(tmp_path) == state(tmp_path, unused=1) == state(tmp_path, name="__mp_main__")
    assert usual == state(tmp_path, calls=1)
    assert usual not in {state(tmp_path, **one) for one in ({"rate": 2.0}, {"helper": "x + 1"}, {"size": 4})}


def test_a_class_without_source():
    space = {"__name__": "__main__"}
    exec("class Rule:\n    def fit(self): return 1", space)
    with pytest.raises(ValueError, match="The source of Rule cannot be read here: write it to a file"):
        class_state(space["Rule"])
    assert defining_module(space["Rule"]) == "__main__"
    assert defining_module(dict) == "builtins"
