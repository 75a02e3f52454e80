"""Open sessions: at most MOST_SESSIONS, each with its jobs. Idle ones are closed; the link restores them."""

import asyncio
import itertools
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from markone import __version__
from markone.web.protocol import Ended, Here, More, Ready, Refused, Start, Stop, Welcome, read_message
from markone.web.worker_pool import Key, WorkerPool

MOST_SESSIONS = 40
IDLE_SECONDS = 900.0
# Jobs of one session at the same time: a screen needs one, a copied text or a detail another.
MOST_JOBS = 4
# Frames requested and not yet delivered.
MOST_AHEAD = 4
# Unread messages of a session. A client this far behind is not reading; disconnect it.
MOST_UNREAD = 200
FULL = "All {} sessions are in use. Try again later: your link keeps everything."
RESTED = (
    "The session was idle for {:.0f} minutes and was closed. The link keeps everything: reload to continue."
)


class Session:
    """One open page."""

    def __init__(self, number: int, websocket: WebSocket) -> None:
        self.number, self.websocket = number, websocket
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue()
        # Frames still to be delivered, by ticket.
        self.jobs: dict[int, int] = {}

    def say(self, message: Any) -> None:
        self.outbox.put_nowait(message.model_dump_json())

    async def write(self) -> None:
        while (text := await self.outbox.get()) is not None:
            await self.websocket.send_text(text)


class Sessions:
    def __init__(
        self, folder: str, workers: int | None = None, most: int = MOST_SESSIONS, idle: float = IDLE_SECONDS
    ) -> None:
        """folder: where the workers find uploaded tables."""
        self.most, self.idle = most, idle
        self.open: dict[int, Session] = {}
        self.numbers = itertools.count(1)
        self.pool = WorkerPool(self._deliver_frame, self._send_progress, folder, workers)

    async def serve_page(self, websocket: WebSocket) -> None:
        """Serve one page from its first message to its last."""
        await websocket.accept()
        if len(self.open) >= self.most:
            await websocket.send_text(Ended(sentence=FULL.format(self.most)).model_dump_json())
            await websocket.close(1013)
            return
        session = Session(next(self.numbers), websocket)
        self.open[session.number] = session
        session.say(Welcome(version=__version__))
        session.say(self._warm_up_progress())
        writer = asyncio.create_task(session.write())
        try:
            await self._read_messages(session)
        finally:
            del self.open[session.number]
            self.pool.remove_session(session.number)
            writer.cancel()

    async def _read_messages(self, session: Session) -> None:
        while True:
            try:
                text = await asyncio.wait_for(_receive_message(session.websocket), self.idle)
            except TimeoutError:
                ended = Ended(sentence=RESTED.format(self.idle / 60))
                await session.websocket.send_text(ended.model_dump_json())
                await session.websocket.close(1000)
                return
            except WebSocketDisconnect:
                return
            if session.outbox.qsize() > MOST_UNREAD:
                await session.websocket.close(1008)
                return
            self.handle_message(session, read_message(text))

    def handle_message(self, session: Session, message: Any) -> None:
        """Handle one validated message of a page."""
        if isinstance(message, Refused):
            session.say(message)
        elif isinstance(message, Start):
            self._start(session, message)
        elif isinstance(message, More):
            self._request_frame(session, message.ticket)
        elif isinstance(message, Stop) and session.jobs.pop(message.ticket, None) is not None:
            self.pool.stop((session.number, message.ticket))
        assert isinstance(message, Refused | Start | More | Stop | Here)

    def _start(self, session: Session, message: Start) -> None:
        if message.ticket in session.jobs:
            sentence = f"Ticket {message.ticket} is in use: give each request its own number."
        elif len(session.jobs) >= MOST_JOBS:
            sentence = f"This page already runs {MOST_JOBS} computations: stop one first."
        else:
            session.jobs[message.ticket] = 1
            work = message.work
            key = (session.number, message.ticket)
            self.pool.start_job(key, work.screen, message.want, work.state.model_dump_json())
            return
        session.say(Refused(ticket=message.ticket, sentence=sentence))

    def _request_frame(self, session: Session, ticket: int) -> None:
        pending = session.jobs.get(ticket)
        # The job may have ended meanwhile: not an error of the page.
        if pending is None:
            return
        if pending >= MOST_AHEAD:
            sentence = f"Request {ticket} has {pending} frames pending: wait for them before requesting more."
            session.say(Refused(ticket=None, sentence=sentence))
            return
        session.jobs[ticket] = pending + 1
        self.pool.request_frame((session.number, ticket))

    def _deliver_frame(self, key: Key, text: str, last: bool) -> None:
        session = self.open.get(key[0])
        if session is None or key[1] not in session.jobs:
            return
        if last:
            del session.jobs[key[1]]
        else:
            session.jobs[key[1]] -= 1
        session.outbox.put_nowait(text)

    def _warm_up_progress(self) -> Ready:
        done, of = self.pool.warm_up_progress()
        return Ready(done=done, of=of)

    def _send_progress(self) -> None:
        for session in self.open.values():
            session.say(self._warm_up_progress())


async def _receive_message(websocket: WebSocket) -> str | bytes:
    """Return the next message: text, or bytes, which are refused like any invalid message."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    return text if text is not None else bytes(message.get("bytes") or b"")
