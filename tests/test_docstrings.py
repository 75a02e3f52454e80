"""Docstrings of all public names are complete by numpydoc's rules, and their examples run."""

import doctest
import re
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

# Not required: capitals (SS02, PR08), because of formulas; See Also (SA01) and an extended summary (ES01); an
# infinitive first (SS05), which has false positives; text below the quotes (GL01, GL02), a matter of style.
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


def public(package):
    """Return {name: object} of the callables defined in markone."""
    module = import_module(f"markone.{package}")
    found = {name: getattr(module, name) for name in module.__all__}
    return {name: one for name, one in found.items() if callable(one) and home(one).startswith("markone")}


def home(one):
    return getattr(one, "__module__", "")


NAMES = [f"{package}.{name}" for package in registry.LAZY for name in public(package)]


def is_shown_where_returned(package, name):
    """True for a result "Returned by `name`", or by `Class.name`, whose example calls that."""
    found = re.search(r"Returned by `(?:(\w+)\.)?(\w+)`", public(package)[name].__doc__ or "")
    owner = public(package).get(found[1] or found[2]) if found else None
    return owner is not None and f"{found[2]}(" in owner.__doc__.partition("Examples\n")[2]


@pytest.mark.parametrize("package", registry.LAZY)
def test_docstrings_are_complete(package):
    wrong = [
        f"{name}: {code} {message}"
        for name in public(package)
        for code, message in validate(f"markone.{package}.{name}")["errors"]
        # A field whose name begins with an underscore is not a parameter.
        if code in CHECKS
        and "{'_" not in message
        and not (code == "EX01" and is_shown_where_returned(package, name))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mpl.use("Agg")
    package, own = name.rsplit(".", 1)
    one = public(package)[own]
    # Empty globals: an example must import what it needs.
    for found in doctest.DocTestFinder(exclude_empty=True).find(one, own, module=False, globs={}):
        failures = []
        doctest.DocTestRunner().run(found, out=failures.append)
        assert not failures, "".join(failures)
    plt.close("all")


# Attributes that depend on a setting or on the data.
SOMETIMES = {"embedding_", "trace_", "history_", "pairs_"}


@pytest.mark.parametrize("name", registry.public_estimators())
def test_documented_attributes_are_there_after_fit(name):
    cls = registry.public_estimators()[name]
    X, y, _ = two_classes("dense", 20)
    model = cls(NearestPrototype()) if name == "Rejecting" else cls()
    model = model.fit(np.sign(X)) if name == "Hopfield" else model.fit(X, y)
    documented = {one for entry in ClassDoc(cls)["Attributes"] for one in entry.name.split(", ")}
    assert {one for one in documented - SOMETIMES if not hasattr(model, one)} == set()
