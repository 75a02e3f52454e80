"""HTTP routes: the page, its catalogue, and the socket that carries all requests to compute."""

import contextlib
import json
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from markone.web.catalogue import build_catalogue
from markone.web.classroom.routes import Classroom
from markone.web.protocol import LARGEST_MESSAGE
from markone.web.security import Access, Guard
from markone.web.sessions import Sessions
from markone.web.table.routes import make_table_routes
from markone.web.table.uploads import Uploads, make_upload_folder
from markone.web.time_limits import TimedRequests

STATIC = Path(__file__).parent / "static"


@cache
def _catalogue_json(lessons: Path | None, shown: tuple[str, str] | None) -> bytes:
    known = build_catalogue(lessons) | {"class": shown}
    return json.dumps(known, separators=(",", ":"), ensure_ascii=False).encode()


async def _send_page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


def make_app(
    access: Access, lessons: Path | None = None, classroom: Classroom | None = None, **limits: Any
) -> Starlette:
    """The laboratory as an ASGI application. limits: workers, most (sessions), idle (seconds)."""
    folder = make_upload_folder()
    sessions = Sessions(folder.name, **limits)

    async def socket(websocket: WebSocket) -> None:
        await sessions.serve_page(websocket)

    async def send_catalogue(request: Request) -> Response:
        shown = (classroom.address, classroom.votes.code) if classroom else None
        return Response(_catalogue_json(lessons, shown), media_type="application/json")

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await sessions.pool.start()
        yield
        await sessions.pool.close()
        folder.cleanup()

    app = Starlette(
        routes=[
            Route("/", _send_page),
            Route("/catalogue.json", send_catalogue),
            WebSocketRoute("/socket", socket),
            *make_table_routes(Uploads(Path(folder.name))),
            *(classroom.routes() if classroom else []),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        # The guard is outermost: it checks a request before any other code reads it.
        middleware=[Middleware(Guard, access=access), Middleware(GZipMiddleware, minimum_size=1000)],
        lifespan=lifespan,
    )
    app.state.sessions = sessions
    return app


def configure_server(app: Starlette, host: str, port: int) -> uvicorn.Server:
    """A uvicorn server with limits of time and size, without headers that identify it."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        http=TimedRequests,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        timeout_graceful_shutdown=2,
        server_header=False,
        date_header=False,
    )
    return uvicorn.Server(config)
