"""Real calls of an OpenAPI service: every request goes to the address that the user allowed.

A document is a stranger's text. Its paths are joined to the base as text, never resolved as links; an operation whose
own `servers` lie outside the base's path is not called; redirects are not followed; and `--header` values go only to an
address that the user named, where no parameter of the document replaces them.
"""

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

from toolyard.core.errors import UsageError
from toolyard.core.types import JsonValue, Observation, Record
from toolyard.owntools.sources.tool_source import Call
from toolyard.text.printable import printable_line

LONGEST_ANSWER = 2_000_000
SECONDS, CONNECT_SECONDS = 30.0, 10.0
_IN_PATHS = "/%-._~!$&'()*+,;=:@{}?"
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_CONTROLS = re.compile(r"[\x00-\x20\x7f-\x9f]")
HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# Headers that say who asks and where a message ends; a document has no say in them.
_OWN_HEADERS = frozenset(
    "authorization proxy-authorization cookie host content-length content-type transfer-encoding connection te "
    "upgrade expect trailer".split()
)


class AddressRefused(ValueError):
    """A request that would leave the agreed address, or has none."""


@dataclass(frozen=True, slots=True)
class Operation:
    """How one tool is called over HTTP: which argument goes where.

    `servers` is the list that the operation or its path names in place of the document's.
    """

    method: str
    path: str
    places: Mapping[str, str]
    body: str
    servers: JsonValue = None


@dataclass(frozen=True, slots=True)
class Service:
    """Where an OpenAPI service is; `named` tells that the user gave the address, so that it gets the headers."""

    base: str
    named: bool
    headers: Mapping[str, str]


def find_service(document: Record, headers: Mapping[str, str], base: str) -> Service | None:
    """The service that a user or, failing that, the document names; None where neither gives an absolute address."""
    if base:
        if not _is_base(base):
            raise UsageError(
                f"--base-url {printable_line(base)[:200]} is not an address of a service; "
                "wanted is http(s)://HOST[:PORT][/PATH]"
            )
        return Service(base, True, headers)
    named = next((url for url in server_addresses(document.get("servers")) if _is_base(url)), "")
    return Service(named, False, headers) if named else None


def takes_header(name: str) -> bool:
    """Whether a document may ask for a header of this name."""
    return HEADER_NAME.fullmatch(name) is not None and name.lower() not in _OWN_HEADERS


def server_addresses(servers: JsonValue) -> list[str]:
    """The addresses of a server list, each variable with its default."""
    found = []
    for server in servers if isinstance(servers, list) else ():
        url = server.get("url") if isinstance(server, Mapping) else None
        if isinstance(url, str):
            found.append(_VARIABLE.sub(partial(_default_of_variable, server.get("variables")), url))
    return found


def _default_of_variable(variables: JsonValue, match: re.Match[str]) -> str:
    about = variables.get(match[1]) if isinstance(variables, Mapping) else None
    value = about.get("default") if isinstance(about, Mapping) else None
    return value if isinstance(value, str) else ""


def _is_base(url: str) -> bool:
    """Whether a text is an absolute address with a host and neither user, query nor fragment."""
    if _CONTROLS.search(url) or not url.lower().startswith(("http://", "https://")) or "\\" in url:
        return False
    try:
        origin = url_origin(url)
    except AddressRefused:
        return False
    return bool(origin[1]) and not set("?#@") & set(url)


def url_origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of an address, as the client that will be used reads them."""
    from yarl import URL

    try:
        read = URL(url)
        return read.scheme, read.host or "", read.port
    except (ValueError, TypeError) as error:
        raise AddressRefused(f"{printable_line(url)[:200]} is not an address ({error})") from None


def operation_base(base: str, servers: JsonValue) -> str:
    """Where an operation is called: the base, or its own server where that lies within the base's path."""
    own = server_addresses(servers)
    if not own:
        return base
    parts = urlsplit(base)
    for url in own:
        if url.startswith("/") and not url.startswith("//"):
            url = f"{parts.scheme}://{parts.netloc}{url}"
        if _is_base(url) and _is_below_base(url, base):
            return url
    raise AddressRefused(
        f"the operation names a server of its own, {printable_line(own[0])[:100]}, which is not within {base}; "
        "name the part that both share with --base-url"
    )


def _is_below_base(url: str, base: str) -> bool:
    """Whether an address has the origin of the base and a path below the base's."""
    path = urlsplit(url).path
    folder = f"{urlsplit(base).path.rstrip('/')}/"
    return url_origin(url) == url_origin(base) and f"{path}/".startswith(folder) and not _leaves_base(path)


def _leaves_base(path: str) -> bool:
    """Whether a path has a part that stands for its own folder or the one above."""
    return any(unquote(unquote(part)).strip() in (".", "..") for part in re.split(r"[/\\]", path))


def build_request(
    base: str, operation: Operation, arguments: Mapping[str, JsonValue]
) -> tuple[str, dict[str, str], JsonValue]:
    """Address, headers and body of a call; arguments stay in their own part of the address."""
    route, query, headers, body = operation.path, [], {}, {}
    whole: JsonValue = None
    for name, value in arguments.items():
        place = operation.places.get(name, "query")
        text = value if isinstance(value, str) else json.dumps(value)
        if place == "path":
            route = route.replace(f"{{{name}}}", quote(text, safe=""))
        elif place == "header":
            headers[name] = _CONTROLS.sub(" ", text)
        elif place == "body":
            body[name] = value
        elif place == "whole_body":
            whole = value
        else:
            query += [(name, each if isinstance(each, str) else json.dumps(each))
                      for each in (value if isinstance(value, list) else [value])]  # fmt: skip
    address = _join_route(operation_base(base, operation.servers), route)
    if query:
        address += f"{'&' if '?' in address else '?'}{urlencode(query)}"
    return address, headers, whole if whole is not None else body or None


def _join_route(base: str, route: str) -> str:
    """Base and route put together as text; refused where that is not the base's origin or leaves its path."""
    if "{" in route:
        raise AddressRefused(f"{route} wants a value for each part in braces")
    if _leaves_base(route.partition("?")[0]):
        raise AddressRefused(f"{printable_line(route)[:200]} leads out of its folder")
    address = f"{base.rstrip('/')}/{quote(route.lstrip('/'), safe=_IN_PATHS)}"
    if url_origin(address) != url_origin(base):
        raise AddressRefused(f"{printable_line(route)[:200]} is not at {base}")
    return address


@asynccontextmanager
async def connect_service(service: Service, operations: Mapping[str, Operation]) -> AsyncIterator[Call]:
    """Calls of the real service; headers for an address that only the document names are refused."""
    import aiohttp

    if service.headers and not service.named:
        raise UsageError(
            f"--header values are sent only to an address that you name, and {printable_line(service.base)[:200]} "
            "stands in the document; check it and add --base-url with it, or leave --header out"
        )
    timeout = aiohttp.ClientTimeout(total=SECONDS, sock_connect=CONNECT_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout, headers=dict(service.headers)) as session:

        async def call(name: str, arguments: Record) -> Observation:
            try:
                return await _answer_of_operation(session, service.base, operations[name], arguments)
            except AddressRefused as error:
                return Observation(str(error), error="refused_address")
            except (aiohttp.ClientError, TimeoutError, ValueError, OSError) as error:
                return Observation(f"{type(error).__name__}: {error}"[:200], error="unreachable")

        yield call


async def _answer_of_operation(
    session: Any, base: str, operation: Operation, arguments: Record
) -> Observation:
    address, more, body = build_request(base, operation, arguments)
    async with session.request(
        operation.method.upper(), address, headers=more, json=body, allow_redirects=False
    ) as answer:
        pieces, size = [], 0
        async for piece in answer.content.iter_any():
            pieces.append(piece)
            size += len(piece)
            if size > LONGEST_ANSWER:
                return Observation(f"the answer has more than {LONGEST_ANSWER:,} bytes", error="too_large")
        text = b"".join(pieces).decode("utf-8", "replace")
        if 300 <= answer.status < 400:
            return Observation("a redirect, which is not followed", error=f"http_{answer.status}")
        return _response_observation(answer.status, text)


def _response_observation(status: int, text: str) -> Observation:
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    return Observation(text, value, None if status < 400 else f"http_{status}")
