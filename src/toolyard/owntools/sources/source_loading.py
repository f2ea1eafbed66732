"""One loader for every source of tools.

mcp:COMMAND ARGUMENTS           an MCP server that this command starts
https://HOST/mcp                an MCP server at an address
python:MODULE[:name,name]       functions of a Python module
PATH.json | .jsonl | .yaml      JSON schemas (OpenAI, Anthropic, MCP) or an OpenAPI 3 document
DIR                             a mirror that `toolyard mirror` made
"""

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Observation, Record
from toolyard.models.key_scrubbing import Scrubber
from toolyard.owntools.sources.mcp_server import read_server
from toolyard.owntools.sources.openapi import read_openapi
from toolyard.owntools.sources.openapi_calls import HEADER_NAME
from toolyard.owntools.sources.python_functions import read_functions
from toolyard.owntools.sources.schema_file import read_schemas
from toolyard.owntools.sources.text_lines import line_map, read_text
from toolyard.owntools.sources.tool_source import Call, ToolSource

LARGEST = 30_000_000
MIRROR_TOOLS = "tools.json"
FORMS = (
    "wanted is mcp:COMMAND, an http(s) address, python:MODULE, a file of JSON schemas, an OpenAPI 3 document, "
    "or the folder of a mirror"
)


def load_source(
    text: str,
    *,
    headers: Sequence[str] = (),
    variables: Sequence[str] = (),
    base: str = "",
    folders: Sequence[Path] = (),
) -> ToolSource:
    """The tools that a text names.

    `headers` are `Name=VARIABLE`: the header's value stands in that environment variable. `variables` are those that
    a started server may see; `base` is the address of an OpenAPI service, where its document names none. A Python
    module is looked for in `folders` before the current one.
    """
    if text.startswith("mcp:"):
        return read_server(text.removeprefix("mcp:").strip(), {}, tuple(variables))
    if text.startswith(("http://", "https://")):
        secrets = header_values(headers)
        return _scrub_source(read_server(text, secrets), secrets)
    if text.startswith("python:"):
        return read_functions(text.removeprefix("python:"), folders)
    path = Path(text.removeprefix("openapi:"))
    if path.is_dir():
        path = mirror_documents(path)
    secrets = header_values(headers)
    return _scrub_source(_read_source_file(path, secrets, base), secrets)


def _scrub_source(source: ToolSource, headers: Mapping[str, str]) -> ToolSource:
    """The source whose answers hold no header value: a service may echo what it was sent."""
    if source.connect is None or not headers:
        return source
    connect, scrub = source.connect, Scrubber(*headers.values())

    @asynccontextmanager
    async def scrubbed() -> AsyncIterator[Call]:
        async with connect() as call:

            async def ask(name: str, arguments: Record) -> Observation:
                answer = await call(name, arguments)
                error = None if answer.error is None else scrub.text(answer.error)
                return Observation(scrub.text(answer.text), scrub.value(answer.value), error)

            yield ask

    return replace(source, connect=scrubbed)


def mirror_documents(folder: Path) -> Path:
    """The file with a mirror's documents."""
    path = folder / MIRROR_TOOLS
    if not path.is_file():
        raise UsageError(f"{folder} holds no {MIRROR_TOOLS}, so that it is not a mirror; {FORMS}")
    return path


def _read_source_file(path: Path, headers: Mapping[str, str], base: str) -> ToolSource:
    if not path.exists():
        raise UsageError(f"{path} does not exist; {FORMS}")
    if not path.is_file():
        raise UsageError(f"{path} is not a source of tools; {FORMS}")
    if path.suffix == ".py":
        raise UsageError(
            f"{path} is Python; name its functions by python:{path.stem}, from the folder it lies in"
        )
    size = path.stat().st_size
    if size > LARGEST:
        raise DataError(f"{path} has {size:,} bytes; at most {LARGEST:,} are read, give a part of it")
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".jsonl":
        return read_schemas(path, text)
    value = read_text(text, str(path))
    if isinstance(value, Mapping) and ("openapi" in value or "swagger" in value):
        return read_openapi(path, value, line_map(text), headers, base)
    return read_schemas(path, text)


def header_values(headers: Sequence[str]) -> dict[str, str]:
    """Headers with values from the environment, so that no secret is on a command line."""
    found = {}
    for each in headers:
        name, equals, variable = each.partition("=")
        if not equals or not HEADER_NAME.fullmatch(name.strip()):
            raise UsageError(f"--header {each!r}; wanted is Name=VARIABLE, e.g. Authorization=MY_TOKEN")
        if not variable.isidentifier() or variable not in os.environ:
            raise UsageError(f"--header {name}: the variable {variable} is not set; export it first")
        value = os.environ[variable].strip()
        if not value.isascii() or not value.isprintable():
            raise UsageError(
                f"--header {name}: {variable} holds characters that no header can, such as a control character; "
                "export it again"
            )
        found[name.strip()] = value
    return found
