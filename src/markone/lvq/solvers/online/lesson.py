"""One data set and the prototypes that learn from it, as the compiled loops want them."""

from dataclasses import dataclass, field

from markone.lvq.solvers.online._schedules import CONSTANT, EXPONENTIAL, INVERSE
from markone.lvq.solvers.online._winner_takes_all import wrong_winners
from markone.numerics.arrays import Array

SCHEDULES = {"constant": CONSTANT, "inverse": INVERSE, "exponential": EXPONENTIAL}


@dataclass
class Lesson:
    """Examples, their weights, prototypes with their classes, the order of presentation and the time."""

    xi: Array
    y: Array
    weight: Array
    w: Array
    c: Array
    turn: Array
    state: Array
    t: float = 0.0
    missing: bool = False
    trace: list[tuple[int, float, int]] = field(default_factory=list)

    def data(self) -> tuple[Array, ...]:
        return self.xi, self.y, self.weight, self.w, self.c

    def errors(self) -> float:
        """The weight of the misclassified examples, by squared Euclidean distance."""
        return float(wrong_winners(*self.data(), self.missing))
