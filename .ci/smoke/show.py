"""A picture and an animation."""

from pathlib import Path

from markone import Rosenblatt
from markone.data import two_classes
from markone.show import PerceptronDisplay, animate

xi, S, _ = two_classes("dense", 20)
student = Rosenblatt(record="updates").fit(xi, S)
PerceptronDisplay.from_estimator(student, xi, S).figure_.savefig("picture.png")
animate(student).save("film.html")
assert Path("picture.png").stat().st_size > 1000
assert Path("film.html").stat().st_size > 1000
