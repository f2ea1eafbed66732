"""A server of tools over HTTP in a process of its own, and raw requests to it."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from served_pages import Answer, ask

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
KINDS = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
SCRIPT = """
import sys
from toolyard.core.processes.connections import Connections
from toolyard.world import mcp
from toolyard.world.mcp.http import serve_http
mcp.MAX_SESSIONS, mcp.IDLE_SECONDS = {sessions}, {idle}
sys.exit(serve_http("Calculator", port={port}, origins={origins}, connections=Connections({most}, {seconds}, {seconds})))
"""


@dataclass(frozen=True)
class Served:
    """A running server."""

    port: int
    process: subprocess.Popen[str]

    def ask(self, body: Any, method: str = "POST", path: str = "/mcp", **headers: str) -> Answer:
        """One request on a connection of its own; `mcp_session_id` stands for mcp-session-id."""
        return ask(self.port, path, method, body, **{**KINDS, **headers})

    def session(self) -> dict[str, str]:
        """The headers of a session that was opened now."""
        name = self.ask(INITIALIZE).headers["mcp-session-id"]
        headers = {"mcp_session_id": name, "mcp_protocol_version": HELLO["protocolVersion"]}
        self.ask({"jsonrpc": "2.0", "method": "notifications/initialized"}, **headers)
        return headers

    def call(self, tool: str, arguments: Any, path: str = "/mcp", **headers: str) -> Answer:
        """One call of a tool."""
        params = {"name": tool, "arguments": arguments}
        return self.ask(
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}, path=path, **headers
        )


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def served_tools(
    *,
    sessions: int = 1000,
    idle: float = 1800,
    most: int = 100,
    seconds: float = 60,
    origins: tuple[str, ...] = (),
) -> Iterator[Served]:
    """A server with these limits, which answers."""
    port = free_port()
    script = SCRIPT.format(
        port=port, sessions=sessions, idle=idle, most=most, seconds=seconds, origins=origins
    )
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True) as process:
        try:
            while process.poll() is None:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield Served(port, process)
        finally:
            process.kill()
