"""Progress output of a fit."""

import io
import time

from markone.cli import fit
from markone.run.progress import Pace


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_from_reading_to_the_time_left():
    clock = Clock()
    seen = Pace(clock)
    clock.now = 3.0
    assert fit.progress_text(seen) == "reading the table, 3 s"
    fit.record_progress(seen, 0, 50)
    assert fit.progress_text(seen) == "0 of 50 fits, 3 s"
    clock.now = 10.0
    fit.record_progress(seen, 5, 50)
    assert fit.progress_text(seen) == "5 of 50 fits, 0.5 fits/s, about 90 s left"


def test_fits_of_an_earlier_run_are_no_speed():
    clock = Clock()
    seen = Pace(clock)
    fit.record_progress(seen, 40, 50)
    clock.now = 10.0
    fit.record_progress(seen, 42, 50)
    assert fit.progress_text(seen) == "42 of 50 fits, 0.2 fits/s, about 40 s left"


def test_lines_come_while_nothing_is_finished():
    out = io.StringIO()
    with fit.print_progress_lines(out, Pace(), wait=lambda seconds: 0.01) as report:
        report(0, 7)
        deadline = time.monotonic() + 30
        while "0 of 7 fits" not in out.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert "0 of 7 fits" in out.getvalue()


def test_nothing_is_said_to_a_machine(capsys):
    with fit.fit_progress(hidden=True) as report:
        report(1, 2)
    assert capsys.readouterr().err == ""


def test_lines_are_two_seconds_apart_in_the_first_minute_and_then_rarer():
    times, now = [], 0.0
    while now < 3600:
        now += fit.line_interval(now)
        times.append(now)
    first = [b - a for a, b in zip([0.0, *times], times, strict=False) if b <= 60]
    assert len(first) == 30
    assert max(first) == 2.0
    # An hour is a page or two, not a book.
    assert len(times) < 200
