"""Time limits of HTTP requests: connections that send half a request are closed."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedRequests(H11Protocol):
    """Closes a connection without the headers of a request in time, or with an exchange that takes too long.

    Both limits hold for the whole, so that single bytes sent now and then do not extend them. A connection
    between two requests is closed by uvicorn's limit of 5 s.
    """

    header_seconds = 10.0
    # Headers, body and answer: a table of 5 MB at 340 kbit/s.
    exchange_seconds = 120.0
    _timer: asyncio.TimerHandle | None = None
    _exchange = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._set_timer(self.header_seconds)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._begin_exchange()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_timer()  # from here on the limits of sessions.py hold
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        # A body that is still being sent remains under the limit of its exchange.
        if self.conn.their_state is not h11.SEND_BODY:
            self._exchange = False
            self._set_timer(self.header_seconds)
        super().on_response_complete()
        self._begin_exchange()  # of a request that was sent before the last one was answered

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _begin_exchange(self) -> None:
        if not self._exchange and self.conn.their_state is not h11.IDLE and self._timer is not None:
            self._exchange = True
            self._set_timer(self.exchange_seconds)

    def _set_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
