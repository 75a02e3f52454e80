"""The process that fits one table: `python -m markone.web.table.process`, told by its standard input.

It has a process of its own because a fit is one call of seconds or minutes: beside it the worker goes on
serving others, the kernel holds the budget, and a page that goes away ends it.
"""

import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from markone.web.budget import CPU_BUDGET, limit_memory, limit_time

# Seconds after which the first folds tell how long all will take.
FAIR_TRY = 3.0


class TooLong(Exception):
    """The folds would not fit into the budget: a sentence says what would."""


def main() -> None:
    limit_memory()
    limit_time(CPU_BUDGET)
    tell(**answer(json.load(sys.stdin)))


def tell(**words: Any) -> None:
    """A line for the worker; what a student prints goes elsewhere."""
    assert sys.__stdout__
    sys.__stdout__.write(json.dumps(words) + "\n")
    sys.__stdout__.flush()


def answer(order: dict[str, Any]) -> dict[str, Any]:
    """The last line: a headline, or why there is none."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return {"headline": fitted(order)}
    except (ValueError, TooLong) as error:
        # A sentence names the file as the person does.
        return {"refused": str(error).replace(order["data"], order["called"])}
    except MemoryError:
        return {"refused": "This needs more memory than one fit gets here. Use fewer rows or columns."}


def fitted(order: dict[str, Any]) -> str:
    from markone.tables import ColumnOptions, FitRequest, fit

    asked = FitRequest(data=order["data"], options=ColumnOptions(**order["options"]), **order["request"])
    found = fit(asked, watched(order["request"]["cv"]))
    found.request.data = order["called"]
    return write(found, Path(order["place"]), order["command"])


def write(found: Any, place: Path, command: list[str]) -> str:
    """The model and its page; returns the headline. Of classes or of numbers."""
    import markone
    from markone.tables import FitResult, headline, save_model
    from markone.tables.regression import page as of_numbers
    from markone.tables.report import page as of_classes

    save_model(found, place / "model.skops")
    pages = of_classes if isinstance(found, FitResult) else of_numbers
    text = pages.page(found, command, markone.__version__)
    (place / "report.html").write_text(text, encoding="utf-8")
    return headline(found)


def watched(cv: str) -> Any:
    """Progress is told; folds that would not fit into the budget end the fit early, with what would."""
    began = time.process_time()

    def progress(done: int, total: int) -> None:
        tell(done=done, of=total)
        if not done:
            return
        used = time.process_time() - began
        # One more fit, of all rows, follows the folds.
        expected = used / done * (total + 1)
        if used > FAIR_TRY and expected > CPU_BUDGET:
            fits = int(total * CPU_BUDGET / expected * 0.8)
            advice = f"About {fits} folds would fit" if fits >= 2 else "Use fewer rows or columns"
            raise TooLong(
                f"{total} folds ({cv}) would take about {expected:.0f} s of computing, but a request gets "
                f"{CPU_BUDGET:.0f} s. {advice}; `markone fit` on the command line has no such limit."
            )

    return progress


if __name__ == "__main__":
    main()
