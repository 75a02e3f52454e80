"""Every message of a page is handled or refused with a reason, and the session continues."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest
import websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from markone.web import budget, sessions, worker_pool
from markone.web.protocol import FromServer, Refused, Start, read_message
from markone.web.screens import all_screens
from markone.web.worker import Job, Worker

SCREENS = [screen.name for screen in all_screens()]
KINDS = ["start", "more", "stop", "here", "frame", "", "START"]
numbers = st.one_of(st.integers(), st.floats(), st.just(10**12), st.just(2.5), st.just(-1))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
fields = sorted({name for screen in all_screens() for name in screen.state.model_fields})
states = st.dictionaries(st.sampled_from([*fields, "other"]), values, max_size=5)
works = st.one_of(
    values,
    st.fixed_dictionaries(
        {"screen": st.sampled_from([*SCREENS, "nowhere"]), "state": st.one_of(states, values)}
    ),
)
messages = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS)},
    optional={"ticket": st.one_of(st.integers(0, 3), values), "want": values, "work": works, "more": values},
)


def as_text(message):
    return json.dumps(message)  # NaN and Infinity included, as a tampered page might


@given(st.one_of(messages, values))
@settings(max_examples=150)
def test_any_json_is_read_or_refused_with_a_sentence(message):
    answer = read_message(as_text(message))
    if isinstance(answer, Refused):
        assert answer.sentence.endswith(".")
        assert len(answer.sentence) <= 400


@given(st.one_of(st.text(), st.binary()))
def test_any_text_is_read_or_refused(text):
    assert isinstance(read_message(text), Refused) or json.loads(text)["kind"] in KINDS


@pytest.mark.parametrize("screen", SCREENS)
def test_the_defaults_of_every_screen_are_a_message(screen):
    message = {"kind": "start", "ticket": 1, "work": {"screen": screen, "state": {}}}
    assert isinstance(read_message(json.dumps(message)), Start)


@pytest.mark.parametrize(
    ("state", "part"),
    [
        ({"P": 2.5}, "P = 2.5"),
        ({"P": 10**12}, "P = 1000000000000"),
        ({"P": "40"}, "P = '40'"),
        ({"P": None}, "P"),
        ({"P": True}, "P = True"),
        ({"eta": float("nan")}, "eta"),
        ({"eta": float("inf")}, "eta"),
        ({"students": []}, "students"),
        ({"students": ["hebb"] * 4}, "students"),
        ({"students": ["../../etc"]}, "students"),
        ({"points": [[0, 0, 2]]}, "points"),
        ({"points": [[0, 0, 1]] * 501}, "points"),
        ({"points": [[1e9, 0, 1]]}, "points"),
        ({"nobody": 1}, "nobody"),
    ],
)
def test_wrong_values_are_named(state, part):
    message = {"kind": "start", "ticket": 7, "work": {"screen": "plane", "state": state}}
    answer = read_message(as_text(message))
    assert isinstance(answer, Refused)
    assert part in answer.sentence


def test_a_refusal_has_the_ticket_of_its_request():
    text = json.dumps({"kind": "start", "ticket": 7, "extra": 1, "work": {"screen": "plane", "state": {}}})
    assert read_message(text).ticket == 7
    assert read_message('{"kind": "start", "ticket": 7, "work": 1}').ticket == 7
    assert read_message('{"kind": "start", "ticket": true}').ticket is None


def test_a_message_of_brackets_alone_is_refused():
    assert isinstance(read_message("[" * 60_000), Refused)
    assert isinstance(read_message('{"a":' * 10_000), Refused)


def test_a_session_survives_many_wrong_messages(laboratory):
    """Every kind of message, out of order, invalid and huge: the last request is still answered."""
    found = []

    @given(st.lists(messages, min_size=1, max_size=30))
    @settings(max_examples=15, suppress_health_check=list(HealthCheck), database=None)
    def draw(batch):
        found.append(batch)

    draw()

    async def send_batches(page):
        for batch in found:
            for message in batch:
                await page.say(as_text(message))
            await page.say(b"\x00\xff bytes")
            await page.say("{")
        for ticket in range(4):
            await page.say({"kind": "stop", "ticket": ticket})
        return await page.frames("plane", {"students": ["hebb"]}, ticket=99)

    assert laboratory.run(send_batches)[0]["points"]


def test_every_answer_is_a_message_of_the_protocol(laboratory):
    from pydantic import TypeAdapter

    async def listen(page):
        await page.say({"kind": "nonsense"})
        await page.say({"kind": "more", "ticket": 5})
        await page.say({"kind": "start", "ticket": 1, "work": {"screen": "plane", "state": {"P": 8}}})
        return [await page.socket.recv() for _ in range(4)]

    for text in laboratory.run(listen):
        TypeAdapter(FromServer).validate_json(text)


def test_too_many_requests_of_one_page_are_refused(laboratory):
    async def ask(page):
        for ticket in range(5):
            await page.say(
                {"kind": "start", "ticket": ticket, "work": {"screen": "teacher", "state": {"repeats": 400}}}
            )
        return await page.hear("refused")

    assert "stop one first" in laboratory.run(ask)["sentence"]


@pytest.mark.skipif(not budget.HAS_TIMERS, reason="this system has no timers")
def test_a_step_is_limited_by_processor_time():
    """Computing ends the process; waiting, as on a busy machine, does not."""
    code = """
import time
from markone.web.budget import limit_step

limit_step(0.2)
time.sleep(0.6)
limit_step(0.0)
print("waited", flush=True)
limit_step(0.2)
while True:
    pass
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "waited\n"
    assert done.returncode == -signal.SIGPROF


def test_a_client_that_does_not_read_is_disconnected(laboratory, monkeypatch):
    """Unread messages are kept in memory by the server, so their number is limited."""
    monkeypatch.setattr(sessions, "MOST_UNREAD", -1)

    async def ask(page):
        await page.say("nonsense")
        await page.hear("frame")

    with pytest.raises(websockets.exceptions.ConnectionClosedError) as closed:
        laboratory.run(ask)
    assert closed.value.rcvd.code == 1008
    laboratory.wait_for(lambda: not laboratory.sessions.open)


def test_frames_are_sent_on_request_only(laboratory):
    async def ask(page):
        await page.say({"kind": "start", "ticket": 1, "work": {"screen": "teacher", "state": {}}})
        await page.hear("frame")
        try:
            await asyncio.wait_for(page.hear("frame"), 0.5)
        except TimeoutError:
            return True

    assert laboratory.run(ask)


def test_too_many_requests_for_frames_are_refused(laboratory):
    async def ask(page):
        await page.say({"kind": "start", "ticket": 1, "work": {"screen": "teacher", "state": {}}})
        for _ in range(60):
            await page.say({"kind": "more", "ticket": 1})
        return await page.hear("refused")

    assert "wait for them" in laboratory.run(ask)["sentence"]


def test_work_that_would_take_too_long_is_refused_with_what_would_fit(laboratory):
    state = {
        "N": 500,
        "alpha": 10.0,
        "points": 20,
        "repeats": 400,
        "students": ["minover_optimal", "rosenblatt"],
        "sweeps": 250,
    }
    with pytest.raises(AssertionError, match="would fit"):
        laboratory.frames("teacher", state)


def test_a_session_that_leaves_frees_its_worker(laboratory):
    async def leave(page):
        await page.say(
            {"kind": "start", "ticket": 1, "work": {"screen": "teacher", "state": {"repeats": 400}}}
        )
        await page.hear("frame")

    laboratory.run(leave)
    laboratory.wait_for(lambda: not laboratory.sessions.open)
    assert all(not worker.jobs and not worker.sessions for worker in laboratory.sessions.pool.processes)


def test_a_dead_worker_is_replaced_and_its_sessions_notified(laboratory):
    async def kill(page):
        await page.frames("plane", {"students": ["hebb"], "P": 8}, ticket=1)
        await page.say({"kind": "start", "ticket": 2, "work": {"screen": "teacher", "state": {}}})
        await page.hear("frame")
        laboratory.sessions.pool.processes[0].process.kill()
        sentence = (await page.hear("refused"))["sentence"]
        return sentence, await page.frames("plane", {"students": ["hebb"], "P": 8}, ticket=3)

    sentence, frames = laboratory.run(kill)
    assert "has been replaced" in sentence
    assert frames


def test_a_large_worker_is_replaced_and_finishes_its_jobs(laboratory, monkeypatch):
    """Also before its warm-up is complete, which a busy worker never gets to."""
    pool = laboratory.sessions.pool
    large = pool.processes[0]

    def retire():
        large.warm = (0, 48)
        pool._retire_large_worker(large)
        assert large in pool.processes  # it is small
        with monkeypatch.context() as patch:
            patch.setattr(worker_pool, "LARGEST_WORKER", 1.0)
            large.started = time.monotonic()
            pool._retire_large_worker(large)
            assert large in pool.processes  # it has just been started
            large.started -= worker_pool.YOUNGEST
            pool._retire_large_worker(large)

    async def grow(page):
        await page.say({"kind": "start", "ticket": 1, "work": {"screen": "teacher", "state": {}}})
        await page.hear("frame")
        pool.loop.call_soon_threadsafe(retire)
        while large in pool.processes:
            await asyncio.sleep(0.05)
        await page.say({"kind": "more", "ticket": 1})
        frames = [await page.hear("frame")]
        await page.say({"kind": "stop", "ticket": 1})
        return frames, await page.frames("plane", {"students": ["hebb"], "P": 8}, ticket=2)

    assert all(laboratory.run(grow))
    laboratory.wait_for(lambda: not large.process.is_alive() and not pool.retiring)
    assert large.process.exitcode == 0


@pytest.mark.slow
def test_a_new_worker_warms_up(new_laboratory, capfd):
    """Without an error, which would be printed by the worker."""
    with new_laboratory(workers=1, warm=True) as running:
        running.wait_for(lambda: running.sessions.pool.processes[0].warm[1] > 20)
        running.wait_for(lambda: len(set(running.sessions.pool.processes[0].warm)) == 1)
    assert "Traceback" not in capfd.readouterr().err


class _Pipe:
    """Records what a worker sends, with the time."""

    def __init__(self):
        self.sent = []

    def poll(self, seconds):
        time.sleep(min(seconds or 0.0, 0.01))
        return False

    def send(self, item):
        self.sent.append((time.monotonic(), item))


def test_a_long_frame_does_not_delay_other_sessions():
    """One frame computes until the other session has got twenty; it holds Python's lock all the time."""
    pipe, done = _Pipe(), threading.Event()
    worker = Worker(pipe, SimpleNamespace(value=0.0), warm=False)

    def long_frames():
        while not done.is_set():
            pass
        yield {"last": True}

    worker.jobs[1, 1] = Job(1, long_frames())
    worker.jobs[2, 1] = Job(1, iter([{"k": k} for k in range(20)]), wanted=20)
    while len(pipe.sent) < 20:
        worker.handle_messages()
        worker.step()
    assert {item[1] for _, item in pipe.sent} == {(2, 1)}
    assert worker.step_began.value > 0  # the pool watches the long frame
    done.set()
    while worker.steps:
        worker.step()
    assert pipe.sent[-1][1][1] == (1, 1)
    assert worker.step_began.value == 0.0


def test_a_stopped_frame_is_not_sent_to_the_request_that_follows():
    pipe, done = _Pipe(), threading.Event()
    worker = Worker(pipe, SimpleNamespace(value=0.0), warm=False)
    worker.jobs[1, 1] = Job(1, (done.wait() and {"first": True} for _ in range(1)))
    worker.step()
    worker.handle_message("stop", (1, 1))
    worker.jobs[1, 1] = Job(1, iter([{"second": True}]))
    done.set()
    while not pipe.sent:
        worker.handle_messages()
        worker.step()
    assert "second" in pipe.sent[0][1][2]


def test_a_replaced_worker_does_not_go_on_warming_up():
    worker = Worker(_Pipe(), SimpleNamespace(value=0.0), warm=True)
    assert worker.cold
    worker.handle_message("retire", None)
    worker.step()
    assert not worker.cold
    assert not worker.connection.sent


def test_sessions_take_turns_whatever_the_number_of_their_jobs():
    pipe = _Pipe()
    worker = Worker(pipe, SimpleNamespace(value=0.0), warm=False)
    for session, ticket in [(1, 1), (1, 2), (1, 3), (2, 1)]:
        worker.jobs[session, ticket] = Job(ticket, iter([{"k": k} for k in range(4)]), wanted=3)
    for _ in range(6):
        worker.step()
    assert [item[1][0] for _, item in pipe.sent] == [1, 2, 1, 2, 1, 2]
