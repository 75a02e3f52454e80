"""The process that computes: many jobs take turns, one frame at a time, each within its budget.

A job is stepped only when the page has asked for its next frame, so that thirty running sessions share a
worker fairly, and a page nobody looks at costs nothing.
"""

import json
import os
import sys
import time
import traceback
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from markone.errors import MarkoneError
from markone.web.budget import CPU_BUDGET, limit_memory, limited_step
from markone.web.pace import PACE
from markone.web.protocol import LARGEST_FRAME, Frame, Refused
from markone.web.screens import all_screens, find
from markone.web.table import uploads

WARM_FRAMES = 3
# Seconds without a request before a piece of the warm-up is done beside open jobs.
QUIET = 0.5


@dataclass
class Job:
    ticket: int
    frames: Iterator[dict[str, Any]]
    wanted: int = 1
    number: int = 0
    used: float = 0.0


def serve(connection: Any, step_began: Any, warm: bool, folder: str) -> None:
    """Work until the connection closes. `step_began` tells the parent when the current step started."""
    limit_memory()
    uploads.use(folder)
    warnings.simplefilter("ignore")
    os.environ["PYTHONWARNINGS"] = "ignore"
    worker = Worker(connection, step_began, warm)
    try:
        while worker.listen():
            worker.step()
    except (EOFError, OSError, KeyboardInterrupt):
        return


class Worker:
    def __init__(self, connection: Any, step_began: Any, warm: bool) -> None:
        self.connection, self.step_began = connection, step_began
        self.jobs: OrderedDict[tuple[int, int], Job] = OrderedDict()
        self.cold = cold_states() if warm else []
        self.to_warm = len(self.cold)

    def listen(self) -> bool:
        """Take all orders that are there; wait for one if there is nothing to do."""
        wait = self.patience()
        while self.connection.poll(wait):
            order = self.connection.recv()
            if order is None:
                return False
            self.take(*order)
            wait = 0
        return True

    def patience(self) -> float | None:
        """Seconds to wait for an order: a page that has just got a frame will soon ask for the next."""
        if any(job.wanted for job in self.jobs.values()):
            return 0
        if self.cold:
            return QUIET if self.jobs else 0
        return None

    def take(self, what: str, key: Any, *rest: Any) -> None:
        if what == "warm":
            self.cold = cold_states()
            self.to_warm = len(self.cold)
        elif what == "start":
            self.start(key, *rest)
        elif what == "more" and key in self.jobs:
            self.jobs[key].wanted += 1
        elif what == "stop":
            self.jobs.pop(key, None)

    def start(self, key: tuple[int, int], screen: str, want: str, state: str) -> None:
        """The state comes as JSON that the server has checked; it is checked again where it is used."""
        ticket = key[1]

        def begin() -> Iterator[dict[str, Any]]:
            chosen = find(screen)
            given = chosen.state.model_validate_json(state)
            yield from _wanted(chosen, want, given)

        self.jobs[key] = Job(ticket, begin())

    def step(self) -> None:
        """One frame of the job whose turn it is; with nobody waiting, one piece of the warm-up."""
        for key, job in self.jobs.items():
            if job.wanted:
                self.jobs.move_to_end(key)
                self.advance(key, job)
                return
        if self.cold:
            self.warm_up()

    def advance(self, key: tuple[int, int], job: Job) -> None:
        job.wanted -= 1
        PACE.jobs = len(self.jobs)
        before = time.process_time()
        self.step_began.value = time.monotonic()
        with limited_step():
            text, last = _guarded(job)
        self.step_began.value = 0.0
        job.used += time.process_time() - before
        if not last and job.used > CPU_BUDGET:
            sentence = (
                f"This took {job.used:.0f} s of computing, which is all one request gets. Ask for less."
            )
            text, last = Refused(ticket=job.ticket, sentence=sentence).model_dump_json(), True
        if last:
            self.jobs.pop(key, None)
        self.connection.send(("say", key, text, last))

    def warm_up(self) -> None:
        screen, state = self.cold.pop(0)
        try:
            frames = screen.frames(screen.state(**state))
            for _, _ in zip(range(WARM_FRAMES), frames, strict=False):
                pass
        except Exception:  # a warm-up that fails must not take the laboratory down
            traceback.print_exc(file=sys.stderr)
        self.connection.send(("warm", self.to_warm - len(self.cold), self.to_warm))


def cold_states() -> list[tuple[Any, dict[str, Any]]]:
    """What a warm-up goes through: every screen in its small states."""
    return [(screen, warm) for screen in all_screens() for warm in screen.warm]


def _wanted(screen: Any, want: str, state: Any) -> Iterator[dict[str, Any]]:
    if want == "frames":
        seconds = screen.seconds(state)
        if seconds > CPU_BUDGET:
            raise ValueError(
                f"This would take about {seconds:.0f} s of computing, but a request gets {CPU_BUDGET:.0f} s. "
                f"{screen.fits(state)}"
            )
        yield from screen.frames(state)
        return
    maker: Callable[[Any], str] | None = getattr(screen, want)
    if maker is None:
        raise ValueError(f"{screen.title} has no sweep that could be written as an experiment.")
    yield {"text": maker(state)}


def _guarded(job: Job) -> tuple[str, bool]:
    """The next message of a job, and whether it is the last; an exception becomes a sentence."""
    try:
        data = next(job.frames)
        last = bool(data.pop("last", False)) or set(data) == {"text"}
        text = Frame(ticket=job.ticket, number=job.number, last=last, data=data).model_dump_json()
        job.number += 1
    except StopIteration:
        return Frame(ticket=job.ticket, number=job.number, last=True, data={}).model_dump_json(), True
    except (MarkoneError, ValueError) as error:
        return Refused(ticket=job.ticket, sentence=_sentence(error)).model_dump_json(), True
    except MemoryError:
        sentence = "This needs more memory than one worker has. Ask for less."
        return Refused(ticket=job.ticket, sentence=sentence).model_dump_json(), True
    except Exception:
        traceback.print_exc(file=sys.stderr)
        sentence = "Something went wrong inside the laboratory; the terminal that started it has the details."
        return Refused(ticket=job.ticket, sentence=sentence).model_dump_json(), True
    if len(text) > LARGEST_FRAME:
        sentence = (
            f"The answer has {len(text)} bytes, more than the {LARGEST_FRAME} a page gets. Ask for less."
        )
        return Refused(ticket=job.ticket, sentence=sentence).model_dump_json(), True
    return text, last


def _sentence(error: Exception) -> str:
    return json.loads(json.dumps(str(error)))[:600] or type(error).__name__
