"""Files of JSON schemas in the forms of OpenAI, Anthropic and MCP, or of a mirror.

    [{"type": "function", "function": {"name": "find_seat", "parameters": {...}}}]          OpenAI
    [{"name": "find_seat", "description": "...", "input_schema": {...}}]                    Anthropic
    {"tools": [{"name": "find_seat", "inputSchema": {...}, "outputSchema": {...}}]}         MCP

One object a line (`.jsonl`) is read as well, and so is YAML.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.owntools.sources.text_lines import Lines, line_map, read_text
from toolyard.owntools.sources.text_lines import Path as NodePath
from toolyard.owntools.sources.tool_source import (
    CallExample,
    SourcePlace,
    ToolSource,
    WrittenTool,
    file_slug,
    name_tools,
)

SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema")
RESULT_KEYS = ("output_schema", "outputSchema", "returns")
WANTED = "wanted are tools in the form of OpenAI, Anthropic or MCP, or an OpenAPI 3 document"


def read_schemas(path: Path, text: str) -> ToolSource:
    """The tools of a file."""
    if path.suffix == ".jsonl":
        written = [tool for number, line in _numbered_lines(text) for tool in _read_line(path, number, line)]
    else:
        listed = list(_tools_with_paths(read_text(text, str(path)), str(path)))
        lines = line_map(text)
        written = [written_tool(item, str(path), lines, place) for place, item in listed]
    return ToolSource(file_slug(path.stem), "schemas", name_tools(written, str(path)))


def _numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    yield from ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def _read_line(path: Path, number: int, line: str) -> Iterator[WrittenTool]:
    known = Lines()
    known.add((), number)
    yield written_tool(read_text(line, f"{path}, line {number}"), str(path), known, ())


def _tools_with_paths(value: object, where: str) -> Iterator[tuple[NodePath, JsonValue]]:
    """The tools of a document with their paths: a list, an object with `tools`, or a single tool."""
    if isinstance(value, Mapping) and isinstance(value.get("tools"), list):
        yield from ((("tools", place), item) for place, item in enumerate(value["tools"]))
    elif isinstance(value, list):
        yield from (((place,), item) for place, item in enumerate(value))
    elif isinstance(value, Mapping) and ("name" in value or "function" in value):
        yield (), value
    else:
        raise DataError(f"{where} holds no list of tools; {WANTED}")


def written_tool(item: object, where: str, lines: Lines, path: NodePath) -> WrittenTool:
    """One tool in any of the forms."""
    place = SourcePlace(where, lines.line_at(path) or lines.line_at((*path, "name")))
    if isinstance(item, Mapping) and isinstance(item.get("function"), Mapping):
        item, path = item["function"], (*path, "function")
    if not isinstance(item, Mapping) or not isinstance(item.get("name"), str) or not item["name"].strip():
        raise DataError(f"{place}: a tool without a name; {WANTED}")
    key = next((key for key in SCHEMA_KEYS if key in item), "")
    hints = item.get("annotations") if isinstance(item.get("annotations"), Mapping) else {}
    return WrittenTool(
        name=item["name"],
        description=item.get("description"),
        schema=item.get(key, {}),
        result=next((item[key] for key in RESULT_KEYS if isinstance(item.get(key), Mapping)), None),
        examples=tuple(_shown_examples(item)),
        reads=_flag_or_none(hints, "readOnlyHint"),
        destroys=_flag_or_none(hints, "destructiveHint") is True,
        place=place,
        lines=lines.member_lines((*path, key, "properties")),
    )


def _flag_or_none(hints: JsonValue, name: str) -> bool | None:
    value = hints.get(name) if isinstance(hints, Mapping) else None
    return value if isinstance(value, bool) else None


def _shown_examples(item: Mapping[str, JsonValue]) -> Iterator[CallExample]:
    """Calls that a document shows: Anthropic's `input_examples`, or our own `x-examples` with results."""
    for shown in _list_or_empty(item.get("input_examples")):
        if isinstance(shown, Mapping):
            yield CallExample(dict(shown))
    for shown in _list_or_empty(item.get("x-examples")):
        if isinstance(shown, Mapping) and isinstance(shown.get("arguments"), Mapping):
            yield CallExample(dict(shown["arguments"]), shown.get("result"), "result" in shown)


def _list_or_empty(value: JsonValue) -> list[object]:
    return value if isinstance(value, list) else []
