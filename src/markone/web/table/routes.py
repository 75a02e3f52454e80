"""The two HTTP routes for what is too large for a message: uploads and results."""

import asyncio
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from markone.web.security import SANDBOXED
from markone.web.table.uploads import LARGEST_UPLOAD, OFFERED, Uploads

TOO_LARGE = f"The file has more than {LARGEST_UPLOAD / 1e6:.0f} MB. `markone fit` accepts larger ones."


def make_table_routes(uploads: Uploads) -> list[Route]:
    async def upload(request: Request) -> Response:
        """Store the body of the request; its headers are ignored."""
        data = bytearray()
        try:
            async for chunk in request.stream():
                data += chunk
                if len(data) > LARGEST_UPLOAD:
                    return PlainTextResponse(TOO_LARGE, 413)
        except ClientDisconnect:
            return PlainTextResponse("The file is incomplete.", 400)
        if not data:
            return PlainTextResponse("The file is empty.", 400)
        key = await asyncio.to_thread(uploads.store_table, bytes(data))
        return JSONResponse({"key": key})

    async def result(request: Request) -> Response:
        key, what = request.path_params["key"], request.path_params["what"]
        path = await asyncio.to_thread(uploads.result_file, key, what)
        if path is None:
            return PlainTextResponse("This result is no longer stored. Fit the table again.", 404)
        name, kind = OFFERED[what]
        saved: Any = {"filename": name} if "save" in request.query_params or what == "model" else {}
        return FileResponse(path, media_type=kind, headers=SANDBOXED, **saved)

    return [Route("/table", upload, methods=["POST"]), Route("/results/{key}/{what}", result)]
