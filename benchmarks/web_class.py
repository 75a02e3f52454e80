"""A class of 300 phones: from a prediction to the lecturer's histogram.

python -m benchmarks.web_class [--phones 300]

Goal on two cores: 300 ms from the first of all predictions, sent at once, to a histogram with all of
them. The server is a process of its own; the phones share one.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import time
from typing import Any

import websockets

from markone.web.app import configure_server, make_app
from markone.web.classroom.routes import Classroom
from markone.web.security import Access

GOAL = 0.3
ROUNDS = 5
ASKED = {"kind": "ask", "lesson": "roc", "text": "?", "options": ["1", "2"], "answer": 1, "because": "."}


def _serve(port: int, code: Any) -> None:
    classroom = Classroom()
    code.put(classroom.votes.code)
    configure_server(make_app(Access.for_local(port), None, classroom, workers=1), "127.0.0.1", port).run()


async def _hear(link: Any, kind: str) -> Any:
    while (message := json.loads(await link.recv()))["kind"] != kind:
        pass
    return message


async def measure_class(port: int, code: str, phones: int) -> list[float]:
    """Seconds of each round from the first prediction sent to the histogram that has all of them."""

    def connect(name: str) -> Any:
        address = f"ws://127.0.0.1:{port}/class/{name}"
        return websockets.connect(
            address, origin=websockets.Origin(f"http://127.0.0.1:{port}"), open_timeout=60
        )

    lead, *students = [await connect(name) for name in ["lead", *["student"] * phones]]
    for link in students:
        await link.send(json.dumps({"kind": "join", "code": code}))
        await _hear(link, "wait")
    taken = []
    for number in range(1, ROUNDS + 1):
        await lead.send(json.dumps(ASKED))
        for link in students:
            while (await _hear(link, "question"))["number"] != number:
                pass
        began = time.monotonic()
        votes = [{"kind": "vote", "number": number, "choice": k % 2} for k in range(phones)]
        await asyncio.gather(*(link.send(json.dumps(v)) for link, v in zip(students, votes, strict=True)))
        while sum((await _hear(lead, "counts"))["counts"]) < phones:
            pass
        taken.append(time.monotonic() - began)
    return taken


def _wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("The server did not start.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--phones", type=int, default=300)
    phones = parser.parse_args().phones
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    context = multiprocessing.get_context("spawn")
    code = context.Queue()
    server = context.Process(target=_serve, args=(port, code))
    server.start()
    try:
        known = code.get(timeout=60)
        _wait_for(port)
        taken = asyncio.run(measure_class(port, known, phones))
    finally:
        server.terminate()
    shown = ", ".join(f"{1000 * one:.0f}" for one in taken)
    met = "met" if max(taken) < GOAL else "missed"
    print(f"{phones} phones: {shown} ms (goal {1000 * GOAL:.0f}: {met}); load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
