"""Every open connection with a limit on how long it may keep silent, so that slow clients cannot crowd out others."""

from __future__ import annotations

import asyncio
import resource

# A browser sends a request at once; whoever does not within this time is not waited for.
SECONDS_TO_ASK = 10.0
# And whoever takes nothing of its answer for so long is not a reader.
SECONDS_TO_TAKE = 20.0
MOST_CONNECTIONS = 512
# For logs, run files and what Python itself holds open.
FILES_KEPT_FREE = 64


def most_connections() -> int:
    """As many as the limits of this process allow, and never more than enough."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(8, min(MOST_CONNECTIONS, files - FILES_KEPT_FREE))


class Connections:
    """The open connections; a newcomer takes the place of the one that has been silent longest."""

    def __init__(
        self,
        most: int = MOST_CONNECTIONS,
        seconds_to_ask: float = SECONDS_TO_ASK,
        seconds_to_take: float = SECONDS_TO_TAKE,
    ) -> None:
        self.most, self.seconds_to_ask, self.seconds_to_take = most, seconds_to_ask, seconds_to_take
        self._open: dict[asyncio.Transport, Connection] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, transport: asyncio.Transport, connection: Connection) -> bool:
        """Whether there is room."""
        if len(self._open) >= self.most:
            silent = [each for each in self._open.values() if not each.requests]
            if not silent:
                return False
            min(silent, key=lambda each: each.silent_since).cut()
        self._open[transport] = connection
        return True

    def remove(self, transport: asyncio.Transport) -> None:
        """Forgets a connection."""
        self._open.pop(transport, None)

    def connection_of(self, transport: asyncio.BaseTransport | None) -> Connection | None:
        """The connection of a request, None where it is gone already."""
        return self._open.get(transport) if isinstance(transport, asyncio.Transport) else None

    def cut_all(self) -> None:
        """Ends them all at once."""
        for connection in list(self._open.values()):
            connection.cut()


class Connection(asyncio.Protocol):
    """Passes everything on to the HTTP protocol, and looks at the clock."""

    def __init__(self, inner: asyncio.Protocol, connections: Connections) -> None:
        self._inner, self._connections = inner, connections
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._next_look: asyncio.TimerHandle | None = None
        self._admitted = False
        self._full_since: float | None = None
        self.requests = 0
        self.silent_since = self._loop.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admitted, or cut at once where everybody else is being answered."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if not self._connections.add(transport, self):
            transport.abort()
            return
        self._admitted = True
        self._inner.connection_made(transport)
        self._check_silence_later(self._connections.seconds_to_ask)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgotten."""
        if self._next_look is not None:
            self._next_look.cancel()
        if self._transport is not None:
            self._connections.remove(self._transport)
        if self._admitted:
            self._inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Passed on."""
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Whether to go on writing, as the HTTP protocol says."""
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        """The client has not taken what was written."""
        self._full_since = self._loop.time()
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """The client has taken it."""
        self._full_since, self.silent_since = None, self._loop.time()
        self._inner.resume_writing()

    def begin_request(self) -> None:
        """A whole request has come: its handler has its own limits."""
        self.requests += 1

    def end_request(self) -> None:
        """The next request is waited for."""
        self.requests -= 1
        self.silent_since = self._loop.time()

    def cut(self) -> None:
        """Ends it without waiting for what was not taken."""
        if self._transport is not None:
            self._connections.remove(self._transport)
            self._transport.abort()

    def _check_silence_later(self, seconds: float) -> None:
        self._next_look = self._loop.call_later(max(seconds, 0.05), self._check_silence)

    def _check_silence(self) -> None:
        left = self._seconds_left()
        if left <= 0:
            self.cut()
        else:
            self._check_silence_later(min(left, self._connections.seconds_to_ask))

    def _seconds_left(self) -> float:
        """How long it may go on like this."""
        now, limits = self._loop.time(), self._connections
        if self._full_since is not None:
            return self._full_since + limits.seconds_to_take - now
        if self.requests:
            return limits.seconds_to_ask
        unsent = self._transport is not None and self._transport.get_write_buffer_size()
        return self.silent_since + (limits.seconds_to_take if unsent else limits.seconds_to_ask) - now
