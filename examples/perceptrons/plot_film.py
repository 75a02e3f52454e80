"""
A film of learning
==================

A recorded student can be played in a browser, saved as a picture that moves, or printed as a strip.
"""

from markone import Rosenblatt
from markone.data import two_classes
from markone.show import animate

X, S, _ = two_classes("dense", 12)
student = Rosenblatt(record="updates").fit(X, S)
film = animate(student)
film.strip(range(1, 5))

# %%
# ``film.save("rosenblatt.html")`` writes one page with play, step and back; it needs nothing from outside.
# The claim: the last frame has no errors.
assert student.history_.errors[-1] == 0
