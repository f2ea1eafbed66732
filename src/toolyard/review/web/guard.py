"""Access control: host names that are served, the page's own origin, and holders of the token.

A request must name what is served (no DNS rebinding); another site may link here but not load or send
anything; where there is a token, it is handed over once in the printed address and then kept in a cookie.
"""

import hmac
from dataclasses import dataclass
from typing import Literal

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from toolyard.core.processes.connections import Connections
from toolyard.review.web.addresses import Listening

POLICY = "Content-Security-Policy"
NOTHING = "default-src 'none'; frame-ancestors 'none'; sandbox"
HEADERS = {
    POLICY: NOTHING,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-DNS-Prefetch-Control": "off",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
CLOSED = "This page is closed to you. Open the address that the command printed.\n"
SAFE_METHODS = ("GET", "HEAD")


@dataclass(frozen=True, slots=True)
class Guard:
    """What a request is checked against; without a token, every client that reaches the address is allowed."""

    listening: Listening
    token: str
    # Lax where a page without an origin of its own links back; Strict where something can be changed.
    cookie_sent: Literal["Lax", "Strict"] = "Strict"

    @property
    def cookie(self) -> str:
        """The cookie's name; browsers share cookies among ports, so the port is part of it."""
        return f"toolyard_{self.listening.port}"

    @property
    def url(self) -> str:
        """What to open in a browser, with the token where there is one."""
        return self.listening.url + (f"?token={self.token}" if self.token else "")

    def middleware(self) -> Middleware:
        """Refuses what may not ask, takes the token, passes on the rest."""

        @web.middleware
        async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
            hosts = request.headers.getall("Host", [])
            if len(hosts) != 1 or not self.listening.answers_to(hosts[0]):
                raise web.HTTPForbidden(text=f"Ask for {self.listening.url}\n")
            if is_cross_site(request):
                raise web.HTTPForbidden(text="Refused: another site asks for this.\n")
            if self.token and not self._holds_token(request):
                return self._hand_over(request)
            return await handler(request)

        return guarded

    def _holds_token(self, request: web.Request) -> bool:
        return self._is_token(request.cookies.get(self.cookie, ""))

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode("utf-8", "replace"), self.token.encode())

    def _hand_over(self, request: web.Request) -> web.StreamResponse:
        if request.path != "/" or not self._is_token(request.query.get("token", "")):
            raise web.HTTPForbidden(text=CLOSED)
        response = web.Response(status=303, headers={"Location": "/"})
        response.set_cookie(self.cookie, self.token, httponly=True, samesite=self.cookie_sent)
        return response


def is_cross_site(request: web.Request) -> bool:
    """Whether another site sends this; a link that a person follows is not refused."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "same-origin")
    if origin is not None and origin != f"http://{request.host}":
        return True
    if request.method not in SAFE_METHODS:
        return origin is None or site != "same-origin"
    return site in ("cross-site", "same-site") and request.headers.get("Sec-Fetch-Dest") != "document"


def track_requests(connections: Connections) -> Middleware:
    """Tells the connection that a request is being answered, so that it is not taken for a silent one."""

    @web.middleware
    async def counted(request: web.Request, handler: Handler) -> web.StreamResponse:
        connection = connections.connection_of(request.transport)
        if connection is None:
            return await handler(request)
        connection.begin_request()
        try:
            return await handler(request)
        finally:
            connection.end_request()

    return counted


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """Every answer forbids all that it does not itself allow."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers["Server"] = "toolyard"
