"""Base class of the students drawn from version space: noise, empty version space."""

from dataclasses import field
from numbers import Real
from typing import Any, ClassVar

from markone.base.sklearn_compat import Interval
from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem
from markone.perceptron.base.student import Student
from markone.perceptron.version_space.space import VersionSpace

# Less noise than that and a chain takes too long to cross a wall; more and the labels say little.
LEAST_NOISE, MOST_NOISE = 0.01, 0.4


class SampledStudent(Student):
    """Students with `noise`, estimated if it is 0 and no perceptron separates the examples."""

    noise: float = 0.0
    noise_: float | Array = field(init=False)
    n_errors_: int | Array = field(init=False)

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "noise": [Interval(Real, 0, 0.5, closed="left")]
    }

    def _version_space(self, problem: Problem) -> tuple[VersionSpace, str]:
        """Return version space and a message; if it is empty, with noise estimated at the start."""
        space = VersionSpace(problem.X, problem.S, noise=self.noise)
        if self.noise > 0 or space.start.separable:
            return space, ""
        noise = min(max(space.start.errors, LEAST_NOISE), MOST_NOISE)
        return VersionSpace(problem.X, problem.S, noise=noise), (
            f"has an empty version space. {space.start.message} Labels were taken to be wrong with "
            f"probability {noise:.2g} instead; set noise to the expected fraction of wrong labels."
        )


def narrow_space_message(cut: int) -> str:
    """Message if turns were aborted, else an empty string."""
    if cut == 0:
        return ""
    return (
        f"aborted {cut} turn(s) that hit too many walls: the version space is too narrow to be sampled well. "
        "Scale the inputs to about the same size."
    )
