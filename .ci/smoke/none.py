"""Without extras: estimators, proofs and theory."""

import sys

from markone import AdaTron, separability, theory
from markone.data import load, teacher_examples

xi, S, _ = teacher_examples(40, 20, seed=0)
best = AdaTron(fit_intercept=False).fit(xi, S)
assert best.status_ == "exact"
assert separability(xi, S).separable is True
assert 0.2 < theory.curve("max_stability")(1.0) < 0.3
assert load("iris").X.shape == (150, 4)
assert "matplotlib" not in sys.modules
