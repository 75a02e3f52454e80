"""The list of packages, and what is derived from it."""

from importlib import import_module
from pathlib import Path

import pytest
from sklearn.base import is_classifier

import markone
from markone.base import registry, stubs

PACKAGE = Path(markone.__file__).parent


def test_every_package_has_a_layer():
    """Every package has a layer; without one its imports would not be checked."""
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"experiments"}
    assert packages <= {name for layer in registry.LAYERS for name in layer}


# Packages whose classes are found by a word of a parameter; they are no part of the public names.
LOOKED_UP = ("lvq.distances", "lvq.solvers")


def test_every_package_with_lazy_names_is_listed():
    lazy = [
        path.parent
        for path in PACKAGE.glob("*/**/__init__.py")
        if "lazy_import.lazy_names(" in path.read_text()
    ]
    assert {".".join(folder.relative_to(PACKAGE).parts) for folder in lazy} == {*registry.LAZY, *LOOKED_UP}


@pytest.mark.parametrize("package", registry.LAZY)
def test_every_public_name_is_where_it_is_said_to_be(package):
    module = import_module(f"markone.{package}")
    assert dir(module) == sorted(module.__all__)
    for name, home in registry.modules_of_names(package).items():
        found = getattr(module, name)
        assert found.__name__ == name
        # Defined there, or in a module below the package that is its home.
        assert found.__module__.startswith(home), name


def test_names_of_markone_are_classes_and_three_functions():
    names = set(markone.__all__) - {"__version__"}
    assert {name for name in names if not name[0].isupper()} == {"separability", "separation", "fit"}
    # Classes of results are names of their packages.
    assert not names & registry.RESULTS
    assert markone.separability is registry.load_public_name("separability")
    with pytest.raises(AttributeError, match="module 'markone' has no attribute 'AdaTrom'"):
        _ = markone.AdaTrom


def test_classifiers_can_be_made_without_arguments():
    found = registry.public_classifiers()
    assert {"AdaTron", "GMLVQ", "ParityMachine", "FeedForwardClassifier"} <= set(found)
    assert "Rejecting" not in found
    assert "Hopfield" not in found
    assert all(is_classifier(cls()) for cls in found.values())


@pytest.mark.parametrize("path", stubs.stub_texts(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_stubs_are_up_to_date(path):
    assert path.read_text() == stubs.stub_texts()[path], "run `make docs`"


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").exists()
