"""
An animation of learning
========================

A recorded student can be played in a browser, saved as an animation, or printed as a strip.
"""

from markone import Rosenblatt
from markone.data import teacher_examples
from markone.show import animate

X, S, _ = teacher_examples(20, 2, seed=1)
student = Rosenblatt(record="updates").fit(X, S)
film = animate(student)
last = len(student.history_) - 1
film.strip(range(max(1, last - 3), last + 1))

# %%
# ``film.save("rosenblatt.html")`` writes one page with play, step and back; it needs nothing from outside.
# The claim: the last frame has no errors.
assert student.history_.errors[-1] == 0
