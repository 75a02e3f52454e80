"""One copy of the package for all recipes, with the type checker's cache of the repository."""

import pytest
from copies import Copy


@pytest.fixture(scope="session")
def package_copy(tmp_path_factory):
    return Copy(tmp_path_factory.mktemp("recipes"))
