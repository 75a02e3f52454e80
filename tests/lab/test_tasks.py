"""From a declaration to tasks with permanent names."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from studies import PLAIN, PRECISE, study

from markone.lab.load import parse
from markone.lab.tasks import TARGET, block_size, describe, error_of, tasks

pytestmark = pytest.mark.usefixtures("toy")


@given(
    st.integers(1, 60),
    st.lists(st.integers(1, 50), min_size=1, max_size=3, unique=True),
    st.lists(st.floats(0.01, 9), min_size=1, max_size=4, unique=True),
    st.floats(1e6, 3e9),
)
def test_tasks_cover_every_repeat_once_in_any_declaration(repeats, sizes, alphas, cost):
    declaration = study(repeats=repeats, grid={"N": sizes, "alpha": alphas}, fixed={"cost": cost})
    todo = tasks(declaration, {})
    assert len({task.id for task in todo}) == len(todo)
    for point in {task.point for task in todo}:
        covered = [k for task in todo if task.point == point for k in range(task.start, task.stop)]
        assert covered == list(range(repeats))
    assert len({task.point for task in todo}) == len(declaration)
    assert max(task.stop - task.start for task in todo) * cost <= max(TARGET, cost)
    assert tasks(declaration, dict.fromkeys(task.id for task in todo)) == []


@given(st.integers(1, 7), st.sampled_from([PLAIN, PRECISE]))
def test_shards_divide_the_tasks(n, data):
    declaration = parse(data | {"repeats": 40, "fixed": {"cost": 2e8}})
    shards = [tasks(declaration, {}, shard=(i, n)) for i in range(n)]
    assert sorted(t.id for shard in shards for t in shard) == sorted(t.id for t in tasks(declaration, {}))
    if "precision" in data:
        assert sum(len({task.point for task in shard}) for shard in shards) == len(declaration)


def test_a_shard_that_does_not_exist():
    with pytest.raises(ValueError, match="Shard 3 of 3 does not exist"):
        tasks(study(), {}, shard=(3, 3))


def test_blocks_are_whole_lanes_and_never_empty():
    scenario = study().scenario_object
    size = {c: block_size(scenario, {"N": 5, "alpha": 1.0, "cost": c}) for c in (1e7, 1.1e8, 5e9)}
    assert size == {1e7: 96, 1.1e8: 9, 5e9: 1}
    assert describe(tasks(study(), {})[0]).startswith("toy N=5 alpha=0.5 rule=hebb")


def test_rounds_go_on_until_the_point_is_precise():
    declaration = parse(PRECISE | {"grid": {"N": [5], "alpha": [1.0]}})
    rng = np.random.default_rng(0)
    noisy = {}
    while todo := tasks(declaration, noisy):
        assert {task.start // 12 for task in todo} == {todo[0].start // 12}
        noisy |= {task.id: rng.normal(size=task.stop - task.start) for task in todo}
    n = sum(map(len, noisy.values()))
    values = np.concatenate(list(noisy.values()))
    assert n == 120 or error_of(values) <= 0.13 < error_of(values[:-12])
    assert 24 < n <= 120
    wild = {}
    while todo := tasks(declaration, wild):
        wild |= {task.id: 100 * rng.normal(size=task.stop - task.start) for task in todo}
    assert sum(map(len, wild.values())) == 120


def test_standard_errors():
    x = np.random.default_rng(1).normal(size=50)
    assert error_of(x) == pytest.approx(x.std(ddof=1) / np.sqrt(50))
    assert error_of(np.append(x, np.nan)) == error_of(x)
    assert error_of(np.array([1.0])) == error_of(np.full(5, np.nan)) == np.inf
    # Fifty times "yes" is not a certainty.
    assert error_of(np.ones(50)) == pytest.approx(np.sqrt(52 / 54 * 2 / 54 / 54))


@given(st.dictionaries(st.sampled_from(["seed", "repeats"]), st.integers(1, 1000)))
def test_the_id_depends_on_what_the_result_depends_on(changes):
    assume(changes)
    before, after = tasks(study(), {}), tasks(study(**changes), {})
    same = changes.get("seed", 7) == 7
    assert (before[0].point == after[0].point) == same
