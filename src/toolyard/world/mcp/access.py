"""Who may ask a server over HTTP, and which session a request belongs to: checked before the protocol sees it."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from toolyard.core.processes.connections import Connection
from toolyard.world.mcp import Session, Sessions, TooManySessions

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Where a request finds its connection in the state that the server gives it.
CONNECTION = "connection"
SESSION_HEADER, VERSION_HEADER = "mcp-session-id", "mcp-protocol-version"
_DROPPED = "this session has ended and its world is gone; open a new one"
_NAMELESS = "open a session first, or name one: /mcp?session=NAME"
_INVALID, _NO_TOKEN, _NO_SESSION = -32600, -32001, -32022


class Refusal(Exception):
    """A request that is not passed on: its status, and the code and message of the protocol."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


def guard_application(app: ASGIApp, token: str | None, sessions: Sessions) -> ASGIApp:
    """The application, which answers only those who bear the token and whose session is there or can be opened."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        connection: Connection | None = scope.get("state", {}).get(CONNECTION)
        try:
            session = requested_session(headers, scope.get("query_string", b"").decode("latin-1"))
            _check(headers, token, session, sessions)
        except Refusal as refusal:
            await _send_refusal(send, refusal)
            return
        with _Request(connection, scope["method"], session, sessions) as request:
            await app(scope, request.receiving(receive), request.sending(send))

    return answer


def requested_session(headers: Mapping[str, str], query: str) -> Session:
    """Name and chosen seed of a request's session; no name where it has none yet, a refusal of a seed that is none.

    Of the protocol without handshake the address names the session, and another seed makes it another session.
    """
    asked = parse_qs(query, keep_blank_values=True)
    given = asked.get("seed", [None])[0]
    if given is not None and not (given.isascii() and given.isdigit() and len(given) < 10):
        raise Refusal(400, _INVALID, f"seed={given[:20]!a}: wanted is a whole number of at most 9 digits")
    seed = None if given is None else int(given)
    if _has_handshake(headers):
        return headers.get(SESSION_HEADER, "")[:200], seed
    name = asked.get("session", [""])[0][:200]
    return f"{name}?{'' if seed is None else seed}" if name else "", seed


def _has_handshake(headers: Mapping[str, str]) -> bool:
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

    version = headers.get(VERSION_HEADER)
    return version is None or version in HANDSHAKE_PROTOCOL_VERSIONS


def _check(headers: Mapping[str, str], token: str | None, session: Session, sessions: Sessions) -> None:
    """A refusal of whoever does not bear the token, and of a session that is gone or has no room."""
    if token and not _bears_token(headers.get("authorization", ""), token):
        raise Refusal(401, _NO_TOKEN, "this server wants its token: Authorization: Bearer TOKEN")
    name, handshake = session[0], _has_handshake(headers)
    if not name and not handshake:
        raise Refusal(400, _NO_SESSION, _NAMELESS)
    if name and sessions.is_open(name):
        return
    if name and (handshake or sessions.has_ended(name)):
        raise Refusal(404, _INVALID, _DROPPED)
    if not sessions.has_room():
        raise Refusal(503, _INVALID, str(TooManySessions()))


def _bears_token(header: str, token: str) -> bool:
    kind, _, given = header.partition(" ")
    return kind.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())


class _Request:
    """One request on its way: its connection is told when all of it has come, and sessions what became of it."""

    def __init__(
        self, connection: Connection | None, method: str, session: Session, sessions: Sessions
    ) -> None:
        self._connection, self._method, self._session = connection, method, session
        self._sessions, self._is_whole = sessions, False

    def __enter__(self) -> _Request:
        self._sessions.opening += not self._session[0]
        return self

    def __exit__(self, *_: object) -> None:
        self._sessions.opening -= not self._session[0]
        if self._is_whole and self._connection is not None:
            self._connection.end_request()

    def receiving(self, receive: Receive) -> Receive:
        """Reads the request; until its end has come the connection counts as silent."""

        async def read() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body") and not self._is_whole:
                self._is_whole = True
                if self._connection is not None:
                    self._connection.begin_request()
            return message

        return read

    def sending(self, send: Send) -> Send:
        """Sends the answer; one that names a session opens it, one to DELETE ends it."""

        async def write(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                self._note_session({name.lower(): value for name, value in message.get("headers", ())})
            await send(message)

        return write

    def _note_session(self, headers: Mapping[bytes, bytes]) -> None:
        name, seed = self._session
        opened = headers.get(SESSION_HEADER.encode(), b"").decode("latin-1")
        if opened and not name:
            self._sessions.open(opened, seed)
        elif name and self._method == "DELETE":
            self._sessions.end(name)


async def _send_refusal(send: Send, refusal: Refusal) -> None:
    """Answers with a JSON-RPC error; a client that may fall back to the handshake does."""
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

    data = {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": ""}
    more = {"data": data} if refusal.code == _NO_SESSION else {}
    error = {"code": refusal.code, "message": str(refusal), **more}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
