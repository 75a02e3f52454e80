"""Settings, grids and folds as they are typed."""

import numpy as np
import pytest

from markone.tables.request import Folds, parse_folds, parse_grid, parse_model_settings


def test_options_as_they_are_typed():
    assert (parse_folds("5x10"), parse_folds("10"), parse_folds("loo")) == (
        Folds(5, 10),
        Folds(1, 10),
        Folds(1, 0),
    )
    assert parse_model_settings(
        ["C=0.1", "order=cyclic", "exact=false", "eta=none", "max_iter=7", "c=inf"]
    ) == {
        "C": 0.1,
        "order": "cyclic",
        "exact": False,
        "eta": None,
        "max_iter": 7,
        "c": np.inf,
    }
    assert parse_grid(["C=0.01,1, inf", "k=1,2"]) == {"C": [0.01, 1, np.inf], "k": [1, 2]}


@pytest.mark.parametrize("text", ["5y10", "1", "0x5", "x5", "5x1", "-3", ""])
def test_folds_that_are_none(text):
    with pytest.raises(ValueError, match="must be repeats x folds as in 5x10"):
        parse_folds(text)


@pytest.mark.parametrize(
    ("read", "text"), [(parse_model_settings, "C"), (parse_grid, "=3"), (parse_grid, "C=,")]
)
def test_settings_that_are_none(read, text):
    with pytest.raises(ValueError, match=r"name=value|gives no value"):
        read([text])
