"""Measures of one set of predictions, against scikit-learn."""

import warnings

import numpy as np
import pytest
from sklearn import metrics

from markone.tables.scoring import ClassScoring


@pytest.mark.parametrize("K", [2, 3, 5])
def test_measures_are_those_of_scikit_learn_also_where_classes_are_missing(K):
    rng, classes = np.random.default_rng(K), [f"c{k}" for k in range(K)]
    for _ in range(100):
        y, predicted = np.array(classes)[rng.integers(0, K, (2, rng.integers(1, 12)))]
        scoring = ClassScoring(classes, str(rng.choice(classes)))
        found = scoring.compute_measures(y, predicted, None)
        how = {"average": "macro"} if K > 2 else {"average": None, "labels": [scoring.positive]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes without examples, a single label
            wanted = {
                "accuracy": metrics.accuracy_score(y, predicted),
                "balanced_accuracy": metrics.balanced_accuracy_score(y, predicted),
                "f1": float(np.squeeze(metrics.f1_score(y, predicted, zero_division=0.0, **how))),
                "mcc": metrics.matthews_corrcoef(y, predicted),
            }
        assert {name: found[name] for name in wanted} == pytest.approx(wanted, abs=1e-12)
