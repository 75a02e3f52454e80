import io
import json

import pytest

from markone.run import progress


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_work_stored_before_does_not_count_as_speed():
    clock = Clock()
    pace = progress.Pace(clock)
    clock.now = 2.0
    pace.record_progress(101, 144)
    clock.now = 4.0
    pace.record_progress(104, 144)
    assert pace.rate == 1.0  # four tasks in four seconds
    assert pace.left == 40.0


def test_one_plain_line_every_thirty_seconds_and_one_at_the_end():
    clock, out = Clock(), io.StringIO()
    report = progress.progress_lines("capacity", out, progress.Pace(clock))
    for done in range(1, 101):
        clock.now += 1.0
        report(done, 100, None)
    said = out.getvalue().splitlines()
    assert said == [
        "capacity: 30 of 100 tasks, 1 tasks/s, 70 s left",
        "capacity: 60 of 100 tasks, 1 tasks/s, 40 s left",
        "capacity: 90 of 100 tasks, 1 tasks/s, 10 s left",
        "capacity: 100 of 100 tasks, 1 tasks/s, 0 s left",
    ]


def test_lines_as_json():
    clock, out = Clock(), io.StringIO()
    report = progress.progress_lines("capacity", out, progress.Pace(clock), every=1.0, as_json=True)
    clock.now = 2.0
    report(1, 2, None)
    said = json.loads(out.getvalue())
    assert said == {
        "event": "progress",
        "experiment": "capacity",
        "done": 1,
        "total": 2,
        "seconds": 2.0,
        "rate": 0.5,
        "left": 2.0,
    }


def test_the_bar_takes_a_total_that_grows():
    """Precision may open further rounds."""
    pace = progress.Pace(Clock())
    with progress.progress_bar("capacity", pace) as report:
        report(1, 10, None)
        report(10, 20, None)
    assert (pace.done, pace.total) == (10, 20)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.123, "0.12 s"), (41.4, "41 s"), (720, "12 min"), (12000, "3 h 20 min"), (432000, "5.0 days")],
)
def test_durations_are_readable(seconds, text):
    assert progress.format_duration(seconds) == text


def test_unknown_durations_say_so():
    assert progress.format_duration(float("nan")) == progress.format_duration(float("inf")) == "?"


def test_quiet_says_nothing(capsys):
    with progress.watch_progress("capacity", quiet=True) as report:
        report(3, 3, None)
    assert capsys.readouterr() == ("", "")


def test_elsewhere_than_on_a_terminal_lines_are_plain(capsys):
    with progress.watch_progress("capacity") as report:
        report(3, 3, None)
    assert capsys.readouterr().out.startswith("capacity: 3 of 3 tasks")
