"""One copy of the package for all recipes, with the type checker's cache of the repository."""

import pytest
from copies import Copy


def pytest_collection_modifyitems(config, items):
    """Run all recipes in one worker, which has the copy."""
    if config.pluginmanager.hasplugin("xdist"):
        for item in items:
            if "recipes" in item.path.parts:
                item.add_marker(pytest.mark.xdist_group("recipes"))


@pytest.fixture(scope="session")
def package_copy(tmp_path_factory):
    return Copy(tmp_path_factory.mktemp("recipes"))
