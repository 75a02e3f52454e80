"""
Why Rosenblatt's algorithm must stop
====================================

Two bounds limit the number of updates. The display shows a run and both bounds.
"""

from markone import Rosenblatt
from markone.data import teacher_examples
from markone.show import ConvergenceDisplay

xi, S, _ = teacher_examples(60, 20, seed=0)
student = Rosenblatt(record="updates", fit_intercept=False).fit(xi, S)
ConvergenceDisplay.from_estimator(student)

# %%
# The claim: the run ends, and all labels are right.
assert student.score(xi, S) == 1
