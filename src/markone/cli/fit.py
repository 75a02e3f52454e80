"""`markone fit`: fit a model to a table or to a folder of files, show the progress, and print the results.

Progress is a bar on a terminal, elsewhere lines: every 2 s in the first minute, every 10 s until ten minutes
have passed, then every 30 s.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TextIO

from markone.cli.terminal import check_output_files, echo, print_findings, print_report, translate_interrupt
from markone.run.progress import Pace, format_duration

if TYPE_CHECKING:
    from markone.tables.dispatch import AnyResult
    from markone.tables.request import FitRequest

# (until, interval): seconds between lines until so many seconds have passed.
LINE_INTERVALS = ((60.0, 2.0), (600.0, 10.0), (float("inf"), 30.0))
# Seconds in which a single fit is no basis for an estimate: the first one compiles.
WARM_UP = 15.0


def progress_text(pace: Pace) -> str:
    """'3 of 50 fits, 0.81 fits/s, about 58 s left'; before the first fit, the elapsed time."""
    if not pace.total:
        return f"reading the table, {format_duration(pace.seconds)}"
    if pace.done == pace.total:
        return f"all {pace.total} fits done, writing the results, {format_duration(pace.seconds)}"
    early = pace.done - (pace.first or 0) < 2 and pace.seconds < WARM_UP
    if early or not pace.left >= 0:
        return f"{pace.done} of {pace.total} fits, {format_duration(pace.seconds)}"
    return (
        f"{pace.done} of {pace.total} fits, {pace.rate:.2g} fits/s, about {format_duration(pace.left)} left"
    )


def record_progress(pace: Pace, done: int, total: int) -> None:
    """Record the progress; fits of an earlier run do not count for the rate."""
    if pace.first is None:
        pace.first = done
    pace.done, pace.total = done, total


def line_interval(seconds: float) -> float:
    """Seconds to wait for the next line, after so many seconds."""
    return next(wait for until, wait in LINE_INTERVALS if seconds < until)


@contextmanager
def print_progress_lines(
    out: TextIO, pace: Pace, wait: Callable[[float], float] = line_interval
) -> Iterator[Callable[[int, int], None]]:
    """Print progress lines from a separate thread: a single fit may take long."""
    ended = Event()

    def print_lines() -> None:
        while not ended.wait(wait(pace.seconds)):
            print(progress_text(pace), file=out, flush=True)

    thread = Thread(target=print_lines, daemon=True)
    thread.start()
    try:
        yield lambda done, total: record_progress(pace, done, total)
    finally:
        ended.set()
        thread.join()


@contextmanager
def fit_progress(hidden: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield the progress callback of `fit`: nothing, lines, or a bar on a terminal."""
    pace = Pace()
    if hidden:
        yield lambda done, total: None
    elif not sys.stderr.isatty():
        with print_progress_lines(sys.stderr, pace) as report:
            yield report
    else:
        with _draw_progress_bar(pace) as report:
            yield report


@contextmanager
def _draw_progress_bar(pace: Pace) -> Iterator[Callable[[int, int], None]]:
    """Show a rich progress bar, redrawn ten times a second, so the clock runs while nothing is finished."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task
    from rich.text import Text

    class PaceColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(progress_text(pace))

    with Progress(
        SpinnerColumn(), BarColumn(), PaceColumn(), console=Console(stderr=True), transient=True
    ) as shown:
        row = shown.add_task("", total=None)

        def report_progress(done: int, total: int) -> None:
            record_progress(pace, done, total)
            shown.update(row, completed=done, total=total)

        yield report_progress


PICKLES = (".pkl", ".pickle", ".joblib")


def run_fit(request: FitRequest, report: Path | None, save: Path | None, force: bool, as_json: bool) -> None:
    from markone.cli.fit import fit_progress

    check_output_files(request.data, [report, save], force)
    if save and save.suffix.lower() in PICKLES:
        raise ValueError(f"--save {save}: pickles can run code when they are loaded. Write a .skops file.")
    show_findings = (lambda found: None) if as_json else print_findings
    # The imports take a second or two: show the progress bar first.
    with translate_interrupt(), fit_progress(as_json) as progress:
        if Path(request.data).is_dir():
            result = _fit_folder(request, bool(report or save), progress, show_findings)
        else:
            result = _fit_table(request, bool(save), progress, show_findings)
    _write_outputs(result, report, save, as_json)


def _fit_table(request: FitRequest, save: bool, progress: Any, show_findings: Any) -> AnyResult:
    from markone.tables import dispatch, models
    from markone.tables.comparing.comparison import is_comparison

    if save and is_comparison(request.model):
        raise ValueError("--save keeps one model: compare first, then name the one to keep with --model.")
    if save:
        models.check_model_can_be_saved(request.model)
    return dispatch.fit(request, progress, show_findings)


def _fit_folder(request: FitRequest, whole: bool, progress: Any, show_findings: Any) -> AnyResult:
    """Cross-validate by sums over the files; fit to all rows if a report or a model is requested."""
    _check_folder_options(request)
    from markone.tables.partitions.folder_fit import fit_folder

    with _dask_client(request) as client:
        return fit_folder(request, client, whole, progress, show_findings)


def _check_folder_options(request: FitRequest) -> None:
    """Raise if an option is given that a folder does not support."""
    from markone.tables.request import AnswerOptions

    options = request.options
    unsupported = {
        "--grid": request.grid,
        "--rows": request.rows,
        "--positive": request.positive,
        "--drop": options.drop,
        "--categorical": options.categorical,
        "--keep": options.keep,
        f"--missing {options.missing}": options.missing not in ("auto", "refuse", "median", "mean"),
        "--missing-words": options.missing_words,
        "--ordered": options.ordered,
        "--group": options.group,
        "--more": request.more,
        "--time": options.time,
        "--cost, --reject or --sets": request.answers != AnswerOptions(),
        "a list of models": "," in request.model or request.model == "all",
    }
    given = [name for name, value in unsupported.items() if value]
    if given:
        raise ValueError(
            f"A folder of files does not support {given[0]}: it is fitted and scored by sums over "
            "partitions. Leave it out, or give one file that fits into memory."
        )


def _dask_client(request: FitRequest) -> Any:
    from contextlib import nullcontext

    if request.backend != "dask":
        return nullcontext()
    from markone.lazy_import import require_module
    from markone.run.executors import connect_dask_client, count_cores

    workers = request.workers or count_cores()
    return connect_dask_client(require_module("distributed", "dask"), request.scheduler, workers)


def _write_outputs(result: AnyResult, report: Path | None, save: Path | None, as_json: bool) -> None:
    from markone.numerics.files import write_atomically
    from markone.tables.dispatch import build_report, result_to_dict, save_result

    if report:
        from markone.tables.report.page import build_page

        write_atomically(report, build_page(build_report(result), sys.argv[1:]).encode())
    if save:
        save_result(result, save)
    if as_json:
        wrote = [str(path) for path in (report, save) if path]
        echo(json.dumps(result_to_dict(result) | {"wrote": wrote}))
        return
    print_report(build_report(result))
    for path in filter(None, [report, save]):
        echo(f"Wrote {path}.")
    if save:
        echo(f"Next: markone predict {save} NEW_TABLE --out predictions.csv")
