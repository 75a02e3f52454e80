"""
The perceptron of optimal stability
===================================

AdaTron finds the student whose weakest example is farthest from the boundary, with a proof.
"""

import matplotlib.pyplot as plt
import numpy as np

from markone import AdaTron
from markone.data import teacher_examples
from markone.show import StabilityDisplay

xi, S, _ = teacher_examples(80, 40, seed=0)
student = AdaTron(fit_intercept=False).fit(xi, S)
fig, ax = plt.subplots(layout="constrained")
StabilityDisplay.from_estimator(student, xi, S, ax=ax)

# %%
# The claim: the stability and its proven upper bound agree to eight digits.
found, most = student.stability_bounds_
assert 0 < found <= most
assert np.isclose(found, most, rtol=1e-8)
