"""Thirty pages at once: frames a second that each of them gets, and what the server costs meanwhile.

python -m benchmarks.laboratory [--sessions 30] [--seconds 10]
"""

import argparse
import asyncio
import json
import os
import socket
import threading
import time

import websockets

from markone.web.app import configured, make_app
from markone.web.security import Access

WORK = {"screen": "online", "state": {"repeats": 400, "N": 1000, "alpha": 100.0}}


async def page(port: int, seconds: float, counts: list[int], mine: int) -> None:
    """Ask for frame after frame, as a page that draws them at once; start again when a job has ended."""
    address = f"ws://127.0.0.1:{port}/socket"
    async with websockets.connect(address, origin=f"http://127.0.0.1:{port}", max_size=None) as link:
        ticket, end = 0, time.monotonic() + seconds
        await link.send(json.dumps({"kind": "start", "ticket": ticket, "work": WORK}))
        while time.monotonic() < end:
            message = json.loads(await asyncio.wait_for(link.recv(), 60))
            if message["kind"] != "frame":
                continue
            counts[mine] += 1
            if message["last"]:
                ticket += 1
                await link.send(json.dumps({"kind": "start", "ticket": ticket, "work": WORK}))
            else:
                await link.send(json.dumps({"kind": "more", "ticket": ticket}))


async def crowd(port: int, sessions: int, seconds: float) -> list[int]:
    counts = [0] * sessions
    await asyncio.gather(*(page(port, seconds, counts, k) for k in range(sessions)))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=10.0)
    asked = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = configured(make_app(Access.local(port)), "127.0.0.1", port)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.1)
    asyncio.run(crowd(port, 1, 5.0))  # the compiled code is loaded
    began, used = time.monotonic(), sum(os.times()[:2])
    counts = asyncio.run(crowd(port, asked.sessions, asked.seconds))
    passed = time.monotonic() - began
    rates = sorted(count / passed for count in counts)
    print(f"{asked.sessions} sessions: {rates[0]:.1f} to {rates[-1]:.1f} frames a second each,")
    print(
        f"{sum(counts) / passed:.0f} in all; routing took {100 * (sum(os.times()[:2]) - used) / passed:.0f} %"
    )
    print("of a core (pages included), on", os.cpu_count(), "cores.")
    server.should_exit = True
    thread.join(10)


if __name__ == "__main__":
    main()
