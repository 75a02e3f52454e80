"""Text of estimates and parameters."""

import numpy as np
import pytest
from generated_points import cover

from markone.lab.formatting import format_keys
from markone.lab.statistics import estimate_mean
from markone.numerics.text import format_number


def test_words():
    assert str(estimate_mean(np.arange(100) < 73, fraction=True)) == "0.730 [0.636, 0.807]"
    assert str(estimate_mean([])) == "–"
    assert str(estimate_mean([0.25])) == "0.25 (one run)"
    assert str(estimate_mean([2.0, 2.0])) == "2 [2, 2]"
    assert format_keys({"student": "hebb", "N": 20, "alpha": 1.5}) == "hebb, N = 20, alpha = 1.5"
    assert format_keys({"student": ["hebb", "knn"], "N": [20, 40]}) == "hebb or knn, N = 20 or 40"
    assert format_number(True) == "True"
    assert cover({"alpha": 2.0, "N": 20}) == pytest.approx(0.5)
