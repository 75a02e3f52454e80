"""Lines of theory that no scenario lists: tables, the catalogue, functions, solutions, a student's cost."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from markone import theory
from markone.errors import DeclarationError
from markone.lab import Experiment, Theory
from markone.lab.claims.agreement import compare_with_theory
from markone.lab.result import Result
from markone.lab.scenarios import find_scenario
from markone.lab.scenarios.estimators.student_theory import find_cost
from markone.lab.scenarios.theories import bind_numbers

HINGE = {"loss": "hinge", "penalty": {"gamma": "gamma"}}


def declare(theories, **more):
    parts = {
        "name": "own_theory",
        "title": "A line of one's own",
        "scenario": "teacher_student",
        "seed": 1,
        "repeats": 30,
        "grid": {"alpha": [1.0, 2.0]},
        "fixed": {"student": "soft_margin", "N": 60, "noise": 0.1, "gamma": 2.0},
        "figure": [{"name": "f", "x": "alpha", "measures": ["epsilon_g"], "theory": theories}],
    }
    return Experiment.declare(**parts | more)


def value_of(experiment, name, **point):
    declaration = experiment.declaration
    return declaration.scenario_object.theories[name].function({**declaration.point(0), **point})


def test_a_table_is_bound_to_the_axes():
    experiment = declare(["mine"], theory={"mine": HINGE})
    for alpha in (1.0, 3.0):
        want = theory.curve("soft_margin")(alpha, noise=0.1, gamma=2.0)
        assert value_of(experiment, "mine", alpha=alpha) == pytest.approx(want, rel=1e-9)
    want = theory.curve("soft_margin")(1.0, noise=0.2, gamma=5.0)
    assert value_of(experiment, "mine", noise=0.2, gamma=5.0) == pytest.approx(want, rel=1e-9)


def test_many_points_are_one_call():
    found = declare(["mine"], theory={"mine": HINGE}).declaration
    line, points = found.scenario_object.theories["mine"], found.points()
    np.testing.assert_allclose(line.values(points), [line.function(point) for point in points], rtol=1e-12)


def test_numbers_are_formulas_of_the_parameters():
    points = [{"N": 50, "C": 0.1, "student": "x"}, {"N": 100, "C": 0.1, "student": "x"}]
    np.testing.assert_allclose(bind_numbers("1/(C*N)", points), [0.2, 0.1])
    np.testing.assert_allclose(bind_numbers(0.5, points), 0.5)


def test_curves_of_the_catalogue_by_name():
    experiment = declare("hebb")
    assert value_of(experiment, "hebb") == theory.curve("hebb")(1.0, noise=0.1)


def test_functions_of_an_allowed_package(tmp_path, monkeypatch):
    (tmp_path / "my_lines.py").write_text("def clipped(alpha, noise):\n    return 0.1 * alpha + noise\n")
    monkeypatch.syspath_prepend(tmp_path)
    from markone.lab import foreign_code

    foreign_code.allow_packages("my_lines")
    experiment = declare(["my_lines.clipped"], packages=["my_lines"])
    assert value_of(experiment, "my_lines.clipped", alpha=2.0) == pytest.approx(0.3)
    sys.modules.pop("my_lines")


def test_on_line_rules_and_worlds():
    table = {"f": "expit(-E)", "noise": 0.1, "quantity": "R", "measure": "R"}
    assert value_of(declare([], theory={"flow": table}), "flow") == pytest.approx(0.549970463, abs=1e-8)
    table = HINGE | {"teacher": {"kind": "probit", "sigma": 0.5}, "noise": 0.0, "quantity": "epsilon_g"}
    want = float(theory.solve(1.0, "hinge", {"gamma": 2.0}, "probit(0.5)").epsilon_g)
    assert value_of(declare([], theory={"soft": table}), "soft") == pytest.approx(want, rel=1e-10)


@pytest.mark.parametrize(
    ("tables", "names", "sentence"),
    [
        ({"mine": {"loss": "E**3"}}, [], ""),
        ({"mine": {"penalty": 1.0}}, [], "theory.mine: Give one of loss"),
        ({"mine": {"los": "hinge"}}, [], "los"),
        ({"mine": HINGE | {"measure": "nothing"}}, [], "has no measure 'nothing'"),
        ({"mine": HINGE | {"quantity": "nothing"}}, [], "quantity is 'nothing'"),
        ({}, ["heb"], "There is no theory 'heb'"),
    ],
)
def test_bad_tables_get_a_sentence(tables, names, sentence):
    if not sentence:
        with pytest.raises(ValueError, match="not convex"):
            value_of(declare(names, theory=tables), "mine")
        return
    with pytest.raises(DeclarationError, match=sentence):
        declare(names, theory=tables)


def test_a_claim_and_a_figure_of_an_own_line(tmp_path):
    claim = {
        "text": "as the engine says",
        "measure": "epsilon_g",
        "expect": {"equals_theory": "mine", "within": 0.02},
    }
    experiment = declare(["mine", "hebb"], theory={"mine": HINGE}, claim=[claim], repeats=400)
    result = experiment.run(store=tmp_path / "r.sqlite", progress=False)
    assert result.claims()[0].answer == "holds"
    found = {a.theory: a for a in compare_with_theory(experiment.declaration, result.points)}
    assert found["mine"].uncorrected_chi_square.p > 1e-4
    assert found["Hebb"].uncorrected_chi_square.p < 1e-4
    for given in (
        theory.solve(1.0, "hinge", {"gamma": 2.0}, noise=0.1),
        theory.online(1.0, "expit(-E)"),
        theory.curve("hebb"),
        Theory("constant", "epsilon_g", lambda p: 0.3),
        lambda alpha: 0.1 * alpha,
        "optimal_ridge",
    ):
        drawn = result.plot(theory=given)
        assert len(drawn.theory) == 1
    with pytest.raises(ValueError, match="no theory 'heb'"):
        result.plot(theory="heb")
    # The stored declaration and the TOML have the table.
    assert Result.open(tmp_path / "r.sqlite").declaration.theory["mine"].loss == "hinge"
    assert '[theory.mine]\nloss = "hinge"' in experiment.toml()


def clipped(alpha, noise):
    return 0.1 * alpha + noise


CONSTANT = Theory("constant", "epsilon_g", lambda p: 0.3)


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (
            theory.solve(1.0, "hinge", {"gamma": 2.0}, noise=0.1),
            theory.curve("soft_margin")(1.0, noise=0.1, gamma=2.0),
        ),
        (theory.online(1.0, "1"), theory.curve("hebb")(1.0)),
        (theory.curve("hebb"), theory.curve("hebb")(1.0, noise=0.1)),
        (CONSTANT, 0.3),
        (clipped, 0.2),
    ],
)
def test_objects_stand_for_tables(given, value, tmp_path):
    claim = {"text": "as it says", "measure": "epsilon_g", "expect": {"equals_theory": "mine", "within": 1.0}}
    experiment = declare(["mine"], theory={"mine": given}, claim=[claim], repeats=4)
    assert value_of(experiment, "mine") == pytest.approx(value, rel=1e-7)
    assert value_of(experiment.with_(repeats=8), "mine") == pytest.approx(value, rel=1e-7)
    # A function of this module is found in another process, too.
    backend = "processes" if given is clipped else "threads"
    result = experiment.run(store=tmp_path / "r.sqlite", progress=False, backend=backend, workers=1)
    assert result.claims()[0].answer == "holds"
    assert len(result.plot().theory) == 1


@dataclass
class Declared(ClassifierMixin, BaseEstimator):
    l2: float = 0.5

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.ones(len(X))

    def convex_cost(self, N):
        return {"loss": "max(0, 1 - E)", "penalty": {"l2": self.l2}}


def test_costs_of_students():
    from sklearn.linear_model import LogisticRegression, RidgeClassifier
    from sklearn.svm import SVC, LinearSVC

    assert find_cost(LogisticRegression(C=0.1), 50) == {"loss": "logistic", "penalty": {"l2": 0.2}}
    assert find_cost(LinearSVC(C=0.1, loss="hinge"), 50) == {"loss": "hinge", "penalty": {"l2": 0.2}}
    assert find_cost(LinearSVC(C=0.1), 50) == {"loss": "squared_hinge", "penalty": {"l2": 0.1}}
    assert find_cost(RidgeClassifier(alpha=5.0), 50) == {"loss": "square", "penalty": {"l2": 0.1}}
    assert find_cost(SVC(kernel="linear", C=0.1), 50) == {"loss": "hinge", "penalty": {"l2": 0.2}}
    assert find_cost(SVC(C=0.1), 50) is None
    assert find_cost(LogisticRegression(class_weight="balanced"), 50) is None
    assert find_cost(Declared(), 50)["loss"] == "max(0, 1 - E)"


POINT = {"N": 100, "alpha": 2.0, "noise": 0.1, "student": "sklearn.linear_model.LogisticRegression(C=0.02)"}


def test_students_of_scikit_learn_have_their_line():
    c = theory.solve(2.0, "logistic", 0.5, noise=0.1)
    for name in ("teacher_student", "estimator"):
        theories = find_scenario(name).theories
        point = find_scenario(name).parameters(**POINT).model_dump()
        assert theories["epsilon_g"].function(point) == pytest.approx(float(c.epsilon_rule), rel=1e-10)
        assert theories["R"].function(point) == pytest.approx(float(c.R), rel=1e-10)
        assert theories["epsilon_t"].function(point) == pytest.approx(float(c.epsilon_t), rel=1e-9)


def test_worlds_of_the_scenario_estimator():
    scenario = find_scenario("estimator")

    def error(**more):
        return scenario.theories["epsilon_g"].function(scenario.parameters(**POINT | more).model_dump())

    soft = theory.solve(2.0, "logistic", 0.5, "logistic(4)", noise=0.1).epsilon_rule
    assert error(teacher="soft", gain=2.0) == pytest.approx(float(soft), rel=1e-10)
    distance = np.abs(np.subtract.outer(np.arange(100), np.arange(100)))
    inputs = theory.Covariance(np.linalg.eigvalsh(0.5**distance))
    wide = theory.solve(2.0, "logistic", 0.5, noise=0.1, inputs=inputs).epsilon_rule
    assert error(inputs="correlated") == pytest.approx(float(wide), rel=1e-9)
    assert np.isnan(error(teacher="committee"))
    assert np.isnan(error(input_noise=0.3))


def test_an_on_line_formula_has_its_flow():
    scenario = find_scenario("estimator")
    student = "OnlineStudent(rule='1/(1 + exp(E))', fit_intercept=False)"
    point = scenario.parameters(**POINT | {"student": student}).model_dump()
    want = theory.online(2.0, "expit(-E)", noise=0.1).epsilon_rule
    assert scenario.theories["epsilon_g"].function(point) == pytest.approx(float(want), rel=1e-9)
    diverging = student.replace("1/(1 + exp(E))", "exp(-5*E)")
    point = scenario.parameters(**POINT | {"student": diverging}).model_dump()
    assert np.isnan(scenario.theories["epsilon_g"].function(point))
