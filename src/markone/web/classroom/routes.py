"""Pages and sockets of a class: students join with a code, the lecturer asks from the laboratory."""

import asyncio
import hmac
import io
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from markone.web.classroom.votes import MOST_STUDENTS, ClassFull, Question, Votes
from markone.web.screens.base import StrictModel

FOLDER = Path(__file__).parent.parent / "static" / "class"
# What a student without the link of the laboratory may open.
PUBLIC = frozenset({"/static/favicon.svg", "/class", "/class/page.js", "/class/page.css", "/class/student"})
# Seconds between two counts to the lecturer, and those that a wrong code costs.
COUNTS_EVERY, WRONG_CODE = 0.05, 1.0
# Open sockets of students: a phone that was put away may still have one.
MOST_PHONES = 2 * MOST_STUDENTS
# Messages not yet sent to a phone; one that is this far behind has gone.
MOST_UNSENT = 20
LONGEST_MESSAGE = 4000


class Join(StrictModel):
    kind: Literal["join"]
    code: str = Field(max_length=20)
    key: str | None = Field(None, max_length=40)


class Vote(StrictModel):
    kind: Literal["vote"]
    number: int = Field(ge=1, le=10_000)
    choice: int = Field(ge=0, le=3)


class Ask(StrictModel):
    kind: Literal["ask"]
    lesson: str = Field(max_length=100)
    text: str = Field(max_length=500)
    options: list[Annotated[str, Field(max_length=200)]] = Field(min_length=2, max_length=4)
    answer: int = Field(ge=0, le=3)
    because: str = Field(max_length=1000)


class Reveal(StrictModel):
    kind: Literal["reveal"]


_join: TypeAdapter[Join] = TypeAdapter(Join)
_vote: TypeAdapter[Vote] = TypeAdapter(Vote)
_lead: TypeAdapter[Ask | Reveal] = TypeAdapter(Annotated[Ask | Reveal, Field(discriminator="kind")])


class Classroom:
    """The sockets of one class. address: where students join, as the lecturer's page shows it."""

    def __init__(self, address: str = "") -> None:
        self.address = address
        self.votes = Votes()
        self.phones: dict[asyncio.Queue[Any], str] = {}
        self.leads: set[asyncio.Event] = set()
        self.connected = 0

    def routes(self) -> list[BaseRoute]:
        files = [
            Route(f"/class{path}", _send_file(FOLDER / name))
            for path, name in (("", "page.html"), ("/page.js", "page.js"), ("/page.css", "page.css"))
        ]
        return [
            *files,
            Route("/class/answers.csv", self._send_csv),
            Route("/class/join.svg", self._send_qr_code),
            WebSocketRoute("/class/student", self.serve_student),
            WebSocketRoute("/class/lead", self.serve_lead),
        ]

    async def _send_csv(self, request: Request) -> Response:
        headers = {"Content-Disposition": 'attachment; filename="answers.csv"'}
        return Response(self.votes.to_csv(), media_type="text/csv", headers=headers)

    async def _send_qr_code(self, request: Request) -> Response:
        """The link with which a phone joins, as a picture of the size of the window."""
        import segno  # only a class needs it

        picture = io.BytesIO()
        code = segno.make(f"{self.address}?code={self.votes.code}", micro=False)
        code.save(picture, kind="svg", omitsize=True, light="white")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def serve_student(self, socket: WebSocket) -> None:
        """One phone, from its code to its last prediction."""
        await socket.accept()
        self.connected += 1
        try:
            key = await self._admit(socket) if self.connected <= MOST_PHONES else None
            if key is not None:
                await self._serve_phone(socket, key)
        finally:
            self.connected -= 1

    async def _serve_phone(self, socket: WebSocket, key: str) -> None:
        outbox: asyncio.Queue[Any] = asyncio.Queue(MOST_UNSENT)
        self.phones[outbox] = key
        outbox.put_nowait({"kind": "joined", "key": key, "name": self.votes.names[self.votes.students[key]]})
        outbox.put_nowait(self._question_for(key))
        writer = asyncio.create_task(_send_all(socket, outbox))
        self._update_leads()
        try:
            while True:
                vote = _vote.validate_json(await _receive_text(socket))
                if self.votes.vote(key, vote.number, vote.choice):
                    self._update_leads()
                outbox.put_nowait(self._question_for(key))
        except (WebSocketDisconnect, ValidationError, ValueError, asyncio.QueueFull):
            pass
        finally:
            writer.cancel()
            del self.phones[outbox]
            self._update_leads()

    async def _admit(self, socket: WebSocket) -> str | None:
        """Return the key of a student who sent the right code."""
        refusal = "This code is not right: look at the lecturer's page."
        try:
            joined = _join.validate_json(await asyncio.wait_for(_receive_text(socket), 30))
            if hmac.compare_digest(joined.code.strip().upper().encode(), self.votes.code.encode()):
                return self.votes.join(joined.key)
        except ClassFull:
            refusal = f"The class is full: it has {len(self.votes.students)} students."
        except (ValidationError, ValueError, TimeoutError):
            pass
        except WebSocketDisconnect:
            return None
        await asyncio.sleep(WRONG_CODE)
        try:
            await socket.send_json({"kind": "refused", "sentence": refusal})
            await socket.close(1008)
        except (RuntimeError, WebSocketDisconnect):
            pass  # the phone has gone meanwhile
        return None

    async def serve_lead(self, socket: WebSocket) -> None:
        """The lecturer's page: asks and reveals, and gets the counts."""
        await socket.accept()
        changed = asyncio.Event()
        changed.set()
        self.leads.add(changed)
        writer = asyncio.create_task(self._send_counts(socket, changed))
        try:
            while True:
                message = _lead.validate_json(await _receive_text(socket))
                if isinstance(message, Ask):
                    self.votes.ask(Question(**message.model_dump(exclude={"kind"})))
                elif self.votes.question is not None:
                    self.votes.question.revealed = True
                for outbox, key in self.phones.items():
                    if not outbox.full():
                        outbox.put_nowait(self._question_for(key))
                self._update_leads()
        except (WebSocketDisconnect, ValidationError, ValueError):
            pass
        finally:
            writer.cancel()
            self.leads.discard(changed)

    def _update_leads(self) -> None:
        for changed in self.leads:
            changed.set()

    async def _send_counts(self, socket: WebSocket, changed: asyncio.Event) -> None:
        while True:
            await changed.wait()
            changed.clear()
            question = self.votes.question
            message = {
                "kind": "counts",
                "joined": len(set(self.phones.values())),
                "lesson": question.lesson if question else None,
                "counts": question.counts if question else [],
                "standings": self.votes.standings(),
            }
            await socket.send_json(message)
            await asyncio.sleep(COUNTS_EVERY)

    def _question_for(self, key: str) -> dict[str, Any]:
        """The open question as a student sees it: the answer is not sent before it is revealed."""
        question = self.votes.question
        if question is None:
            return {"kind": "wait"}
        seen = {"kind": "question", "number": len(self.votes.questions), "text": question.text}
        seen |= {"options": question.options, "chosen": question.votes.get(self.votes.students[key])}
        return seen | ({"answer": question.answer, "because": question.because} if question.revealed else {})


def _send_file(path: Path) -> Any:
    async def send(request: Request) -> Response:
        return FileResponse(path)

    return send


async def _send_all(socket: WebSocket, outbox: asyncio.Queue[Any]) -> None:
    while True:
        await socket.send_json(await outbox.get())


async def _receive_text(socket: WebSocket) -> str:
    text = await socket.receive_text()
    if len(text) > LONGEST_MESSAGE:
        raise ValueError("The message is too long.")
    return text
