"""All messages between page and server: one strict union each way; anything else is refused."""

from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError, create_model

from markone.web.screens import all_screens
from markone.web.screens.base import Screen, StrictModel

LARGEST_MESSAGE = 65_536
LARGEST_FRAME = 2_000_000


Ticket = Annotated[int, Field(ge=0, le=2**31 - 1)]


class Work(StrictModel):
    """What to compute: the screen and its whole state."""

    screen: str
    state: Any


def _make_work_model(screen: Screen) -> type[Work]:
    fields: Any = {"screen": (Literal[screen.name], ...), "state": (screen.state, ...)}
    return create_model(f"Work_{screen.name}", __base__=Work, **fields)


AnyWork: Any = Annotated[reduce(or_, map(_make_work_model, all_screens())), Field(discriminator="screen")]


class Start(StrictModel):
    """Start a computation: the first frame follows at once, each further one after a `more`."""

    kind: Literal["start"]
    ticket: Ticket
    want: Literal["frames", "python", "toml"] = "frames"
    work: AnyWork


class More(StrictModel):
    """Request the next frame. A hidden page requests none, so nothing is computed for it."""

    kind: Literal["more"]
    ticket: Ticket


class Stop(StrictModel):
    """End a computation: no further frames are needed."""

    kind: Literal["stop"]
    ticket: Ticket


class Here(StrictModel):
    """Sign of life: the session is not idle."""

    kind: Literal["here"]


FromPage: Any = Annotated[Start | More | Stop | Here, Field(discriminator="kind")]


class Welcome(StrictModel):
    kind: Literal["welcome"] = "welcome"
    version: str


class Ready(StrictModel):
    """Progress of the warm-up of the compiled code."""

    kind: Literal["ready"] = "ready"
    done: int
    of: int


class Frame(StrictModel):
    kind: Literal["frame"] = "frame"
    ticket: Ticket
    number: int
    last: bool
    data: dict[str, Any]


class Refused(StrictModel):
    """A message for the user, and the fields it refers to."""

    kind: Literal["refused"] = "refused"
    ticket: Ticket | None
    sentence: str
    where: list[str] = Field(default_factory=list)


class Ended(StrictModel):
    kind: Literal["ended"] = "ended"
    sentence: str


FromServer: Any = Annotated[Welcome | Ready | Frame | Refused | Ended, Field(discriminator="kind")]

_from_page: TypeAdapter[Any] = TypeAdapter(FromPage)


def read_message(text: str | bytes) -> Start | More | Stop | Here | Refused:
    """Return the validated message, or the refusal to send back."""
    try:
        message: Start | More | Stop | Here = _from_page.validate_json(text)
        return message
    except ValidationError as error:
        return _make_refusal(error, text)


class _Ticketed(StrictModel, extra="ignore"):
    """The ticket of an invalid request."""

    ticket: Ticket


# Parts of a location that name branches of the union, not fields of a screen.
_BRANCHES = {"start", "more", "stop", "here", "work", "state", *(s.name for s in all_screens())}


def _make_refusal(error: ValidationError, text: str | bytes) -> Refused:
    first = error.errors(include_url=False, include_context=False)[0]
    where = [str(part) for part in first["loc"] if part not in _BRANCHES]
    given = _format_value(first.get("input"))
    place = " ".join(where) or "The message"
    sentence = f"{place}{given} was refused: {first['msg'][:1].lower()}{first['msg'][1:]}."
    try:
        ticket = _Ticketed.model_validate_json(text).ticket
    except ValidationError:
        ticket = None
    return Refused(ticket=ticket, sentence=sentence[:400], where=where[:4])


def _format_value(value: Any) -> str:
    if isinstance(value, dict | list) or value is None:
        return ""
    text = repr(value)
    return f" = {text[:60]}{'…' if len(text) > 60 else ''}"
