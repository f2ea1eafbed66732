"""The library over streamable HTTP: who may ask, which session a request belongs to, and a quick end."""

from __future__ import annotations

import hmac
import ipaddress
import json
import secrets
import signal
import socket
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from types import FrameType
from typing import Any
from urllib.parse import parse_qs

from toolyard.core.errors import MissingExtra
from toolyard.world import isolation
from toolyard.world.executor import Faults
from toolyard.world.mcp import INSTRUCTIONS, NAME, VERSION, Answers, Session
from toolyard.world.registry import Tool, select

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
# What a server may take to end its connections before the kernel ends it.
_SHUTDOWN_SECONDS = 3.0


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return all(ipaddress.ip_address(str(address).partition("%")[0]).is_loopback for address in found)


def token_for(host: str, wanted: str | None) -> str | None:
    """The token that requests must bear: the wanted one, a fresh one beyond loopback, none on loopback."""
    return wanted or (None if is_loopback(host) else secrets.token_urlsafe(24))


def build_server(
    tools: Sequence[Tool], *, seed: int = 0, faults: Faults | None = None, control: bool = False
) -> Any:
    """A low-level MCP server over these tools, with a fresh world for each session; `control` adds reset_world."""
    try:
        import mcp_types as wire
        from mcp.server import Server
    except ImportError as error:
        raise MissingExtra("serving tools over HTTP needs mcp: pip install 'toolyard[mcp]'") from error
    answers = Answers(tools, seed=seed, faults=faults, control=control)

    async def on_list(_: Any, asked: Any) -> Any:
        return wire.ListToolsResult.model_validate(answers.tools(asked.cursor if asked else None))

    async def on_call(context: Any, asked: Any) -> Any:
        said = await answers.call(session_of(context.request), asked.name, asked.arguments or {})
        return wire.CallToolResult.model_validate(said)

    async def on_resources(_: Any, __: Any) -> Any:
        return wire.ListResourcesResult.model_validate(answers.resources())

    async def on_read(context: Any, asked: Any) -> Any:
        said = await answers.read(session_of(context.request), str(asked.uri))
        return wire.ReadResourceResult.model_validate(said)

    return Server(
        NAME,
        version=VERSION,
        instructions=INSTRUCTIONS,
        on_list_tools=on_list,
        on_call_tool=on_call,
        on_list_resources=on_resources,
        on_read_resource=on_read,
    )


def session_of(request: Any) -> Session:
    """Name and chosen seed of an HTTP request's session; one session without name where there is no request."""
    if request is None:
        return "", None
    query = request.query_params
    name = request.headers.get("mcp-session-id") or query.get("session", "")
    seed = query.get("seed", "")
    return name[:200], int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 10 else None


def serve_http(
    part: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8123,
    seed: int = 0,
    faults: Faults | None = None,
    token: str | None = None,
    control: bool = False,
) -> None:
    """Serve streamable HTTP at http://host:port/mcp until a signal ends it; `?seed=7` chooses a session's seed."""
    server = build_server(select(part), seed=seed, faults=faults, control=control)
    import uvicorn

    class Server(uvicorn.Server):
        """One that ends at once, whatever its calls are doing."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, _SHUTDOWN_SECONDS)
            isolation.stop_workers()
            super().handle_exit(sig, frame)

    app = server.streamable_http_app(json_response=True, transport_security=_security(host))
    settings = uvicorn.Config(
        _guarded(app, token), host=host, port=port, log_level="critical", timeout_graceful_shutdown=0
    )
    Server(settings).run()


def _security(host: str) -> Any:
    """Which names of this server requests may use: those it was told to serve, and loopback's."""
    from mcp.server.transport_security import TransportSecuritySettings

    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        everywhere = False
    if everywhere:  # any name may lead here; the token says who may ask
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = dict.fromkeys((f"[{host}]" if ":" in host else host, *_LOOPBACK))
    hosts = [form for name in names for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{form}" for form in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def _guarded(app: Application, token: str | None) -> Application:
    """The application, which answers only those who bear the token and whose requests belong to a session."""

    async def answer(scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            if token and not _bears(headers.get("authorization", ""), token):
                await _refuse(send, 401, -32001, "this server wants its token: Authorization: Bearer TOKEN")
                return
            if _without_session(scope, headers.get("mcp-protocol-version")):
                await _refuse(send, 400, -32022, "open a session first, or name one: /mcp?session=NAME")
                return
        await app(scope, receive, send)

    return answer


def _bears(header: str, token: str) -> bool:
    kind, _, given = header.partition(" ")
    return kind.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())


def _without_session(scope: Scope, version: str | None) -> bool:
    """Whether a request is of the protocol without handshake and does not say which world it means."""
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

    named = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("session")
    return version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS and not named


async def _refuse(send: Any, status: int, code: int, message: str) -> None:
    """Answers with a JSON-RPC error; a client that may fall back to the handshake does."""
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

    data = {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": ""}
    error = {"code": code, "message": message, **({"data": data} if code == -32022 else {})}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
