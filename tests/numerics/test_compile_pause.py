"""The garbage collector is paused during compilation and restored afterwards."""

import gc
from types import SimpleNamespace

import pytest

from markone.numerics.compile_pause import CompilePause


def compiled(module):
    """An event of numba about a function of this module."""
    function = SimpleNamespace(__module__=module)
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


OURS, THEIRS = compiled("markone.perceptron"), compiled("another.package")


@pytest.fixture(autouse=True)
def as_before():
    enabled = gc.isenabled()
    yield
    (gc.enable if enabled else gc.disable)()


def test_paused_from_the_outermost_start_to_its_end():
    pause = CompilePause()
    gc.enable()
    pause.on_start(OURS)
    pause.on_start(THEIRS)
    assert not gc.isenabled()
    pause.on_end(THEIRS)
    assert not gc.isenabled()
    pause.on_end(OURS)
    assert gc.isenabled()


def test_not_while_others_compile():
    pause = CompilePause()
    gc.enable()
    pause.on_start(THEIRS)
    assert gc.isenabled()
    pause.on_end(THEIRS)
    assert gc.isenabled()


def test_whoever_has_switched_it_off_keeps_it_off():
    pause = CompilePause()
    gc.disable()
    pause.on_start(OURS)
    pause.on_end(OURS)
    assert not gc.isenabled()


def test_garbage_made_meanwhile_is_found_later():
    class Node:
        pass

    pause, found = CompilePause(), []
    gc.enable()
    pause.on_start(OURS)
    node = Node()
    node.itself, node.last_word = node, SimpleNamespace()
    import weakref

    weakref.finalize(node, found.append, "found")
    del node
    pause.on_end(OURS)
    gc.collect()
    assert found == ["found"]
