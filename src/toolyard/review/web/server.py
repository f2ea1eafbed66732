"""The pages served until somebody stops them: one application, its limits, and its end."""

import asyncio
import logging
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from toolyard.core.processes.connections import Connection, Connections, most_connections
from toolyard.review.web.addresses import BACKLOG, Listening
from toolyard.review.web.guard import Guard, add_headers, track_requests

STOPPED, INTERRUPTED, HUNG_UP = 0, 130, 129
LARGEST_BODY = 4_000_000
# How long the rest of a request is read after it was refused, so that the client sees the answer.
SECONDS_TO_LINGER = 1.0
# Decisions are on disk before they are answered; nothing that runs at the end is worth waiting for.
SECONDS_TO_END = 0.2


@dataclass(frozen=True, slots=True)
class Site:
    """What is served: its routes, and how it is closed to others."""

    routes: Sequence[web.RouteDef]
    # Whether it is closed to other people on this machine, too.
    token_everywhere: bool
    cookie_sent: Literal["Lax", "Strict"]


def is_worth_saying(record: logging.LogRecord) -> bool:
    """Whether a line belongs in the terminal: not what a client sent wrongly, nor that it went away."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError | ConnectionError)


LOGGER = logging.getLogger("toolyard.pages")
LOGGER.addFilter(is_worth_saying)


class PageServer:
    """Serves a site to clients that may see it; a token keeps others out where the address is reachable."""

    def __init__(
        self, site: Site, listening: Listening, token: str = "", connections: Connections | None = None
    ) -> None:
        needed = site.token_everywhere or not listening.only_here
        self.guard = Guard(
            listening, (token or secrets.token_urlsafe(24)) if needed else "", site.cookie_sent
        )
        self.connections = Connections(most_connections()) if connections is None else connections
        self._site, self._ready = site, threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: asyncio.Future[int] | None = None

    @property
    def port(self) -> int:
        """The port that it really has."""
        return self.guard.listening.port

    @property
    def url(self) -> str:
        """What to open in a browser."""
        return self.guard.url

    def __enter__(self) -> "PageServer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.guard.listening.close()

    def serve(self, when_ready: Callable[[], None] = lambda: None) -> int:
        """Serves until it is stopped: 0 after SIGTERM or `stop`, 130 after Ctrl-C, 129 when its terminal is closed.

        `when_ready` is called when requests are answered and signals are obeyed.
        """
        return asyncio.run(self._serve(when_ready))

    def stop(self) -> None:
        """Ends `serve`, which another thread runs."""
        self._ready.wait()
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._finish, STOPPED)

    def _finish(self, code: int) -> None:
        if self._end is not None and not self._end.done():
            self._end.set_result(code)

    async def _serve(self, when_ready: Callable[[], None]) -> int:
        self._loop = asyncio.get_running_loop()
        self._end = self._loop.create_future()
        self._obey_signals(self._loop)
        runner = web.AppRunner(
            self._application(), access_log=None, logger=LOGGER, keepalive_timeout=self.connections.seconds_to_ask,
            lingering_time=SECONDS_TO_LINGER, auto_decompress=False, shutdown_timeout=SECONDS_TO_END,
        )  # fmt: skip
        await runner.setup()
        servers = [await self._accept(runner, each) for each in self.guard.listening.sockets]
        try:
            self._ready.set()
            when_ready()
            return await self._end
        finally:
            for server in servers:
                server.close()
            self.connections.cut_all()
            await runner.cleanup()

    def _obey_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        if threading.current_thread() is threading.main_thread():
            loop.add_signal_handler(signal.SIGTERM, self._finish, STOPPED)
            loop.add_signal_handler(signal.SIGINT, self._finish, INTERRUPTED)
            # `nohup` has it ignored.
            if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
                loop.add_signal_handler(signal.SIGHUP, self._finish, HUNG_UP)

    def _application(self) -> web.Application:
        layers = [track_requests(self.connections), self.guard.middleware()]
        application = web.Application(middlewares=layers, client_max_size=LARGEST_BODY)
        application.on_response_prepare.append(add_headers)
        application.add_routes(self._site.routes)
        return application

    async def _accept(self, runner: web.AppRunner, sock: socket.socket) -> asyncio.Server:
        protocol = runner.server
        assert protocol is not None
        return await asyncio.get_running_loop().create_server(
            lambda: Connection(protocol(), self.connections), sock=sock, backlog=BACKLOG
        )
