"""The worker process: computes its jobs in turn, one frame at a time, each within its budget.

A job is advanced only when its page has requested the next frame: thirty sessions share a worker fairly,
and a hidden page costs nothing. A frame that takes longer than LATE goes on in its thread, at a lower
priority, beside the frames of the other sessions: no request delays those of others for long.
"""

import json
import os
import sys
import traceback
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from markone.errors import MarkoneError
from markone.web.budget import CPU_BUDGET, LONGEST_STEP, PACE, Step, limit_memory, limit_step
from markone.web.protocol import LARGEST_FRAME, Frame, Refused
from markone.web.screens import all_screens, find_screen
from markone.web.table import uploads

WARM_FRAMES = 3
# Seconds without a request before a step of the warm-up is run while jobs are open.
QUIET = 0.5
# Seconds that other jobs wait for a frame; pause between two looks at a late one.
LATE, LOOK = 0.25, 0.02


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
        # Frames in preparation, the oldest first.
        self.steps: list[Step] = []

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
        if self.next_key() is not None:
            return 0
        if self.steps:
            return LOOK
        if self.cold:
            return QUIET if self.jobs else 0
        return None

    def next_key(self) -> tuple[int, int] | None:
        """The next waiting job. A session with a late frame waits for it."""
        late = {step.key[0] for step in self.steps if step.key}
        return next((key for key, job in self.jobs.items() if job.wanted and key[0] not in late), None)

    def handle_message(self, what: str, key: Any, *rest: Any) -> None:
        if what == "warm":
            self.cold = _list_warm_up_states()
            self.to_warm = len(self.cold)
        elif what == "retire":  # it has been replaced: only its jobs remain
            self.cold = []
        elif what == "start":
            self.start(key, *rest)
        elif what == "more" and key in self.jobs:
            self.jobs[key].wanted += 1
        elif what == "stop":
            self.jobs.pop(key, None)

    def start(self, key: tuple[int, int], screen: str, want: str, state: str) -> None:
        """Add a job. The state is JSON that the server has validated; it is validated again here."""
        self.jobs[key] = Job(key[1], _requested_frames(screen, want, state))

    def step(self) -> None:
        """Compute one frame of the next waiting job; without one, a step of the warm-up."""
        key = self.next_key()
        if key is not None:
            self.advance_job(key)
        elif self.cold and not self.steps:
            self.run_step(Step(None, None, self.warm_up_next))
        self.send_finished()

    def advance_job(self, key: tuple[int, int]) -> None:
        job = self.jobs[key]
        # Sessions in turn, not jobs: who has four jobs gets no more than who has one.
        for other in [other for other in self.jobs if other[0] == key[0] and other != key] + [key]:
            self.jobs.move_to_end(other)
        job.wanted -= 1
        PACE.jobs = len(self.jobs)
        self.run_step(Step(key, job, lambda: next_message(job)))

    def run_step(self, step: Step) -> None:
        """Wait for a step, but not for long."""
        self.steps.append(step)
        self.limit_steps()
        step.start()
        step.join(LATE)
        if step.is_alive():
            step.lower_priority()

    def limit_steps(self) -> None:
        """Limit the oldest step: by processor time, and by the time that the pool watches."""
        oldest = self.steps[0] if self.steps else None
        self.step_began.value = oldest.began if oldest else 0.0
        limit_step(max(LONGEST_STEP - oldest.cpu_seconds(), 0.01) if oldest else 0.0)

    def send_finished(self) -> None:
        for step in [step for step in self.steps if not step.is_alive()]:
            self.steps.remove(step)
            if step.key is None:
                self.connection.send(("warm", self.to_warm - len(self.cold), self.to_warm))
            elif (job := self.jobs.get(step.key)) and job is step.job:  # else it was stopped meanwhile
                self.send_frame(step.key, job, step)
        self.limit_steps()

    def send_frame(self, key: tuple[int, int], job: Job, step: Step) -> None:
        assert step.result is not None
        text, last = step.result
        job.used += step.used
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


def _list_warm_up_states() -> list[tuple[Any, dict[str, Any]]]:
    """Return the states computed by a warm-up: the small states of every screen."""
    return [(screen, warm) for screen in all_screens() for warm in screen.warm]


def _requested_frames(name: str, want: str, text: str) -> Iterator[dict[str, Any]]:
    screen = find_screen(name)
    state = screen.state.model_validate_json(text)
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


def next_message(job: Job) -> tuple[str, bool]:
    """Return the next message of a job and whether it is the last; an exception becomes a refusal."""
    try:
        data = next(job.frames, {"last": True})
        last = bool(data.pop("last", False)) or set(data) == {"text"}
        text = Frame(ticket=job.ticket, number=job.number, last=last, data=data).model_dump_json()
        job.number += 1
        if len(text) <= LARGEST_FRAME:
            return text, last
        sentence = f"The frame has {len(text)} bytes; the limit is {LARGEST_FRAME}. Reduce the settings."
    except (MarkoneError, ValueError) as error:
        sentence = _error_text(error)
    except MemoryError:
        sentence = "This needs more memory than one worker has. Reduce the settings."
    except Exception:
        traceback.print_exc(file=sys.stderr)
        sentence = "Internal error; the details are in the terminal that started the laboratory."
    return Refused(ticket=job.ticket, sentence=sentence).model_dump_json(), True


def _error_text(error: Exception) -> str:
    return json.loads(json.dumps(str(error)))[:600] or type(error).__name__
