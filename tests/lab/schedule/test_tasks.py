"""From a declaration to tasks with permanent names."""

import hashlib

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from toy_declarations import PLAIN, PRECISE, study

from markone.lab.load import load_declaration, parse_declaration
from markone.lab.schedule.remaining import (
    MOST_TASKS,
    check_task_count,
    count_tasks,
    iterate_remaining_tasks,
    list_remaining_tasks,
)
from markone.lab.schedule.tasks import TARGET, block_size_of_cost, describe_task, stopping_error

pytestmark = pytest.mark.usefixtures("toy")


def finished(tasks, values=lambda task: None):
    """Finished blocks of each point, as from a store."""
    found = {}
    for task in tasks:
        found.setdefault(task.point, {})[task.start, task.stop] = values(task)
    return found


@given(
    st.integers(1, 60),
    st.lists(st.integers(1, 50), min_size=1, max_size=3, unique=True),
    st.lists(st.floats(0.01, 9), min_size=1, max_size=4, unique=True),
    st.floats(1e6, 3e9),
)
def test_tasks_cover_every_repeat_once_in_any_declaration(repeats, sizes, alphas, cost):
    declaration = study(repeats=repeats, grid={"N": sizes, "alpha": alphas}, fixed={"cost": cost})
    todo = list_remaining_tasks(declaration, {})
    assert len({task.id for task in todo}) == len(todo)
    for point in {task.point for task in todo}:
        covered = [k for task in todo if task.point == point for k in range(task.start, task.stop)]
        assert covered == list(range(repeats))
    assert len({task.point for task in todo}) == len(declaration)
    assert max(task.stop - task.start for task in todo) * cost <= max(TARGET, cost)
    assert count_tasks(declaration, {}) == (0, len(todo), repeats * len(declaration))
    assert list_remaining_tasks(declaration, finished(todo)) == []
    assert count_tasks(declaration, finished(todo)) == (len(todo), 0, 0)


@given(st.integers(1, 7), st.sampled_from([PLAIN, PRECISE]))
def test_shards_divide_the_tasks(n, data):
    declaration = parse_declaration(data | {"repeats": 40, "fixed": {"cost": 2e8}})
    shards = [list_remaining_tasks(declaration, {}, shard=(i, n)) for i in range(n)]
    assert sorted(t.id for shard in shards for t in shard) == sorted(
        t.id for t in list_remaining_tasks(declaration, {})
    )
    if "precision" in data:
        assert sum(len({task.point for task in shard}) for shard in shards) == len(declaration)


def test_a_shard_that_does_not_exist():
    with pytest.raises(ValueError, match="Shard 3 of 3 does not exist"):
        list_remaining_tasks(study(), {}, shard=(3, 3))


def test_blocks_are_whole_lanes_and_never_empty():
    scenario = study().scenario_object
    size = {
        c: block_size_of_cost(scenario.cost({"N": 5, "alpha": 1.0, "cost": c})) for c in (1e7, 1.1e8, 5e9)
    }
    assert size == {1e7: 96, 1.1e8: 9, 5e9: 1}
    assert describe_task(list_remaining_tasks(study(), {})[0]).startswith("toy N=5 alpha=0.5 rule=hebb")


def test_rounds_go_on_until_the_point_is_precise():
    declaration = parse_declaration(PRECISE | {"grid": {"N": [5], "alpha": [1.0]}})
    rng = np.random.default_rng(0)
    noisy = []
    values = {}

    def draw(task, scale=1.0):
        return values.setdefault(task.id, scale * rng.normal(size=task.stop - task.start))

    while todo := list_remaining_tasks(declaration, finished(noisy, draw)):
        assert {task.start // 12 for task in todo} == {todo[0].start // 12}
        noisy += todo
    values = np.concatenate([draw(task) for task in noisy])
    n = len(values)
    assert n == 120 or stopping_error(values) <= 0.13 < stopping_error(values[:-12])
    assert 24 < n <= 120
    values, wild = {}, []
    while todo := list_remaining_tasks(declaration, finished(wild, lambda task: draw(task, 100.0))):
        wild += todo
    assert sum(map(len, values.values())) == 120


# Repeats at the time the ids below were written down, of experiments that have more now.
PINNED_REPEATS = {"capacity": 50, "demo_capacity": 1000, "hubble": 4000, "lvq_clusters": 100}
PINNED_REPEATS |= {"machine_capacity": 40, "drifting_teacher": 100}


def declaration_as_pinned(name):
    declaration = load_declaration(name)
    return declaration.model_copy(update={"repeats": PINNED_REPEATS.get(name, declaration.repeats)})


@pytest.mark.parametrize(
    ("name", "number", "digest"),
    [
        ("demo_capacity", 69, "18dc34898a2afe73"),
        ("learning_a_rule", 61, "219d7903503ad20b"),
        ("label_noise", 212, "3555d3b19f802784"),
        ("drifting_teacher", 540, "f85f4d1e0cbba2ef"),
        ("machine_rule", 26, "d01ff62a983001dd"),
    ],
)
def test_the_ids_of_shipped_experiments_are_permanent(name, number, digest):
    """Stored results are found by these ids: a change would lose all of them."""
    ids = sorted(task.id for task in list_remaining_tasks(declaration_as_pinned(name), {}))
    assert (len(ids), hashlib.sha256("".join(ids).encode()).hexdigest()[:16]) == (number, digest)


def test_standard_errors():
    x = np.random.default_rng(1).normal(size=50)
    assert stopping_error(x) == pytest.approx(x.std(ddof=1) / np.sqrt(50))
    assert stopping_error(np.append(x, np.nan)) == stopping_error(x)
    assert stopping_error(np.array([1.0])) == stopping_error(np.full(5, np.nan)) == np.inf
    # Fifty times "yes" is not a certainty.
    assert stopping_error(np.ones(50)) == pytest.approx(np.sqrt(52 / 54 * 2 / 54 / 54))


@given(st.dictionaries(st.sampled_from(["seed", "repeats"]), st.integers(1, 1000)))
def test_the_id_depends_on_what_the_result_depends_on(changes):
    assume(changes)
    before, after = list_remaining_tasks(study(), {}), list_remaining_tasks(study(**changes), {})
    same = changes.get("seed", 7) == 7
    assert (before[0].point == after[0].point) == same


# Hashes in existing stores: with other ones all results would be computed again.
IDS = {
    "capacity": ("5efc16a57961434bf73d", "6359b1ee410588ba0f2e", 30),
    "demo_capacity": ("a9bb98e757646c5ca034", "0ad11a8dd90e3c8aaa8d", 69),
    "demo_rule": ("1bcaf73278ba1c2212ae", "dc60e01c7ee3e303f7e2", 73),
    "hopfield_retrieval": ("ffe3f9934f5a22759593", "c0a730024b41f044630f", 42),
    "hubble": ("80ba79e3154f0d939a28", "9a240f96bca963f87a39", 12),
    "iris": ("aeb7081b09288349074e", "cfdc4c957f3a7a5a16c0", 8),
    "lvq_clusters": ("c3d8e0c2e80882009b0e", "aa6395fc348dfdf9a631", 300),
    "machine_capacity": ("4d6ca30aa095963cb84a", "93952ef0a6b4ad297a81", 76),
    "online": ("54b2a3fb6b5c43975a5f", "31704ac45759fc132a06", 180),
    "perceptron_rule": ("c04de414433ec7004e3d", "1d4bb8c0dd0b3a9d9be4", 120),
    "small_networks": ("52ebf8c480ef01b0e30a", "b0d3489a7516ee05fa18", 21),
}


@pytest.mark.parametrize("name", IDS)
def test_the_ids_of_shipped_experiments_never_change(name):
    found = list_remaining_tasks(declaration_as_pinned(name), {})
    assert (found[0].id, found[0].point, len(found)) == IDS[name]


def test_too_many_tasks_are_counted_and_never_listed():
    """A list of these would not fit into any memory."""
    many = study(repeats=10**12)
    assert count_tasks(many, {}).missing == 6 * 2 * 10**11
    first = next(iterate_remaining_tasks(many, {}))
    assert (first.start, first.stop) == (0, 5)
    with pytest.raises(ValueError, match=rf"1200000000000 tasks, more than {MOST_TASKS}.*--yes-really"):
        check_task_count(many)
    check_task_count(study())


def test_a_point_by_its_number():
    declaration = study(fixed={"rule": "minover"})
    assert [declaration.point(k) for k in range(len(declaration))] == declaration.points()
