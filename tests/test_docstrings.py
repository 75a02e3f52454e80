"""Docstrings of all public names: complete by numpydoc's rules, and their examples run."""

import doctest
from importlib import import_module

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpydoc.docscrape import ClassDoc
from numpydoc.validate import validate

from markone import NearestPrototype
from markone.base import registry
from markone.data import two_classes

# Every parameter with type and meaning, what is returned, an example. Not asked for: capitals (SS02, PR08),
# since formulas begin as they must; See Also (SA01) and more than a sentence (ES01) where there is nothing to
# add; a verb first (SS05), which it sees in "Leaves"; text below the quotes (GL01, GL02), which is a taste.
CHECKS = {
    "GL03": "blank lines",
    "GL05": "tabs",
    "GL06": "unknown sections",
    "GL07": "order of the sections",
    "GL08": "no docstring",
    "SS01": "no summary",
    "SS03": "the summary ends with a period",
    "SS04": "leading blanks",
    "SS06": "a summary of more than one line",
    "PR01": "parameters that are not described",
    "PR02": "parameters that do not exist",
    "PR03": "order of the parameters",
    "PR04": "a parameter without type",
    "PR05": "a type that ends with a period",
    "PR06": "a type by another name",
    "PR07": "a parameter without description",
    "PR09": "a description that does not end with a period",
    "PR10": "no blank before the colon",
    "RT01": "no Returns",
    "RT03": "a return value without description",
    "RT05": "its description does not end with a period",
    "SA02": "a See Also that does not end with a period",
    "SA04": "a See Also without description",
    "EX01": "no example",
}


def public(room):
    """Name -> object, of those that are markone's own."""
    module = import_module(f"markone.{room}")
    found = {name: getattr(module, name) for name in module.__all__}
    return {name: one for name, one in found.items() if callable(one) and home(one).startswith("markone")}


def home(one):
    return getattr(one, "__module__", "")


NAMES = [f"{room}.{name}" for room in registry.LAZY for name in public(room)]


@pytest.mark.parametrize("room", registry.LAZY)
def test_docstrings_are_complete(room):
    wrong = [
        f"{name}: {code} {said}"
        for name in public(room)
        for code, said in validate(f"markone.{room}.{name}")["errors"]
        # A field whose name begins with an underscore is nobody's parameter.
        if code in CHECKS and "{'_" not in said
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mpl.use("Agg")
    room, own = name.rsplit(".", 1)
    one = public(room)[own]
    # Anything else in its module has no place in the examples: who reads them imports what they need.
    for found in doctest.DocTestFinder(exclude_empty=True).find(one, own, module=False, globs={}):
        said = []
        doctest.DocTestRunner().run(found, out=said.append)
        assert not said, "".join(said)
    plt.close("all")


# Those that a setting or the data bring about.
SOMETIMES = {"embedding_", "trace_", "history_", "pairs_"}


@pytest.mark.parametrize("name", registry.estimators())
def test_documented_attributes_are_there_after_fit(name):
    cls = registry.estimators()[name]
    X, y, _ = two_classes("dense", 20)
    model = cls(NearestPrototype()) if name == "Rejecting" else cls()
    model = model.fit(np.sign(X)) if name == "Hopfield" else model.fit(X, y)
    said = {one for entry in ClassDoc(cls)["Attributes"] for one in entry.name.split(", ")}
    assert {one for one in said - SOMETIMES if not hasattr(model, one)} == set()
