"""The laboratory under load: frames per second of one page and of thirty, and the cost of an idle page.

python -m benchmarks.web_load [--sessions 30] [--seconds 10]
python -m benchmarks.web_load --sessions 36 --hostile 4 --seconds 600
python -m benchmarks.web_load --soak --sessions 4 --seconds 3600

Goals: each of 30 pages on two cores gets 8 frames a second; one page with a plane of 200 points 20; a page
whose plane runs from frames it already has costs the server nothing. Beside 4 hostile pages each of 36 keeps
8 frames a second, and no answer takes longer than 2 s. In an hour of all screens with random settings, about
one frame a second on each page, a worker stays below 600 MB and grows by less than 5 % after its first third.
"""

import argparse
import asyncio
import json
import math
import os
import platform
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import websockets
from drills.drafts import write_draft

from markone.web.app import configure_server, make_app
from markone.web.screens import all_screens
from markone.web.security import Access

SWEEP = {"screen": "online", "state": {"repeats": 400, "N": 1000, "alpha": 100.0}}
OPENED: dict[str, Any] = {"screen": "online", "state": {}}
# Curved: a surface is computed for each frame, the costliest picture of the plane.
PLANE = {"screen": "plane", "state": {"preset": "noisy", "P": 200, "students": ["kernel_adatron"]}}
LINES = {"screen": "plane", "state": {"preset": "noisy", "P": 200, "students": ["rosenblatt"]}}
# Frames a second.
GOAL_OF_MANY, GOAL_OF_ONE = 8.0, 20.0
# Seconds of the slowest answer to a page beside hostile ones.
GOAL_OF_ANSWERS = 2.0


async def measure_page(port: int, seconds: float, work: dict[str, Any]) -> tuple[float, float]:
    """Return frames per second, and seconds of the slowest answer, of a page that requests frames at once and
    restarts ended jobs."""
    address = f"ws://127.0.0.1:{port}/socket"
    async with websockets.connect(address, origin=f"http://127.0.0.1:{port}", max_size=None) as link:
        frames, ticket, began = 0, 0, time.monotonic()
        asked, slowest = began, 0.0
        await link.send(json.dumps({"kind": "start", "ticket": ticket, "work": work}))
        while time.monotonic() < began + seconds:
            message = json.loads(await asyncio.wait_for(link.recv(), 60))
            if message["kind"] == "refused":
                raise RuntimeError(message["sentence"])
            if message["kind"] != "frame":
                continue
            frames += 1
            slowest, asked = max(slowest, time.monotonic() - asked), time.monotonic()
            if message["last"]:
                ticket += 1
                await link.send(json.dumps({"kind": "start", "ticket": ticket, "work": work}))
            else:
                await link.send(json.dumps({"kind": "more", "ticket": ticket}))
        return frames / (time.monotonic() - began), slowest


async def disturb_laboratory(port: int, seconds: float) -> tuple[float, float]:
    """A hostile page: costly drafts and sweeps, several at once, stopped and started again, and noise."""
    address, chosen, ticket = f"ws://127.0.0.1:{port}/socket", random.Random(port), 0
    async with websockets.connect(address, origin=f"http://127.0.0.1:{port}", max_size=None) as link:
        reading = asyncio.create_task(_discard_answers(link))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            ticket += 1
            draft = {"screen": "runs", "state": {"draft": write_draft(chosen)[:9000]}}
            work = chosen.choice([draft, draft, SWEEP, PLANE | {"state": PLANE["state"] | {"seed": ticket}}])
            await link.send(json.dumps({"kind": "start", "ticket": ticket, "work": work}))
            await link.send(json.dumps({"kind": "more", "ticket": ticket}))
            await link.send(chosen.choice(["[" * 60_000, "{}", json.dumps({"kind": "more", "ticket": 0})]))
            await asyncio.sleep(chosen.choice([0.0, 0.05, 0.5]))
            await link.send(json.dumps({"kind": "stop", "ticket": ticket - chosen.randrange(4)}))
        reading.cancel()
    return math.nan, math.nan


async def _discard_answers(link: Any) -> None:
    async for _ in link:
        pass


async def measure_pages(
    port: int, sessions: int, seconds: float, work: dict[str, Any], hostile: int = 0
) -> list[tuple[float, float]]:
    """Return the frames per second and the slowest answer of each page, the slowest page first."""
    disturbing = [disturb_laboratory(port, seconds) for _ in range(hostile)]
    pages = [measure_page(port, seconds, work) for _ in range(sessions)]
    return sorted((await asyncio.gather(*pages, *disturbing))[:sessions])


async def measure_idle_page(port: int, seconds: float, processes: list[int]) -> float:
    """Return the share of a core that the workers use for a page that requests no frames."""
    address = f"ws://127.0.0.1:{port}/socket"
    async with websockets.connect(address, origin=f"http://127.0.0.1:{port}", max_size=None) as link:
        await link.send(json.dumps({"kind": "start", "ticket": 0, "work": LINES}))
        while json.loads(await link.recv())["kind"] != "frame":
            pass
        before = sum(map(cpu_seconds, processes))
        await asyncio.sleep(seconds)
        return (sum(map(cpu_seconds, processes)) - before) / seconds


def cpu_seconds(process: int) -> float:
    """Return CPU seconds of a process from /proc."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_megabytes(process: int) -> float:
    """Return the resident memory of a process from /proc."""
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def visit_screens(port: int, seconds: float, seed: int) -> int:
    """Open screens with random settings and look at some frames of each; return the number of frames."""
    address, chosen, frames = f"ws://127.0.0.1:{port}/socket", random.Random(seed), 0
    end, ticket = time.monotonic() + seconds, 0
    async with websockets.connect(address, origin=f"http://127.0.0.1:{port}", max_size=None) as link:
        while time.monotonic() < end:
            ticket += 1
            work = draw_work(chosen)
            await link.send(json.dumps({"kind": "start", "ticket": ticket, "work": work}))
            for _ in range(chosen.choice([1, 3, 10])):
                while (message := json.loads(await link.recv())).get("ticket") != ticket:
                    pass
                frames += message["kind"] == "frame"
                await asyncio.sleep(1.0)
                if message["kind"] == "refused" or message.get("last"):
                    break
                await link.send(json.dumps({"kind": "more", "ticket": ticket}))
            await link.send(json.dumps({"kind": "stop", "ticket": ticket}))
    return frames


def draw_work(chosen: random.Random) -> dict[str, Any]:
    """A screen with random values for half of its settings, numbers from the lower tenth of their range."""
    screen = chosen.choice(all_screens())
    state = {}
    for name, field in screen.state.model_json_schema()["properties"].items():
        low, high = field.get("minimum"), field.get("maximum")
        if chosen.random() < 0.5 or ((choices := field.get("enum")) is None and low is None):
            continue
        if choices:
            state[name] = chosen.choice(choices)
        elif high is not None:
            drawn = chosen.uniform(low, low + (high - low) * chosen.choice([0.1, 0.1, 1.0]))
            state[name] = round(drawn) if field["type"] == "integer" else drawn
    return {"screen": screen.name, "state": state}


async def soak_laboratory(port: int, pool: Any, options: argparse.Namespace) -> None:
    """Print the largest memory of the workers in each minute, also of replaced ones, and how it grew."""
    tasks = [asyncio.create_task(visit_screens(port, options.seconds, k)) for k in range(options.sessions)]
    began, minutes, last, replaced = time.monotonic(), [[0.0] * pool.n], 0.0, set()
    while not all(task.done() for task in tasks):
        await asyncio.wait(tasks, timeout=2.0)
        replaced |= {worker.process.pid for worker in pool.retiring}
        now = [[one.read_memory() / 1e6 for one in some] for some in (pool.processes, pool.retiring)]
        minutes[-1], last = [*map(max, minutes[-1], now[0])], max([last, *now[1]])
        if time.monotonic() > began + 60 * len(minutes):
            shown = ", ".join(f"{one:.0f} MB" for one in minutes[-1])
            print(
                f"{len(minutes):3} min: {shown}; {len(replaced)} replaced, load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
            minutes.append([0.0] * pool.n)
    complete = minutes[:-1] or minutes
    third = max(1, len(complete) // 3)
    means = [
        [sum(column) for column in zip(*some, strict=True)] for some in (complete[:third], complete[-third:])
    ]
    most = [max(column) for column in zip(*minutes, strict=True)]
    grown = [100 * (after / before - 1) for before, after in zip(*means, strict=True)]
    frames = sum(task.result() for task in tasks)
    print(f"{frames} frames; at most {', '.join(f'{one:.0f} MB' for one in most)} (goal below 600)")
    print(f"{len(replaced)} workers were replaced; while they finished their jobs they had {last:.0f} MB")
    print(f"last third against first: {', '.join(f'{one:+.1f} %' for one in grown)} (goal below 5 %)")


@contextmanager
def run_laboratory(cold: bool = False) -> Iterator[tuple[int, Any]]:
    """Yield the port and the pool of the workers, unless `cold` once the compiled code is loaded."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = make_app(Access.for_local(port))
    server = configure_server(app, "127.0.0.1", port)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    pool = app.state.sessions.pool
    while not server.started or (not cold and any(w.warm[0] < max(1, w.warm[1]) for w in pool.processes)):
        time.sleep(0.1)
    yield port, pool
    server.should_exit = True
    thread.join(10)


def report_pages(
    port: int, processes: list[int], options: argparse.Namespace, name: str, work: dict[str, Any]
) -> None:
    """Print frames per second of each page, and the processor time of a frame."""
    workers, here, began = sum(map(cpu_seconds, processes)), time.process_time(), time.monotonic()
    found = asyncio.run(measure_pages(port, options.sessions, options.seconds, work, options.hostile))
    rates, slowest = [rate for rate, _ in found], max(seconds for _, seconds in found)
    took = time.monotonic() - began
    frames = sum(rates) * took
    computed = 1000 * (sum(map(cpu_seconds, processes)) - workers) / frames
    served = 1000 * (time.process_time() - here) / frames
    share = (computed + served) * frames / 1000 / took / min(2, os.cpu_count() or 1)
    print(
        f"{options.sessions} pages with {name}: {rates[0]:.1f} to {rates[-1]:.1f} frames/s each, "
        f"{sum(rates):.0f} in all ({format_goal(rates[0], GOAL_OF_MANY)}); a frame costs "
        f"{computed:.1f} ms in "
        f"the workers and {served:.1f} ms in server and pages; {100 * share:.0f} % of two cores were used; "
        f"slowest answer {slowest:.2f} s (goal {GOAL_OF_ANSWERS:g} beside hostile pages: "
        f"{'met' if slowest <= GOAL_OF_ANSWERS else 'missed'})"
    )


def format_goal(found: float, goal: float) -> str:
    return f"goal {goal:.0f}: {'met' if found >= goal else 'missed'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--hostile", type=int, default=0, help="only a crowd, with so many hostile pages")
    parser.add_argument("--soak", action="store_true", help="only random screens: memory of the workers")
    parser.add_argument("--cold", action="store_true", help="do not wait until compiled code is loaded")
    options = parser.parse_args()
    with run_laboratory(options.cold) as (port, pool):
        processes = [worker.process.pid for worker in pool.processes]
        print(f"{date.today()}, {os.cpu_count()} cores, {platform.machine()}")
        print(f"load of the machine before: {os.getloadavg()[0]:.1f}", flush=True)
        if options.soak:
            asyncio.run(soak_laboratory(port, pool, options))
            return
        if options.hostile:
            report_pages(port, processes, options, "the default sweep", OPENED)
            print(f"memory of the workers: {', '.join(f'{read_megabytes(one):.0f} MB' for one in processes)}")
            return
        for name, work in (("the largest sweep", SWEEP), ("the default sweep", OPENED)):
            report_pages(port, processes, options, name, work)
        for student, work in (("a curved boundary", PLANE), ("a line", LINES)):
            ((one, _),) = asyncio.run(measure_pages(port, 1, options.seconds, work))
            rate = f"{one:.1f} frames/s ({format_goal(one, GOAL_OF_ONE)})"
            print(f"one page, plane with P = 200 and {student}: {rate}")
        idle = asyncio.run(measure_idle_page(port, options.seconds, processes))
        print(
            f"a page that requests no frames: {100 * idle:.1f} % of a core in the workers (goal below 10 %)"
        )


if __name__ == "__main__":
    main()
