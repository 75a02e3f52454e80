"""Steps recorded in Python: the rule of the compiled log, states computed only if they are kept."""

import numpy as np
import pytest

from markone.base import history
from markone.base.history import StepRecorder


def counted(events, monkeypatch, places=16):
    monkeypatch.setattr(history, "ROWS", places)
    now, looked = [0], []

    def look():
        looked.append(now[0])
        return {"number": np.array(now[0])}

    keeper = StepRecorder(1, look)
    for k in range(1, events + 1):
        now[0] = k
        keeper.record_step(k, 1, 0, 0.0, 0.0, 1.0, k)
    return keeper.to_history(np.empty((0, 2)), np.empty(0), "Counter", {}), looked


@pytest.mark.parametrize("events", [0, 1, 15, 16, 17, 31, 32, 33, 100, 1000])
def test_multiples_of_the_stride_and_the_last(events, monkeypatch):
    found, looked = counted(events, monkeypatch)
    expected = [*range(0, events + 1, found.stride)]
    expected += [events] if expected[-1] != events else []
    assert found["step"].tolist() == expected == found.states["number"].tolist()
    assert len(found) <= 17
    assert found.n_events == events
    # The stride is no larger than it must be: half of it would not have fitted.
    assert found.stride == 1 or events // (found.stride // 2) + 1 > 16
    assert len(looked) <= 16 + 8 * np.log2(max(events, 1)) + 1


def test_the_start_has_no_example(monkeypatch):
    found, _ = counted(2, monkeypatch)
    assert found.table[0]["example"] == -1
    assert np.isnan([found.table[0]["E"], found.table[0]["E_after"]]).all()
