"""Puts `labelled` and `online_twins` on the path of the tests below."""

import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler


@pytest.fixture(scope="session")
def iris():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y
