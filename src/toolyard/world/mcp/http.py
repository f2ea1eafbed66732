"""The library over streamable HTTP: names and origins that are answered, limits on connections, and a quick end."""

import importlib
import ipaddress
import logging
import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from toolyard.core.errors import MissingExtra
from toolyard.core.processes.connections import Connection, Connections, most_connections
from toolyard.world import isolation
from toolyard.world.kernel.executor import Faults
from toolyard.world.kernel.registry import select
from toolyard.world.mcp import IDLE_SECONDS, INSTRUCTIONS, MAX_SESSIONS, NAME, VERSION, Answers, Session
from toolyard.world.mcp.access import CONNECTION, guard_application, requested_session

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.requests import Request

STOPPED, INTERRUPTED = 0, 130
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
# What a server may take to end its calls and connections before it ends without them.
_SHUTDOWN_SECONDS = 3.0


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return all(ipaddress.ip_address(str(address).partition("%")[0]).is_loopback for address in found)


def choose_token(host: str, wanted: str | None) -> str | None:
    """The token that requests must bear: the wanted one, a fresh one beyond loopback, none on loopback."""
    return wanted or (None if is_loopback(host) else secrets.token_urlsafe(24))


def require_mcp() -> None:
    """Stops with the install line where the packages for serving over HTTP are missing."""
    try:
        for name in ("mcp_types", "mcp.server", "uvicorn"):
            importlib.import_module(name)
    except ImportError as error:
        raise MissingExtra("serving tools over HTTP needs mcp: pip install 'toolyard[mcp]'") from error


def make_server(answers: Answers) -> "Server":
    """A low-level MCP server over these answers, with a fresh world for each session."""
    require_mcp()
    import mcp_types as wire
    from mcp.server import Server
    from mcp.server import ServerRequestContext as Context

    async def on_list(_: object, asked: wire.PaginatedRequestParams | None) -> wire.ListToolsResult:
        return wire.ListToolsResult.model_validate(answers.tools(asked.cursor if asked else None))

    async def on_call(context: Context, asked: wire.CallToolRequestParams) -> wire.CallToolResult:
        said = await answers.call(_request_session(context.request), asked.name, asked.arguments or {})
        return wire.CallToolResult.model_validate(said)

    async def on_resources(_: object, __: object) -> wire.ListResourcesResult:
        return wire.ListResourcesResult.model_validate(answers.resources())

    async def on_read(context: Context, asked: wire.ReadResourceRequestParams) -> wire.ReadResourceResult:
        said = await answers.read(_request_session(context.request), str(asked.uri))
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


def _request_session(request: "Request | None") -> Session:
    """The session of an HTTP request; one session without name where there is no request."""
    return ("", None) if request is None else requested_session(request.headers, request.url.query)


def serve_http(
    part: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8123,
    seed: int = 0,
    faults: Faults | None = None,
    token: str | None = None,
    control: bool = False,
    origins: Sequence[str] = (),
    connections: Connections | None = None,
) -> int:
    """Serve streamable HTTP at http://host:port/mcp until a signal ends it: 0 after SIGTERM, 130 after Ctrl-C.

    `?seed=7` chooses a session's seed; pages of `origins` may ask besides those of this very server.
    """
    answers = Answers(select(part), seed=seed, faults=faults, control=control)
    app = make_server(answers).streamable_http_app(
        json_response=True,
        max_sessions=MAX_SESSIONS,
        session_idle_timeout=IDLE_SECONDS,
        transport_security=_transport_security(host, port, origins),
    )
    import uvicorn

    # What goes wrong with a session is said to its client.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    settings = uvicorn.Config(
        guard_application(app, token, answers.sessions), host=host, port=port, log_level=logging.CRITICAL + 1, ws="none",
        http=_protocol(Connections(most_connections()) if connections is None else connections), timeout_graceful_shutdown=0,  # type: ignore[arg-type]
    )  # fmt: skip
    return _run_until_stopped(uvicorn.Server(settings))


def _protocol(connections: Connections) -> Callable[..., Connection]:
    """Makes the protocol of each connection: HTTP, with limits on how long a client may keep silent."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    def protocol(*, app_state: dict[str, Any], **given: Any) -> Connection:
        state = dict(app_state)
        state[CONNECTION] = connection = Connection(H11Protocol(app_state=state, **given), connections)
        return connection

    return protocol


def _run_until_stopped(server: Any) -> int:
    """Serves until a signal: calls and streams that do not end in time are left behind."""
    code = STOPPED

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal code
        code = INTERRUPTED if number == signal.SIGINT else STOPPED
        last = threading.Timer(_SHUTDOWN_SECONDS, os._exit, [code])
        last.daemon = True
        last.start()
        isolation.stop_workers()
        server.should_exit = True

    server.handle_exit = stop
    if threading.current_thread() is threading.main_thread():
        # A signal may come before the server has handlers of its own.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
    server.run()
    return code


def _transport_security(host: str, port: int, origins: Sequence[str]) -> "TransportSecuritySettings":
    """Which names of this server requests may use, and which pages may send them.

    Names are those it was told to serve, and loopback's; pages those of this server, by its own port, and `origins`.
    """
    from mcp.server.transport_security import TransportSecuritySettings

    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        everywhere = False
    if everywhere:  # any name may lead here; the token says who may ask
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = dict.fromkeys((f"[{host}]" if ":" in host else host, *_LOOPBACK))
    own = [f"http://{name}:{port}" for name in names]
    return TransportSecuritySettings(
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[*own, *origins],
    )
