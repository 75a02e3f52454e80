"""Cross-validation of partitions equals that of folds in memory."""

import numpy as np
import pytest

from markone import Hebb, LinearUnit
from markone.tables import validate_partitions
from markone.tables.partitions.sources import ArrayPartitions
from markone.tables.partitions.validation import fold_of_partitions


@pytest.fixture(scope="module")
def pieces():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    X = 10 + rng.normal(size=(500, 3)) + 2 * y[:, None]
    return list(zip(np.array_split(X, 4), np.array_split(y, 4), strict=True))


def test_folds_share_no_row_and_miss_none(pieces):
    parts = ArrayPartitions(pieces)
    seen = [fold_of_partitions(parts, k, 3, 0, left_out=True).load(1)[0] for k in range(3)]
    rest = fold_of_partitions(parts, 0, 3, 0, left_out=False).load(1)[0]
    assert sum(map(len, seen)) == len(pieces[1][0])
    assert len(rest) + len(seen[0]) == len(pieces[1][0])
    assert len(np.unique(np.concatenate(seen), axis=0)) == len(pieces[1][0])


def test_scores_are_those_of_the_same_folds_in_memory(pieces):
    found = validate_partitions(Hebb(), pieces, folds=3)
    own = []
    for fold in range(3):
        sides = [fold_of_partitions(ArrayPartitions(pieces), fold, 3, 0, side) for side in (False, True)]
        (A, a), (B, b) = (
            [np.concatenate(v) for v in zip(*(s.load(k) for k in range(4)), strict=True)] for s in sides
        )
        mean, deviation = A.mean(axis=0), A.std(axis=0)
        own.append(Hebb().fit((A - mean) / deviation, a).score((B - mean) / deviation, b))
    assert found.estimates["accuracy"].mean == pytest.approx(np.mean(own))
    assert found.rows == 500
    assert found.trivial["accuracy"] < 0.6


def test_numbers(pieces):
    numbers = [(X, X @ [1.0, 2.0, 3.0]) for X, _ in pieces]
    found = validate_partitions(LinearUnit(), numbers, folds=2)
    assert found.estimates["r2"].mean == pytest.approx(1.0)
    assert found.estimates["rmse"].mean < 1e-8
    with pytest.raises(ValueError, match="folds = 1"):
        validate_partitions(LinearUnit(), numbers, folds=1)
