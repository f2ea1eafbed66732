"""The pages of `toolyard review`: one desk that handles one request at a time."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import orjson
from aiohttp import web
from aiohttp.typedefs import Handler

from toolyard.core.errors import ToolyardError
from toolyard.core.types import JsonValue
from toolyard.lines import encode
from toolyard.review.review_requests import Desk
from toolyard.review.web.guard import POLICY
from toolyard.review.web.server import LARGEST_BODY, Site
from toolyard.text.json_scan import MAX_DEPTH, nesting_depth

PAGE = Path(__file__).parents[1] / "page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
SECONDS_TO_SEND = 10.0
OWN_FILES_ONLY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


class RefusedRequest(ToolyardError):
    """A request whose body is not taken, with the status to say so."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Labelling:
    """Answers for one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._one_at_a_time = desk, asyncio.Lock()

    def site(self) -> Site:
        """The page, its files, the overview, one item, one decision."""
        files = [web.get(f"/{file.name}", _file_handler(file)) for file in _page_files()]
        routes = [
            web.get("/", _file_handler(PAGE / "review.html")),
            web.get("/api/overview", self.overview),
            web.get("/api/item", self.item),
            web.post("/api/decision", self.decision),
        ]
        return Site([*files, *routes], token_everywhere=True, cookie_sent="Strict")

    async def overview(self, _request: web.Request) -> web.StreamResponse:
        """Every item with its state."""
        return await self._answer(self._desk.overview)

    async def item(self, request: web.Request) -> web.StreamResponse:
        """All that is shown of one item."""
        return await self._answer(lambda: self._desk.item(request.query.get("id", "")))

    async def decision(self, request: web.Request) -> web.StreamResponse:
        """Saves one decision."""
        try:
            body = await request_object(request)
        except RefusedRequest as refused:
            response = _json_response(refused.status, {"error": str(refused)})
            # What was not read would be taken for the next request.
            response.force_close()
            return response
        return await self._answer(lambda: self._desk.decide(body))

    async def _answer(self, ask: Callable[[], JsonValue]) -> web.StreamResponse:
        try:
            async with self._one_at_a_time:
                found = await asyncio.to_thread(ask)
        except ToolyardError as error:
            return _json_response(422, {"error": str(error)})
        except OSError as error:
            return _json_response(507, {"error": f"{error.strerror or error}; make room and try again"})
        return _json_response(200, found)


async def request_object(request: web.Request) -> Mapping[str, JsonValue]:
    """The JSON object that was sent; raises Refused for anything else, and does not wait for the rest of it."""
    if (request.content_length or 0) > LARGEST_BODY:
        raise RefusedRequest(
            413, f"{request.content_length} bytes are announced; at most {LARGEST_BODY} are taken"
        )
    if request.content_type != "application/json":
        raise RefusedRequest(415, "wanted is application/json")
    try:
        async with asyncio.timeout(SECONDS_TO_SEND):
            data = await request.read()
    except TimeoutError:
        raise RefusedRequest(408, f"the request did not come within {SECONDS_TO_SEND:.0f} seconds") from None
    except web.HTTPRequestEntityTooLarge:
        raise RefusedRequest(413, f"at most {LARGEST_BODY} bytes are taken") from None
    return read_body(data)


def read_body(data: bytes) -> Mapping[str, JsonValue]:
    """One JSON object, nested no deeper than any row is."""
    depth = nesting_depth(data.decode("utf-8", "replace"))
    if depth > MAX_DEPTH:
        raise RefusedRequest(400, f"the JSON is nested {depth} deep; at most {MAX_DEPTH} is read")
    try:
        body = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise RefusedRequest(400, f"not JSON: {error}") from None
    if not isinstance(body, dict):
        raise RefusedRequest(400, f"found a {type(body).__name__}; wanted is one JSON object")
    return body


def _page_files() -> list[Path]:
    return [file for file in sorted(PAGE.iterdir()) if file.suffix in (".css", ".js", ".svg")]


def _file_handler(file: Path) -> Handler:
    async def send(_request: web.Request) -> web.StreamResponse:
        return web.Response(
            body=file.read_bytes(), content_type=TYPES[file.suffix], charset="utf-8", headers={POLICY: OWN_FILES_ONLY}
        )  # fmt: skip

    return send


def _json_response(status: int, value: JsonValue) -> web.Response:
    return web.Response(body=encode(value), status=status, content_type="application/json")
