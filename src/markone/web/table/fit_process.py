"""The process that fits one table: `python -m markone.web.table.fit_process`, request on standard input.

A fit is one call of seconds or minutes. In a process of its own it does not block the worker, the operating
system enforces its budget, and it ends when its page is closed.
"""

import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from markone.web.budget import CPU_BUDGET, limit_memory, limit_time
from markone.web.table.preview import name_upload

# Seconds of folds from which the total time is estimated.
FAIR_TRY = 3.0


class FitTooLong(Exception):
    """The folds would exceed the budget; the message suggests what would fit."""


def main() -> None:
    limit_memory()
    limit_time(CPU_BUDGET)
    send_line(**_run_fit_order(json.load(sys.stdin)))


def send_line(**words: Any) -> None:
    """Send a JSON line to the worker; output of the fit itself is redirected."""
    assert sys.__stdout__
    sys.__stdout__.write(json.dumps(words) + "\n")
    sys.__stdout__.flush()


def _run_fit_order(order: dict[str, Any]) -> dict[str, Any]:
    """Return the last message: the headline, or the reason of the failure."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return {"headline": _fit_order(order)}
    except (ValueError, FitTooLong) as error:
        return {"refused": name_upload(str(error), order["data"], order["called"])}
    except MemoryError:
        return {"refused": "This exceeds the memory limit of one fit. Use fewer rows or columns."}


def _fit_order(order: dict[str, Any]) -> str:
    from markone.tables import ColumnOptions, FitRequest, fit

    request = FitRequest(data=order["data"], options=ColumnOptions(**order["options"]), **order["request"])
    found = fit(request, make_fit_progress(order["request"]["cv"]))
    found.request.data = order["called"]
    return _write_result(found, Path(order["place"]), order["command"])


def _write_result(found: Any, place: Path, command: list[str]) -> str:
    """Write model and report of a classification or regression; return the headline."""
    from markone.tables import headline, save_model
    from markone.tables.dispatch import build_report
    from markone.tables.report.page import build_page

    save_model(found, place / "model.skops")
    text = build_page(build_report(found), command)
    (place / "report.html").write_text(text, encoding="utf-8")
    return headline(found)


def make_fit_progress(cv: str) -> Any:
    """Return a callback that reports progress and raises TooLong if the folds would exceed the budget."""
    began = time.process_time()

    def progress(done: int, total: int) -> None:
        send_line(done=done, of=total)
        if not done:
            return
        used = time.process_time() - began
        # One more fit, of all rows, follows the folds.
        expected = used / done * (total + 1)
        if used > FAIR_TRY and expected > CPU_BUDGET:
            fits = int(total * CPU_BUDGET / expected * 0.8)
            advice = f"About {fits} folds would fit" if fits >= 2 else "Use fewer rows or columns"
            raise FitTooLong(
                f"{total} folds ({cv}) would take about {expected:.0f} s of computing; the limit is "
                f"{CPU_BUDGET:.0f} s. {advice}; `markone fit` on the command line has no such limit."
            )

    return progress


if __name__ == "__main__":
    main()
