"""Every estimator with invalid or extreme parameters and tables."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hostile_parameters import TABLES, complaint, settings_of
from markone import (
    GMLVQ,
    AssociationLayer,
    KernelAdaTron,
    LinearUnit,
    MarginCost,
    PolynomialMap,
    Rejecting,
    Rosenblatt,
)
from markone.base import registry

NAMES = sorted(registry.public_estimators())
# More by hand: MARKONE_FUZZ=2000 pytest -m slow tests/test_hostile_parameters.py
MANY = int(os.environ.get("MARKONE_FUZZ", "60"))
TABLE, CLASSES = st.sampled_from(sorted(TABLES)), st.integers(1, 3)
ANY = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


def drawn(name):
    return st.tuples(settings_of(name), TABLE, CLASSES)


@pytest.mark.parametrize("name", NAMES)
def test_sentences_or_finite_numbers(name):
    """A chosen part, the same one each time."""

    @settings(max_examples=6, derandomize=True, database=None, suppress_health_check=ANY)
    @given(drawn(name))
    def holds(asked):
        assert complaint(name, *asked) is None

    holds()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_sentences_or_finite_numbers_of_many(name):
    @settings(max_examples=MANY, suppress_health_check=ANY)
    @given(drawn(name))
    def holds(asked):
        assert complaint(name, *asked) is None

    holds()


FOUND = [
    ("AssociationLayer", {"n_units": 2**31}, "the same row", 2),
    ("AssociationLayer", {"threshold": 0.0}, "largest", 2),
    ("BayesPoint", {"intercept_scaling": 1e-320}, "the same row", 3),
    ("Gibbs", {"noise": 0.0}, "subnormal", 2),
    ("Hebb", {"class_weight": "balanced"}, "largest", 2),
    ("Hopfield", {"threshold": 0.5}, "largest", 2),
    ("LinearUnit", {"sigma": 1e308}, "plain", 2),
    ("KernelGLVQ", {"gamma": 1e308}, "two rows", 2),
    ("LGMLVQ", {"mu": 1e308}, "two rows", 3),
    ("MRSLVQ", {"sigma2": 1e-320}, "pairs", 2),
    ("MRSLVQ", {"rank": 1, "l2": True}, "pairs", 2),
    ("MarginCost", {"c": 1e308}, "the same row", 2),
    ("MarginCost", {"tol": 1e308}, "one column", 2),
    ("ParityMachine", {"intercept_scaling": 1e-320}, "far away", 2),
    ("Pocket", {"intercept_scaling": 1e308}, "subnormal", 2),
    ("PolynomialMap", {"coef0": 1e308}, "subnormal", 2),
    ("PolynomialMap", {"gamma": 1e12}, "huge", 2),
    ("Rosenblatt", {"eta": 1e308}, "far away", 3),
    ("Rejecting", {"reject_label": np.array([np.nan])}, "far away", 2),
]


@pytest.mark.parametrize(("name", "given_", "table", "classes"), FOUND, ids=lambda value: str(value)[:30])
def test_what_was_found_stays_mended(name, given_, table, classes):
    assert complaint(name, given_, table, classes) is None


SENTENCES = [
    (AssociationLayer(n_units=2**31), "plain", "n_units = 2147483648 with 3 inputs .* at most 10000000"),
    (AssociationLayer(), "largest", "Sums of the inputs are not finite: scale X"),
    (
        PolynomialMap(coef0=1e308),
        "plain",
        r"monomials are not finite .* coef0 = 1e\+308: choose values nearer",
    ),
    (PolynomialMap(degree=3), "huge", "Powers of X up to degree 3 are not finite: scale X"),
    (MarginCost(c=1e308), "plain", r"The cost is not finite with c = 1e\+308: choose c nearer"),
    (LinearUnit(sigma=1e308), "plain", r"covariance .* not finite with sigma = 1e\+308"),
    (Rosenblatt(intercept_scaling=1e-320), "plain", "intercept_scaling = .* choose it nearer to one"),
    (KernelAdaTron(intercept_scaling=1e200), "plain", "intercept_scaling = 1e.200 .* nearer to one"),
    (Rejecting(GMLVQ(), reject_label=[1]), "plain", r"reject_label = \[1\] is no label"),
]


@pytest.mark.parametrize(("model", "table", "sentence"), SENTENCES, ids=lambda value: str(value)[:30])
def test_the_sentences(model, table, sentence):
    X = TABLES[table]()
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, np.arange(len(X)) % 2).transform(X)
