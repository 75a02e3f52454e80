"""Text of estimates and parameters."""

import numpy as np
import pytest
from stand_ins import cover

from markone.lab.formatting import names
from markone.lab.statistics import estimate
from markone.numerics.text import number


def test_words():
    assert str(estimate(np.arange(100) < 73, fraction=True)) == "0.730 [0.636, 0.807]"
    assert str(estimate([])) == "–"
    assert str(estimate([0.25])) == "0.25 (one run)"
    assert str(estimate([2.0, 2.0])) == "2 [2, 2]"
    assert names({"student": "hebb", "N": 20, "alpha": 1.5}) == "hebb, N = 20, alpha = 1.5"
    assert names({"student": ["hebb", "knn"], "N": [20, 40]}) == "hebb or knn, N = 20 or 40"
    assert number(True) == "True"
    assert cover({"alpha": 2.0, "N": 20}) == pytest.approx(0.5)
