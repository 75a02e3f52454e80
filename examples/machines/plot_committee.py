"""
What one perceptron cannot do
=============================

XOR: a committee of three perceptrons votes. The display shows the plane of each member.
"""

from markone.machines import CommitteeMachine, MachineDisplay

X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
machine = CommitteeMachine(3, random_state=0).fit(X, y)
MachineDisplay.from_estimator(machine, X, y)

# %%
# The claim: all four answers are right.
assert machine.score(X, y) == 1
