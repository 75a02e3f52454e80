"""The Gibbs student, drawn at random from version space (3.35), and the base class of such students."""

from dataclasses import field
from numbers import Real
from typing import Annotated

from markone.base.parameters import Count, RandomState
from markone.base.sklearn_compat import Interval
from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.student import Student
from markone.perceptron.version_space.space import VersionSpace

# Less noise than that and a chain takes too long to cross a wall; more and the labels say little.
LEAST_NOISE, MOST_NOISE = 0.01, 0.4


class SampledStudent(Student):
    """Students with `noise`, estimated if it is 0 and no perceptron separates the examples.

    Parameters
    ----------
    noise : float in [0, 1/2)
        Probability that a label is wrong. With noise students are drawn from the posterior
        (1-noise)^right noise^wrong, which needs no separable data.
    random_state : int, RandomState or None
        Seed of the sample.

    Attributes
    ----------
    noise_ : float
        The noise that was used: `noise`, unless that is 0 and no perceptron separates the examples.
    converged_ : bool
        Whether the students are of version space (or of the posterior at `noise`).
    """

    noise: Annotated[float, Interval(Real, 0, 0.5, closed="left")] = 0.0
    random_state: RandomState = None
    noise_: float | Array = field(init=False)
    n_errors_: int | Array = field(init=False)

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


class Gibbs(SampledStudent):
    """A student drawn at random from version space, uniformly on the sphere.

    It uses only the examples, without a preference among solutions: a baseline for every other rule. Its
    error on a rule is `markone.theory.curve("gibbs")`.

    Parameters
    ----------
    turns : int
        Quarter turns of the trajectory, with reflections at the hyperplanes of the examples, before the
        student is drawn. One or two are enough to forget the start.
    fit_intercept : bool
        Learn a threshold as the weight of a clamped input (3.4), which is one more dimension of version
        space.

    Attributes
    ----------
    coef_, intercept_
        Weights and threshold, with |w| = 1.
    n_errors_ : int
        Number of training examples that are wrong.

    Examples
    --------
    >>> from markone import Gibbs
    >>> from markone.data import teacher_examples
    >>> xi, S, _ = teacher_examples(200, 50, seed=0)
    >>> Gibbs(random_state=1).fit(xi, S).score(xi, S)
    1.0
    """

    turns: Count = 20

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        space, message = self._version_space(problem)
        chain = space.start_chain(problem.seed)
        students, wrong = chain.draw(1, self.turns)
        message = message or narrow_space_message(chain.cut)
        extra = {"noise_": space.noise, "n_errors_": int(wrong[0])}
        return Trained(students[0], None, self.turns, chain.hits, not message, message, extra=extra)
