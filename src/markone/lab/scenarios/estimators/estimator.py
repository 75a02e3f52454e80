"""Any classifier on data from inputs x teacher x noise, and its measures."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from markone.lab.scenario import OVERLAP, SHARE, ExampleSettings, Scenario, Values
from markone.lab.scenarios.estimators import student_expressions, student_measures
from markone.lab.scenarios.estimators.student_theory import student_theory
from markone.lab.scenarios.estimators.worlds import INPUTS, TEACHERS, WorldTeacher
from markone.numerics.arrays import Floats
from markone.numerics.text import unknown_name_text
from markone.perceptron.theory import adaline, bayes, hebb, max_stability
from markone.perceptron.theory.engine.worlds.inputs import Covariance

WORLD, TESTS = 1, 2  # streams: the data do not depend on random numbers of the student
# Students with a theory, and the parameters that do not affect it.
THEORIES: dict[str, Any] = {
    "Hebb": hebb,
    "Adaline": adaline,
    "AdaTron": max_stability,
    "MinOver": max_stability,
}
NEUTRAL_PARAMETERS = {"fit_intercept", "tol", "max_iter", "solver"}
# Assumed cost of a fit: unknown for an arbitrary estimator.
ASSUMED_PASSES = 200


def _check_choice(what: str, known: Mapping[str, Any], name: str) -> str:
    if name not in known:
        raise ValueError(unknown_name_text(what, name, known))
    return name


class Parameters(ExampleSettings):
    """P = round(alpha N) examples, and the student trained on them.

    student: a classifier of markone by its name, package.Name(parameter=value) of another.
    teacher: "perceptron"; "low_dimensional", which uses the first `relevant` inputs; "soft", with a
    sigmoid probability of slope `gain`; "drifting", by drift/N radians per example; "committee" or "parity"
    of K units.
    inputs: "gaussian", "binary" (+-1), "sparse" (a fraction `activity` is not 0), "correlated" (neighbours by
    `correlation`), "clustered" (two clusters `separation` apart).
    noise: probability of a flipped label. input_noise: standard deviation of the noise added to the inputs
    after labelling. tests: number of new examples on which teacher and student are compared.
    """

    student: Annotated[str, AfterValidator(student_expressions.canonical_expression)]
    teacher: Annotated[str, AfterValidator(partial(_check_choice, "teacher", TEACHERS))] = "perceptron"
    inputs: Annotated[str, AfterValidator(partial(_check_choice, "kind of inputs", INPUTS))] = "gaussian"
    noise: float = Field(0.0, ge=0, le=0.5)
    input_noise: float = Field(0.0, ge=0)
    K: int = Field(3, ge=1)
    relevant: int = Field(2, ge=1)
    gain: float = Field(2.0, gt=0)
    drift: float = Field(0.1, ge=0)
    activity: float = Field(0.1, gt=0, le=1)
    correlation: float = Field(0.5, ge=-1, le=1)
    separation: float = Field(2.0, ge=0)
    tests: int = Field(2000, ge=1)

    @model_validator(mode="after")
    def _check_consistency(self) -> "Parameters":
        if self.teacher == "committee" and self.K % 2 == 0:
            raise ValueError(f"A committee of K = {self.K} may have a tie: choose an odd number.")
        if self.teacher == "low_dimensional" and self.relevant > self.N:
            raise ValueError(f"relevant = {self.relevant} inputs are more than the N = {self.N} there are.")
        return self


def draw_world(p: Parameters, seed: int, repeat: int) -> tuple[Floats, Floats, WorldTeacher]:
    """Draw the inputs given to the student, labels, and the teacher: the same for every student."""
    rng = np.random.default_rng([seed, p.N, p.P, repeat, WORLD])
    teacher = TEACHERS[p.teacher](rng, p)
    xi = INPUTS[p.inputs](rng, p, p.P)
    S = teacher.labels(xi)
    S = np.where(rng.random(p.P) < p.noise, -S, S)
    return xi + p.input_noise * rng.standard_normal(xi.shape), S, teacher


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    rows = [_measure_repeat(p, seed, repeat) for repeat in range(start, stop)]
    return {name: np.array([row[name] for row in rows]) for name in MEASURES}


def _measure_repeat(p: Parameters, seed: int, repeat: int) -> dict[str, float]:
    xi, S, teacher = draw_world(p, seed, repeat)
    student = student_measures.fit_student(student_expressions.seeded_student(p.student, seed, repeat), xi, S)
    found = dict.fromkeys(MEASURES, math.nan)
    found["epsilon_t"] = float(np.mean(student_measures.predict_labels(student, xi, S) != S))
    found["iterations"], found["stopped"] = student_measures.training_effort(student)
    found["support"] = student_measures.support_fraction(student, p.P)
    line = student_measures.linear_weights(student, p.N)
    if line is not None:
        w, b = line
        found["kappa"] = student_measures.linear_stability(w, b, xi, S)
        if teacher.w_star is not None:
            found["R"] = student_measures.normalized_overlap(w, teacher.w_star)
    if line is not None and teacher.w_star is not None and p.inputs == "gaussian":
        found["epsilon_g"] = student_measures.linear_disagreement(
            found["R"], line[1] / float(np.linalg.norm(line[0]))
        )
    else:
        fresh = INPUTS[p.inputs](np.random.default_rng([seed, p.N, p.P, repeat, TESTS]), p, p.tests)
        guesses = student_measures.predict_labels(student, fresh, S)
        found["epsilon_g"] = float(np.mean(guesses != teacher.answers(fresh)))
    return found


def cost(p: Parameters) -> float:
    return float(ASSUMED_PASSES * p.P * p.N + p.tests * p.N + 2e6)


@lru_cache(maxsize=256)
def _known_error_curve(student: str) -> Callable[[Any, Any], Any] | None:
    """The function generalization_error(alpha, noise) of a student, None if there is no theory for it."""
    made = student_expressions.parse_student(student)
    found = THEORIES.get(student_expressions.public_class_name(type(made)))
    if found is None or made.fit_intercept:
        return None
    neutral = student_expressions.changed_parameters(made) <= NEUTRAL_PARAMETERS
    return found.generalization_error if neutral else None


def _has_known_theory(p: Any) -> bool:
    """Whether the theory applies: perceptron teacher, Gaussian inputs without noise."""
    return p.teacher == "perceptron" and p.inputs == "gaussian" and p.input_noise == 0 and p.noise < 0.5


def _student_error_theory(p: Parameters) -> Any:
    error = _known_error_curve(p.student) if _has_known_theory(p) else None
    return error(p.alpha, p.noise) if error is not None else math.nan


def _estimator_world(parameters: Mapping[str, Any]) -> dict[str, Any] | None:
    """teacher, noise and inputs of a point for the theory engine; None where it has no such world."""
    p = Parameters.model_construct(**parameters)
    teachers = {"perceptron": "sign", "soft": f"logistic({2 * p.gain!r})"}
    spectra = {"gaussian": None, "correlated": _correlated_spectrum(p.correlation, p.N)}
    if p.teacher not in teachers or p.inputs not in spectra or p.input_noise or p.noise >= 0.5:
        return None
    return {"teacher": teachers[p.teacher], "noise": p.noise, "inputs": spectra[p.inputs]}


def _isotropic_world(parameters: Mapping[str, Any]) -> dict[str, Any] | None:
    """Where R is also the cosine of the angle between the weights."""
    found = _estimator_world(parameters)
    return found if found and found["inputs"] is None else None


@lru_cache(maxsize=64)
def _correlated_spectrum(correlation: float, N: int) -> Covariance:
    """Inputs with correlations c^distance, and a teacher of random direction."""
    distance = np.abs(np.subtract.outer(np.arange(N), np.arange(N)))
    return Covariance(np.linalg.eigvalsh(correlation**distance).clip(min=0))


MEASURES = {
    "epsilon_g": "generalization error: disagreement with the noise-free teacher on new inputs",
    "epsilon_t": "fraction of the training labels that the student gets wrong",
    "R": "overlap with a linear teacher; NaN if one of the two is not linear",
    "kappa": "stability, min S (w . xi + b)/|w|; NaN for a student that is not linear",
    "support": "fraction n_s/P of support vectors; NaN if the student has none",
    "iterations": "n_iter_ of the student; NaN if it has none",
    "stopped": "1 if its stop rule was met, 0 if max_iter was reached; NaN if unknown",
}

SCENARIO = Scenario(
    name="estimator",
    version=3,
    parameters=Parameters,
    measures=MEASURES,
    cost=cost,
    run=run,
    ranges=dict.fromkeys(("epsilon_g", "epsilon_t", "support"), SHARE) | {"R": OVERLAP},
    code=lambda p: student_expressions.student_code_states(p["student"]),
    # 4: the direction of the drifting teacher is uniform; 5: its label at sparse inputs of potential 0 is
    # random; the other points are unchanged.
    version_of=lambda p: 5 if p["inputs"] == "sparse" else 4 if p["teacher"] == "drifting" else 3,
    remark=lambda p: f"The teacher ({p['teacher']}) is drawn at random for each run.",
    theories={
        "epsilon_g": student_theory(
            "epsilon_g",
            "epsilon_rule",
            _estimator_world,
            Parameters.theory_of("epsilon_g for N to infinity", "epsilon_g", _student_error_theory),
        ),
        "epsilon_t": student_theory("epsilon_t", "epsilon_t", _estimator_world),
        "R": student_theory("R", "R", _isotropic_world),
        "bayes": Parameters.theory_of(
            "Bayes: no student does better, no noise",
            "epsilon_g",
            lambda p: (
                bayes.generalization_error(p.alpha) if _has_known_theory(p) and p.noise == 0 else math.nan
            ),
            "lower bound",
        ),
    },
    world=_estimator_world,
    miniature={"N": 10, "tests": 100},
)
