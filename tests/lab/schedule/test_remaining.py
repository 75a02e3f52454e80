"""Remaining tasks, counted in bulk and one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_declarations import study

from markone.lab.schedule.grid import NAME_BYTES, expand_grid
from markone.lab.schedule.remaining import (
    NAMES,
    Blocks,
    count_tasks,
    index_wanted_points,
    iterate_computed_names,
    iterate_point_states,
    list_remaining_tasks,
    survey_tasks,
)
from markone.lab.store.results import Store
from markone.run.outcomes import TaskOutcome

pytestmark = pytest.mark.usefixtures("toy")
ZEROS = {"height": np.zeros, "positive": np.zeros}


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.sets(st.integers(0, 60)), st.floats(1e6, 3e9))
def test_a_store_is_counted_as_its_points_are_one_by_one(tmp_path_factory, before, now, kept, cost):
    """Also after the number of repeats was changed: blocks with other cuts do not count."""
    path = tmp_path_factory.mktemp("store") / "results.sqlite"
    first, second = (study(repeats=n, fixed={"cost": cost}) for n in (before, now))
    with Store(path) as store:
        for k, task in enumerate([*list_remaining_tasks(first, {}), *list_remaining_tasks(second, {})]):
            if k in kept:
                n = task.stop - task.start
                store.add(task, TaskOutcome({name: make(n) for name, make in ZEROS.items()}))
        done = store.done()
        found, one_by_one = (
            survey_tasks(second, done),
            [state for _, state in iterate_point_states(second, done)],
        )
        assert found.done.tolist() == [state.n_finished for state in one_by_one]
        assert found.tasks.tolist() == [state.left for state in one_by_one]
        assert found.repeats.tolist() == [state.repeats for state in one_by_one]
        plain = {point: dict(done[point]) for point in done}
        assert count_tasks(second, done) == count_tasks(second, plain)
        assert list_remaining_tasks(second, done) == list_remaining_tasks(second, plain)
        assert len(list_remaining_tasks(second, done)) == found.total_counts().missing


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40), st.integers(0, 40)), max_size=30, unique=True),
    st.integers(1, 40),
)
def test_gaps_in_bulk_and_point_by_point(rows, repeats):
    """Blocks may overlap in any way, also one inside another."""
    declaration = study(repeats=repeats, fixed={"cost": 3e8})
    points = [task.point for task in list_remaining_tasks(study(repeats=1, fixed={"cost": 3e8}), {})]
    done = {}
    for k, start, stop in rows:
        if start < stop:
            done.setdefault(points[k], {})[start, stop] = None
    found = survey_tasks(declaration, done)
    states = [state for _, state in iterate_point_states(declaration, done)]
    assert found.done.tolist() == [state.n_finished for state in states]
    assert found.tasks.tolist() == [state.left for state in states]
    assert found.repeats.tolist() == [state.repeats for state in states]


def test_names_that_differ_only_in_their_last_bytes():
    wanted = np.array([(7, 3), (5, 9), (7, 2), (8, 1)], dtype=NAMES)
    head, tail = np.array([5, 7, 7, 7], np.uint64), np.array([8, 1, 2, 3], np.uint16)
    none = np.zeros(0, np.int64)
    found = index_wanted_points(
        Blocks(head, tail, np.array([4, 1, 2, 3]), none, none, none), iter([wanted[:2], wanted[2:]])
    )
    assert found.tolist() == [-1, -1, 2, 0, -1]


def test_repeats_beyond_64_bits_are_counted():
    many = study(repeats=2**53, grid={"N": [5], "alpha": {"start": 0.001, "stop": 3.0, "step": 0.001}})
    assert count_tasks(many, {}).repeats == 3000 * 2**53 > 2**64


def test_names_in_pieces_are_those_of_the_points():
    declaration = study()
    number = np.array([1, 3, 4], dtype=np.int32)
    grid = expand_grid(declaration)
    data, part = (
        b"".join(found.tobytes() for found in iterate_computed_names(declaration, grid, which))
        for which in (np.arange(len(declaration)), number)
    )
    assert part == b"".join(data[NAME_BYTES * k : NAME_BYTES * (k + 1)] for k in number.tolist())
