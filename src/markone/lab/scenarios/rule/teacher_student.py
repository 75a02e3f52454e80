"""Learning a rule: students of a teacher perceptron, with label noise (the stability report; section 3.3)."""

import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from markone.lab.foreign_code import CodeState
from markone.lab.scenario import (
    OVERLAP,
    SHARE,
    ExampleSettings,
    Mark,
    Scenario,
    Theory,
    TheoryKind,
    Values,
    named_columns,
)
from markone.lab.scenarios.estimators import student_expressions
from markone.lab.scenarios.estimators.student_theory import student_theory
from markone.lab.scenarios.rule import estimator_students
from markone.lab.scenarios.rule._examples import TEACHER
from markone.lab.scenarios.rule.compiled_students import STUDENTS, limit_theory
from markone.lab.scenarios.separable import separable_sets
from markone.perceptron.theory import bayes, gibbs, max_stability
from markone.perceptron.theory.engine.worlds.inputs import Covariance

# MinOver stores the correlations of all pairs of examples.
LARGEST_P = 20_000
AT_N = " for N to infinity"
MEASURED = ["epsilon_g", "R", "kappa", "epsilon_t", "updates", "stopped"]


def _canonical_student(student: str) -> str:
    """Canonical name of a compiled student or of any classifier."""
    if student in STUDENTS:
        return student
    try:
        return student_expressions.canonical_expression(student)
    except ValueError as error:
        raise ValueError(f"{error} The compiled students here are {', '.join(STUDENTS)}.") from None


class Parameters(ExampleSettings):
    """One point: P = round(alpha N) Gaussian examples, labels of a teacher w*, flipped with `noise`.

    The compiled students, named in small letters, are rotation invariant: w* = (1, .., 1) represents all
    teachers. For any other student w* has a random direction, drawn for each repeat.

    input_noise: standard deviation s of the Gaussian noise added to the training inputs after labelling
    (chapter 4). kappa and epsilon_t are of these noisy inputs, epsilon_g of new inputs without noise.
    The theory engine takes it as a teacher probit(s) of inputs with variance 1 + s^2.
    student: "minover" stops as in the stability report, when |dw|/|w| < tol, and returns the last student;
    "minover_optimal" when the stability is within tol of its upper bound, and returns the most stable;
    "adatron" and "soft_margin" are certified to the relative gap tol. tol: None for the student's default.
    max_sweeps: largest number of sweeps; for MinOver, of max_sweeps P updates.
    Any other classifier is trained on the same examples, reflected: AdaTron(C=1.0), sklearn.svm.SVC, ...
    gamma: largest embedding strength of the soft margin. ridge: None for the optimal one, 1/c^2 - 1.
    exact: decide for each data set, with a proof, whether it is separable.
    """

    noise: float = Field(0.0, ge=0, le=0.5)
    input_noise: float = Field(0.0, ge=0)
    student: Annotated[str, AfterValidator(_canonical_student)]
    max_sweeps: int = Field(250, ge=1)
    tol: float | None = Field(None, gt=0, lt=1)
    gamma: float = Field(1.0, gt=0)
    ridge: float | None = Field(None, ge=0)
    exact: bool = False

    @model_validator(mode="after")
    def _check_consistency(self) -> "Parameters":
        if self.student in STUDENTS and STUDENTS[self.student].all_pairs and self.P > LARGEST_P:
            raise ValueError(
                f"MinOver stores the correlations of all pairs of its P = alpha N = {self.P} examples, which "
                f"is too much beyond P = {LARGEST_P}: choose a smaller alpha or N, or the student 'adatron'."
            )
        if self.student == "ridge" and self.ridge is None and self.noise == 0.5:
            raise ValueError("At noise = 0.5 there is nothing to learn and no optimal ridge: give one.")
        return self

    @model_serializer(mode="wrap")
    def _leave_out_input_noise(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without noise on the inputs a point has the name that it had before this parameter: stored results
        stay valid."""
        return {key: value for key, value in dump(self).items() if value or key != "input_noise"}


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    """Run the repeats start .. stop-1, each on the data set given by (seed, N, P, repeat)."""
    compiled = STUDENTS.get(p.student)
    if compiled is not None:
        table = compiled.run(seed, start, stop, p.P, p.N, p.noise, p.input_noise, compiled.how(p))
    else:
        table = estimator_students.train_estimator_block(
            p.student, seed, start, stop, p.P, p.N, p.noise, p.input_noise
        )
    separable = np.full(stop - start, np.nan)
    if p.exact:
        separable = separable_sets(seed, start, stop, p.P, p.N, TEACHER, p.noise, p.input_noise)
    return named_columns(MEASURED, table) | {"separable": separable}


def cost(p: Parameters) -> float:
    """Approximate multiplications of one repeat, one per nanosecond."""
    training = STUDENTS[p.student].cost(p) if p.student in STUDENTS else estimator_students.cost(p.P, p.N)
    return 6.0 * p.P * p.N + training + (0.1 * p.P * p.N * p.N if p.exact else 0.0)


def _teacher_student_code_states(parameters: Mapping[str, Any]) -> tuple[CodeState, ...]:
    """Code states of a user's student; none for a compiled one, which the scenario's `version` identifies."""
    student = parameters["student"]
    return () if student in STUDENTS else student_expressions.student_code_states(student)


def _describe_teacher(parameters: Mapping[str, Any]) -> str:
    if parameters["student"] in STUDENTS:
        return "The teacher of the compiled students is w* = (1, .., 1): they are rotation invariant."
    return "The teacher of students that are not compiled has a random direction, drawn for each run."


def _reference_curve(title: str, error: Callable[[Any], Any], kind: TheoryKind) -> Theory:
    """A reference curve without noise, the same for every student."""
    return Parameters.theory_of(
        title,
        "epsilon_g",
        lambda p: error(p.alpha) if p.noise == p.input_noise == 0 else math.nan,
        kind,
    )


def _student_theories(quantity: str) -> dict[str, Callable[[Any], Any]]:
    """`quantity` of every student with a theory of it."""
    return {name: s.laws[quantity] for name, s in STUDENTS.items() if quantity in s.laws}


def _rule_world(parameters: Mapping[str, Any]) -> dict[str, Any] | None:
    """teacher, noise and inputs of a point for the theory engine."""
    noise, width = parameters.get("noise", 0.0), parameters.get("input_noise", 0.0)
    if noise >= 0.5:
        return None
    # The label of a noisy input is sign(t + s normal) for its field t of variance 1.
    inputs = Covariance(np.array([1 + width**2])) if width else None
    return {"teacher": f"probit({width!r})" if width else "sign", "noise": noise, "inputs": inputs}


def _theory_of_all(measure: str, quantity: str, law: str, title: str = "") -> Theory:
    """Theory of the compiled students, and of any other whose convex cost or on-line rule is known."""
    compiled = limit_theory(Parameters, measure, _student_theories(law), title)
    return student_theory(measure, quantity, _rule_world, compiled)


def _optimal_stability(p: Parameters) -> Any:
    """The optimal stability for N to infinity, the same for every student; NaN where undefined."""
    known = 0 <= p.noise < 0.5 and p.input_noise == 0
    return max_stability.stability(p.alpha, p.noise) if known else math.nan


def _separability_threshold(parameters: Mapping[str, Any]) -> float:
    """alpha_c(noise); NaN for noise = 1/2, where there is no rule, and noise on the inputs."""
    p = Parameters.model_construct(**parameters)
    known = 0 <= p.noise < 0.5 and p.input_noise == 0
    return float(max_stability.alpha_c(p.noise)) if known else math.nan


SCENARIO = Scenario(
    name="teacher_student",
    version=2,
    parameters=Parameters,
    measures={
        "epsilon_g": "generalization error: disagreement with the noise-free teacher",
        "R": "overlap with the teacher",
        "kappa": "stability of the student, min E/|w|",
        "epsilon_t": "fraction of the training examples with E <= 0",
        "updates": "updates made (AdaTron: visits; others: iterations)",
        "stopped": "1 if the stop rule was met, 0 if max_sweeps was reached",
        "separable": "1 if some student has all E > 0, proven; NaN if not requested",
    },
    cost=cost,
    run=run,
    ranges=dict.fromkeys(("epsilon_g", "epsilon_t"), SHARE) | {"R": OVERLAP},
    code=_teacher_student_code_states,
    # 3 for estimators since their teacher is random; 2 for compiled students, which are unchanged.
    version_of=lambda p: 2 if p["student"] in STUDENTS else 3,
    remark=_describe_teacher,
    theories={
        "epsilon_g": _theory_of_all("epsilon_g", "epsilon_rule", "generalization_error", "epsilon_g" + AT_N),
        "R": _theory_of_all("R", "R", "overlap", "R" + AT_N),
        "kappa": limit_theory(Parameters, "kappa", _student_theories("stability")),
        "kappa_max": Parameters.theory_of(
            "optimal stability: no student has more", "kappa", _optimal_stability, "upper bound"
        ),
        "epsilon_t": _theory_of_all("epsilon_t", "epsilon_t", "training_error"),
        "gibbs": _reference_curve("Gibbs student, no noise", gibbs.generalization_error, "guide"),
        "bayes": _reference_curve(
            "Bayes: no student does better, no noise", bayes.generalization_error, "lower bound"
        ),
    },
    marks={"separability": Mark("separable below alpha_c", _separability_threshold)},
    world=_rule_world,
    miniature={"N": 20},
)
