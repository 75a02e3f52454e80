"""By which code, on which machine."""

import pytest
from studies import study

from markone.lab.runner.worker import work
from markone.lab.store.results import Store
from markone.lab.survey import tasks

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def filled(path, count=None):
    with Store(path) as store:
        for task in tasks(study(), {})[:count]:
            store.add(task, work(task))
    return path


def test_provenance_names_the_code_the_machine_and_the_time(path):
    filled(path)
    filled(path)
    with Store(path, "r") as store:
        found = store.provenance()
    assert found["seeds"] == [7]
    assert {"markone", "commit", "python", "numpy", "numba", "platform", "machine"} <= set(found)
    assert found["tasks"] == 18
    assert found["seconds"] > 0
    assert len(found["sessions"]) == 2
    assert found["sessions"][0]["started"] <= found["first"] <= found["last"]
