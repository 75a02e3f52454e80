"""`n_jobs`: the same answers on any number of cores, and never more threads than cores."""

import gc
import threading

import numpy as np
import pytest
from sklearn.datasets import load_iris

from markone import AdaTron, BayesPoint, KernelAdaTron, MinOver, Pocket, Rosenblatt
from markone.data import teacher_examples
from markone.evaluation import leave_one_out
from markone.lab.runner import worker
from markone.numerics.threads import ThreadTeam, limit_to_one_core, map_in_threads

X, Y = load_iris(return_X_y=True)
STUDENTS = [
    AdaTron(C=1.0, random_state=0),
    KernelAdaTron(C=1.0),
    KernelAdaTron(C=1.0, multi_class="one_vs_one"),
    MinOver(stop="never", max_iter=20),
    Pocket(max_iter=50, random_state=0),
    Rosenblatt(max_iter=100, random_state=0),
    BayesPoint(n_students=20, noise=0.1, random_state=0),
]


def here(_: object) -> int:
    return threading.get_ident()


def test_items_keep_their_order_and_one_core_is_the_callers_thread():
    assert map_in_threads(lambda k: k * k, range(20), 2) == [k * k for k in range(20)]
    assert map_in_threads(lambda k: k, [], -1) == []
    assert set(map_in_threads(here, range(5), None)) == {threading.get_ident()}
    assert set(map_in_threads(here, range(5), 1)) == {threading.get_ident()}
    assert threading.get_ident() not in map_in_threads(here, range(5), 2)


def test_a_thread_starts_no_others():
    assert all(
        len(set(ids)) == 1 for ids in map_in_threads(lambda _: map_in_threads(here, range(4), 4), range(3), 2)
    )
    with limit_to_one_core():
        assert set(map_in_threads(here, range(5), -1)) == {threading.get_ident()}
    assert threading.get_ident() not in map_in_threads(here, range(5), 2)


def test_an_error_in_a_thread_is_the_callers():
    with pytest.raises(ZeroDivisionError):
        map_in_threads(lambda k: 1 / k, [1, 0, 2], 2)


def test_a_worker_of_the_lab_has_one_core(monkeypatch):
    monkeypatch.setattr(
        worker, "compute_task_values", lambda scenario, task: {"threads": map_in_threads(here, range(4), -1)}
    )
    monkeypatch.setattr(worker.scenarios, "find_scenario", lambda name: None)
    monkeypatch.setattr(worker.foreign_code, "require_code_states", lambda code: None)

    class Task:
        scenario, code, id = "any", "", "0"

    outcome = worker.run_task(Task())
    assert not outcome.error
    assert set(outcome.values["threads"]) == {threading.get_ident()}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("student", STUDENTS, ids=lambda s: type(s).__name__)
def test_students_do_not_depend_on_the_number_of_threads(student):
    one, two = (student.set_params(n_jobs=n).fit(X, Y).decision_function(X) for n in (None, 2))
    np.testing.assert_array_equal(one, two)


def test_the_two_chains_of_a_sample_may_walk_side_by_side():
    xi, S, _ = teacher_examples(60, 20, seed=0)
    one, two = (BayesPoint(n_students=10, n_jobs=n, random_state=0).fit(xi, S) for n in (None, 2))
    np.testing.assert_array_equal(one.coef_, two.coef_)


@pytest.mark.parametrize(
    "student",
    [
        AdaTron(C=1.0, random_state=0),
        KernelAdaTron(C=1.0, gamma=1.0),
        Rosenblatt(),
        Pocket(max_iter=5, random_state=0),
    ],
)
def test_leave_one_out_does_not_depend_on_the_number_of_threads(student):
    some = np.r_[0:10, 50:60]
    one, two = (leave_one_out(student, X[some], Y[some], n_jobs=n) for n in (None, 2))
    np.testing.assert_array_equal(one.potentials, two.potentials)
    assert one.refits == two.refits


def test_a_crew_answers_in_the_order_of_the_items_round_after_round():
    crew = ThreadTeam(3)
    for n in (0, 1, 2, 7):
        assert crew.map_items(lambda k: k * k, list(range(n))) == [k * k for k in range(n)]


def test_a_crew_of_one_and_a_crew_inside_a_thread_have_no_threads():
    alone, several = ThreadTeam(None), ThreadTeam(2)
    assert set(alone.map_items(here, [1, 2, 3])) == {threading.get_ident()}
    with limit_to_one_core():
        assert set(several.map_items(here, [1, 2, 3])) == {threading.get_ident()}
    assert len(set(several.map_items(here, [1, 2, 3]))) == 2


def test_a_crew_raises_what_was_raised_and_goes_on():
    crew = ThreadTeam(2)
    with pytest.raises(ZeroDivisionError):
        crew.map_items(lambda k: 1 / k, [1, 0, 2])
    assert crew.map_items(lambda k: 1 / k, [1, 2]) == [1.0, 0.5]


def test_a_crew_computes_in_the_context_of_who_asks():
    crew = ThreadTeam(2)
    with np.errstate(over="ignore"):
        assert crew.map_items(lambda x: np.array([x]) * x, [1e200, 1e200]) == [np.inf, np.inf]


def test_the_threads_of_a_crew_end_with_it():
    crew = ThreadTeam(2)
    crew.map_items(abs, [1, 2])
    (thread,) = crew._executor._threads
    del crew
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()
