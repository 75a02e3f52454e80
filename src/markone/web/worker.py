"""The worker process: computes its jobs in turn, one frame at a time, each within its budget.

A job is advanced only when its page has requested the next frame: thirty sessions share a worker fairly,
and a hidden page costs nothing.
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
from markone.web.frame_pace import PACE
from markone.web.protocol import LARGEST_FRAME, Frame, Refused
from markone.web.screens import all_screens, find_screen
from markone.web.table import uploads

WARM_FRAMES = 3
# Seconds without a request before a step of the warm-up is run while jobs are open.
QUIET = 0.5


@dataclass
class Job:
    ticket: int
    frames: Iterator[dict[str, Any]]
    wanted: int = 1
    number: int = 0
    used: float = 0.0


def serve_connection(connection: Any, step_began: Any, warm: bool, folder: str) -> None:
    """Serve requests until the connection closes. `step_began` is the start time of the current step."""
    limit_memory()
    uploads.use_upload_folder(folder)
    warnings.simplefilter("ignore")
    os.environ["PYTHONWARNINGS"] = "ignore"
    worker = Worker(connection, step_began, warm)
    try:
        while worker.handle_messages():
            worker.step()
    except (EOFError, OSError, KeyboardInterrupt):
        return


class Worker:
    def __init__(self, connection: Any, step_began: Any, warm: bool) -> None:
        self.connection, self.step_began = connection, step_began
        self.jobs: OrderedDict[tuple[int, int], Job] = OrderedDict()
        self.cold = _list_warm_up_states() if warm else []
        self.to_warm = len(self.cold)

    def handle_messages(self) -> bool:
        """Handle all waiting messages; block for one if there is nothing to compute. False at the end."""
        wait = self.wait_seconds()
        while self.connection.poll(wait):
            order = self.connection.recv()
            if order is None:
                return False
            self.handle_message(*order)
            wait = 0
        return True

    def wait_seconds(self) -> float | None:
        """Return the seconds to wait for a message; a page that got a frame will soon request the next."""
        if any(job.wanted for job in self.jobs.values()):
            return 0
        if self.cold:
            return QUIET if self.jobs else 0
        return None

    def handle_message(self, what: str, key: Any, *rest: Any) -> None:
        if what == "warm":
            self.cold = _list_warm_up_states()
            self.to_warm = len(self.cold)
        elif what == "start":
            self.start(key, *rest)
        elif what == "more" and key in self.jobs:
            self.jobs[key].wanted += 1
        elif what == "stop":
            self.jobs.pop(key, None)

    def start(self, key: tuple[int, int], screen: str, want: str, state: str) -> None:
        """Add a job. The state is JSON that the server has validated; it is validated again here."""
        ticket = key[1]

        def begin() -> Iterator[dict[str, Any]]:
            chosen = find_screen(screen)
            given = chosen.state.model_validate_json(state)
            yield from _requested_frames(chosen, want, given)

        self.jobs[key] = Job(ticket, begin())

    def step(self) -> None:
        """Compute one frame of the next waiting job; without one, a step of the warm-up."""
        for key, job in self.jobs.items():
            if job.wanted:
                self.jobs.move_to_end(key)
                self.advance_job(key, job)
                return
        if self.cold:
            self.warm_up_next()

    def advance_job(self, key: tuple[int, int], job: Job) -> None:
        job.wanted -= 1
        PACE.jobs = len(self.jobs)
        before = time.process_time()
        self.step_began.value = time.monotonic()
        with limited_step():
            text, last = _next_message(job)
        self.step_began.value = 0.0
        job.used += time.process_time() - before
        if not last and job.used > CPU_BUDGET:
            sentence = (
                f"This took {job.used:.0f} s of computing, the limit of one request. Reduce the settings."
            )
            text, last = Refused(ticket=job.ticket, sentence=sentence).model_dump_json(), True
        if last:
            self.jobs.pop(key, None)
        self.connection.send(("frame", key, text, last))

    def warm_up_next(self) -> None:
        screen, state = self.cold.pop(0)
        try:
            frames = screen.frames(screen.state(**state))
            for _, _ in zip(range(WARM_FRAMES), frames, strict=False):
                pass
        except Exception:  # a failed warm-up must not end the worker
            traceback.print_exc(file=sys.stderr)
        self.connection.send(("warm", self.to_warm - len(self.cold), self.to_warm))


def _list_warm_up_states() -> list[tuple[Any, dict[str, Any]]]:
    """Return the states computed by a warm-up: the small states of every screen."""
    return [(screen, warm) for screen in all_screens() for warm in screen.warm]


def _requested_frames(screen: Any, want: str, state: Any) -> Iterator[dict[str, Any]]:
    if want == "frames":
        seconds = screen.seconds(state)
        if seconds > CPU_BUDGET:
            raise ValueError(
                f"This would take about {seconds:.0f} s of computing; the limit is {CPU_BUDGET:.0f} s. "
                f"{screen.fits(state)}"
            )
        yield from screen.frames(state)
        return
    maker: Callable[[Any], str] | None = getattr(screen, want)
    if maker is None:
        raise ValueError(f"{screen.title} cannot be written as an experiment: it has no sweep.")
    yield {"text": maker(state)}


def _next_message(job: Job) -> tuple[str, bool]:
    """Return the next message of a job and whether it is the last; an exception becomes a refusal."""
    try:
        data = next(job.frames)
        last = bool(data.pop("last", False)) or set(data) == {"text"}
        text = Frame(ticket=job.ticket, number=job.number, last=last, data=data).model_dump_json()
        job.number += 1
    except StopIteration:
        return Frame(ticket=job.ticket, number=job.number, last=True, data={}).model_dump_json(), True
    except (MarkoneError, ValueError) as error:
        return Refused(ticket=job.ticket, sentence=_error_text(error)).model_dump_json(), True
    except MemoryError:
        sentence = "This needs more memory than one worker has. Reduce the settings."
        return Refused(ticket=job.ticket, sentence=sentence).model_dump_json(), True
    except Exception:
        traceback.print_exc(file=sys.stderr)
        sentence = "Internal error; the details are in the terminal that started the laboratory."
        return Refused(ticket=job.ticket, sentence=sentence).model_dump_json(), True
    if len(text) > LARGEST_FRAME:
        sentence = f"The frame has {len(text)} bytes; the limit is {LARGEST_FRAME}. Reduce the settings."
        return Refused(ticket=job.ticket, sentence=sentence).model_dump_json(), True
    return text, last


def _error_text(error: Exception) -> str:
    return json.loads(json.dumps(str(error)))[:600] or type(error).__name__
