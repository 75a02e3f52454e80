"""Access control: allowed hosts, origins and the token; security headers of every response."""

import secrets
import socket
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse

COOKIE = "markone_lab"
# Addresses that mean "all interfaces of this machine".
EVERYWHERE = ("0.0.0.0", "::")
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
# A report contains text from an uploaded table: no scripts, no requests, an origin of its own.
SANDBOXED = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
# A redirect after a link from another site would not send a strict cookie; a page that reloads does.
ENTERED = "<!doctype html><meta http-equiv=refresh content='0;url=/'><title>markone</title>Welcome."
CLOSED = "Access denied. Open the link with ?token=... that `markone lab` has printed where it was started."


@dataclass(frozen=True)
class Access:
    """Hosts and origins that are served; with a `token` only to those who have its link."""

    hosts: frozenset[str]
    origins: frozenset[str]
    token: str | None = None
    secure: bool = False
    # Its name has the port, which a browser ignores: two laboratories of a machine need two cookies.
    cookie: str = COOKIE
    # Paths that need no token: those by which students join a class, who need its code.
    public: frozenset[str] = frozenset()

    @classmethod
    def for_local(cls, port: int) -> "Access":
        hosts = [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
        hosts += [host.rpartition(":")[0] for host in hosts] if port == 80 else []
        return cls(frozenset(hosts), frozenset(f"http://{host}" for host in hosts))

    @classmethod
    def for_token(cls, host: str, port: int, names: list[str], token: str) -> "Access":
        """Access with a token at `host`, and by https behind a reverse proxy with `names`."""
        local = cls.for_local(port)
        reached = {f"{format_host(one)}:{port}" for one in find_addresses(host)}
        hosts = local.hosts | reached | set(names)
        origins = local.origins | {f"http://{one}" for one in reached} | {f"https://{name}" for name in names}
        return cls(hosts, origins, token, bool(names), f"{COOKIE}_{port}")


def format_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def find_addresses(host: str) -> list[str]:
    """Return the addresses at which a browser reaches a server that listens on `host` (0.0.0.0 is none)."""
    if host not in EVERYWHERE:
        return [host]
    name = socket.gethostname()
    family = socket.AF_INET if host == EVERYWHERE[0] else socket.AF_UNSPEC
    try:
        found = [str(entry[4][0]) for entry in socket.getaddrinfo(name, None, family, socket.SOCK_STREAM)]
    except OSError:
        found = []
    found += _outgoing_address()
    known = dict.fromkeys(one.partition("%")[0] for one in found if not one.startswith(("127.", "::1")))
    return [*known, name]


def _outgoing_address() -> list[str]:
    """Return the outgoing address of this machine. Connecting a UDP socket sends no packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return [str(probe.getsockname()[0])]
        except OSError:
            return []


def new_token() -> str:
    return secrets.token_urlsafe(32)


class Guard:
    """Middleware that checks Host, Origin and token, and adds the security headers to every response."""

    def __init__(self, app: Any, access: Access) -> None:
        self.app, self.access = app, access
        # The cookie differs from the token: a stolen cookie cannot be used as a link.
        self.cookie = secrets.token_urlsafe(32)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._check_request(scope)
        if scope["type"] == "websocket":
            if refusal is None:
                await self.app(scope, receive, send)
            else:  # closed before it is accepted: the browser gets 403
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        await (refusal or self._token_response(scope) or self.app)(scope, receive, _add_headers(send))

    def _check_request(self, scope: Any) -> Any:
        headers = Headers(scope=scope)
        if headers.get("host") not in self.access.hosts:
            return PlainTextResponse("The laboratory is not served at this address.", 400)
        origin = headers.get("origin")
        if origin is None and (scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")):
            return PlainTextResponse("A socket or an upload needs an Origin header.", 403)
        if origin is not None and origin not in self.access.origins:
            return PlainTextResponse("Requests from other sites are refused.", 403)
        if scope["path"] in self.access.public:
            return None
        if self.access.token is None or self._has_cookie(headers) or self._token_response(scope):
            return None
        return PlainTextResponse(CLOSED, 401)

    def _has_cookie(self, headers: Headers) -> bool:
        cookie = SimpleCookie(headers.get("cookie", "")).get(self.access.cookie)
        return cookie is not None and secrets.compare_digest(cookie.value.encode(), self.cookie.encode())

    def _token_response(self, scope: Any) -> Any:
        """Return the page that sets the cookie if the link has the right token, else None."""
        if self.access.token is None or scope["type"] != "http" or scope["path"] != "/enter":
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not secrets.compare_digest(given.encode(), self.access.token.encode()):
            return None
        response = HTMLResponse(ENTERED)
        response.set_cookie(
            self.access.cookie, self.cookie, httponly=True, samesite="strict", secure=self.access.secure
        )
        return response


def _add_headers(send: Any) -> Any:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return sending
