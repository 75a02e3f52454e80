"""Quantiles, missing values and their dependence on the class, by partitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markone import AdaTron, Hebb, LinearUnit
from markone.errors import BadTable
from markone.tables import describe_partitions, fit_partitions, validate_partitions
from markone.tables.partitions import partition_summary
from markone.tables.scaling import Scaling

LEVELS = (0.0, 0.1, 0.25, 0.5, 0.9, 1.0)


def cut(X, y, at=(1, 7, 30)):
    return list(zip(np.split(X, at), np.split(y, at), strict=True))


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 5))
    X[:, 1] = rng.integers(0, 3, 4000)
    X[:, 2] *= 1e300
    X[rng.random(4000) < 0.3, 3] = np.nan
    X[:, 4] = 5.0
    return X, rng.integers(0, 2, 4000)


@pytest.mark.parametrize("few", [20_000, 3])
def test_quantiles_are_numpys_to_the_last_bit(rows, few, monkeypatch):
    """Fetched at once, or after the bracket has been narrowed as often as it takes."""
    monkeypatch.setattr(partition_summary, "MAX_FETCHED", few)
    found = describe_partitions(cut(*rows), levels=LEVELS)
    expected = np.nanquantile(rows[0], LEVELS, axis=0)
    np.testing.assert_allclose(found.quantiles, expected, rtol=1e-15)
    assert found.missing.tolist() == np.isnan(rows[0]).sum(axis=0).tolist()


def test_zeros_and_one_number_far_away_take_few_passes(monkeypatch):
    monkeypatch.setattr(partition_summary, "MAX_FETCHED", 100)
    x = np.random.default_rng(3).normal(size=20_000)
    X = np.column_stack([np.where(x > -1, 0.0, x), np.append(x[1:], 1e300)])
    passes = []
    plain = partition_summary.PartitionSums.map_partitions
    monkeypatch.setattr(
        partition_summary.PartitionSums, "map_partitions", lambda *a: passes.append(1) or plain(*a)
    )
    found = describe_partitions(cut(X, np.zeros(20_000), (9_000,)), levels=(0.1, 0.5, 0.9))
    np.testing.assert_allclose(found.quantiles, np.quantile(X, (0.1, 0.5, 0.9), axis=0), rtol=1e-14)
    assert len(passes) <= 8


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(allow_nan=True, allow_infinity=False), min_size=1, max_size=40), st.integers(0, 40))
def test_any_numbers_in_any_pieces(values, at):
    X = np.array(values)[:, None]
    found = describe_partitions(cut(X, np.zeros(len(X)), (at,)), levels=(0.0, 0.5, 1.0))
    given_ = np.sort(X[~np.isnan(X)])
    if not len(given_):
        assert np.isnan(found.quantiles).all()
        return
    assert found.quantiles[0, 0] == given_[0]
    assert found.quantiles[2, 0] == given_[-1]
    assert given_[(len(given_) - 1) // 2] <= found.quantiles[1, 0] <= given_[len(given_) // 2]


def test_gaps_that_know_the_class_are_found_and_others_are_not():
    rng = np.random.default_rng(1)
    y = np.repeat(["a", "b"], 300)
    X = rng.normal(size=(600, 3))
    X[:90, 0] = np.nan
    X[rng.permutation(600)[:90], 1] = np.nan
    (found,) = describe_partitions(cut(X, y)).findings
    assert found.doubts_score
    assert found.columns == ("x0",)
    assert "in 90 of 300 rows of 'a', in 0 of 300 rows of 'b'" in found.sentence


@pytest.mark.parametrize("missing", ["median", "mean"])
@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("model", [Hebb(), AdaTron(C=0.5), LinearUnit()], ids=repr)
def test_filled_fits_are_those_of_all_rows(missing, scale, model):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 300)
    X = rng.normal(size=(300, 3)) + y[:, None]
    X[rng.random((300, 3)) < 0.1] = np.nan
    made = fit_partitions(model, cut(X, y), scale=scale, missing=missing)
    whole = Scaling(3, "standard" if scale else "none", missing).fit(X)
    other = type(model)(**model.get_params()).fit(whole.transform(X), y)
    np.testing.assert_allclose(made["model"].coef_, other.coef_, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(made.predict(X[:20]), other.predict(whole.transform(X[:20])), rtol=1e-8)


def test_missing_values_are_refused_by_name_until_someone_chooses():
    X = np.array([[1.0, 2.0], [np.nan, 1.0], [0.0, 0.0], [1.0, 1.0]] * 10)
    y = np.arange(40) % 2
    with pytest.raises(BadTable, match=r"Column 'x0' has missing values\. Choose missing='median'"):
        fit_partitions(Hebb(), cut(X, y))
    with pytest.raises(ValueError, match="must be 'refuse', 'median' or 'mean' for partitions"):
        fit_partitions(Hebb(), cut(X, y), missing="mask")
    found = validate_partitions(Hebb(), cut(X, y), folds=2, missing="median")
    assert 0 <= found.estimates["accuracy"].mean <= 1
