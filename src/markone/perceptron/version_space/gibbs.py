"""The Gibbs student, drawn at random from version space   (3.35)."""

from numbers import Integral
from typing import Any, ClassVar

from markone.base.sklearn_compat import Interval
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.version_space.sampled_student import SampledStudent, narrow_space_message


class Gibbs(SampledStudent):
    """A student drawn at random from version space, uniformly on the sphere.

    It uses only the examples, without a preference among solutions: a baseline for every other rule. Its
    error on a rule is `markone.theory.curve("gibbs")`.

    Parameters
    ----------
    noise : float in [0, 1/2)
        Probability that a label is wrong. With noise the student is drawn from the posterior
        (1-noise)^right noise^wrong, which needs no separable data.
    turns : int
        Quarter turns of the trajectory, with reflections at the hyperplanes of the examples, before the
        student is drawn. One or two are enough to forget the start.
    fit_intercept : bool
        Learn a threshold as the weight of a clamped input (3.4), which is one more dimension of version
        space.
    intercept_scaling : float
        Value of the clamped input. Its weight counts into |w|, so into every stability.
    random_state : int, RandomState or None
        Seed of the sample.

    Attributes
    ----------
    coef_, intercept_
        Weights and threshold, with |w| = 1.
    noise_ : float
        The noise that was used: `noise`, unless that is 0 and no perceptron separates the examples.
    n_errors_ : int
        Number of training examples that are wrong.
    converged_ : bool
        Whether the student is from version space (or from the posterior at `noise`).
    stability_, stability_bounds_
        kappa of this student, and bounds on the optimal one.

    Examples
    --------
    >>> from markone import Gibbs
    >>> from markone.data import teacher_examples
    >>> xi, S, _ = teacher_examples(200, 50, seed=0)
    >>> Gibbs(random_state=1).fit(xi, S).score(xi, S)
    1.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = SampledStudent._parameter_constraints | {
        "turns": [Interval(Integral, 1, None, closed="left")],
    }

    turns: int = 20
    random_state: Any = None

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        space, message = self._version_space(problem)
        chain = space.start_chain(problem.seed)
        students, wrong = chain.draw(1, self.turns)
        message = message or narrow_space_message(chain.cut)
        extra = {"noise_": space.noise, "n_errors_": int(wrong[0])}
        return Trained(students[0], None, self.turns, chain.hits, not message, message, extra=extra)
