"""A source of tools: their documents, what is known about their results, and a way to call the real ones.

The document of a tool is the one record that the whole package has (`text.documents.ToolDocument`); beside it stands
what only a live source can say: the shape of results, hints, examples, and where its text was written.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, TypeAlias

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Observation, Record
from toolyard.core.untrusted.json_safe import json_safe, safe_object
from toolyard.owntools.sources.source_schemas import Resolved, resolve_references
from toolyard.text.documents import Parameter, ToolDocument, from_openai, to_openai
from toolyard.text.json_values import mapping
from toolyard.text.tool_calling import function_names

# Calls one tool of the real source.
Call: TypeAlias = Callable[[str, Record], Awaitable[Observation]]
# Opens the real source for some calls.
Connect: TypeAlias = Callable[[], AbstractAsyncContextManager[Call]]
MOST_TOOLS = 2_000
LONGEST_DESCRIPTION = 20_000
_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where something is written: a file with a line, or only a name within the source."""

    where: str
    line: int | None = None

    def __str__(self) -> str:
        return self.where if self.line is None else f"{self.where}:{self.line}"

    @property
    def short(self) -> str:
        """The same without the folders on the way to a file."""
        return str(self) if self.line is None else f"{PurePath(self.where).name}:{self.line}"


@dataclass(frozen=True, slots=True)
class CallExample:
    """A call and what came of it, as a document shows it or a recording has it."""

    arguments: Record
    result: JsonValue = None
    has_result: bool = False


@dataclass(frozen=True, slots=True)
class SourceTool:
    """One tool of a source.

    `called` is what the source itself calls it, where that is no name that every endpoint takes. `reads` says whether
    calls change nothing, as far as the source says so itself. `faults` are defects of the document that had to be
    mended to read it at all.
    """

    document: ToolDocument
    called: str
    result: Record | None = None
    examples: tuple[CallExample, ...] = ()
    reads: bool | None = None
    destroys: bool = False
    place: SourcePlace = SourcePlace("")
    lines: Mapping[str, int] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    # the path of an operation, which may say what the name does not
    route: str = ""

    @property
    def name(self) -> str:
        """The name that a model calls it by."""
        return self.document.name

    @property
    def description(self) -> str:
        """What its document says it does."""
        return self.document.description

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What a call may give."""
        return self.document.parameters

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments, references resolved."""
        return dict(mapping(to_openai(self.document, wrapped=False)["parameters"]))

    def location_of(self, parameter: str = "") -> SourcePlace:
        """Where the tool, or one of its parameters, is written."""
        if not parameter:
            return self.place
        return SourcePlace(self.place.where, self.lines.get(parameter, self.place.line))

    def to_json(self) -> dict[str, JsonValue]:
        """The tool in MCP's form, with what else is known under `x-` keys."""
        hints = {} if self.reads is None else {"readOnlyHint": self.reads}
        if self.destroys:
            hints["destructiveHint"] = True
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.schema,
            **({} if self.result is None else {"outputSchema": dict(self.result)}),
            **({"annotations": hints} if hints else {}),
            **({"x-called": self.called} if self.called != self.name else {}),
            **({"x-examples": [_example_json(each) for each in self.examples]} if self.examples else {}),
        }


def _example_json(example: CallExample) -> dict[str, JsonValue]:
    return {
        "arguments": dict(example.arguments),
        **({"result": example.result} if example.has_result else {}),
    }


@dataclass(frozen=True, slots=True)
class ToolSource:
    """All tools of a source, and how to reach it; `connect` is None where there is nothing to call."""

    name: str
    kind: str
    tools: tuple[SourceTool, ...]
    connect: Connect | None = None
    remarks: tuple[str, ...] = ()

    def tool(self, name: str) -> SourceTool:
        """The tool of that name."""
        found = next((tool for tool in self.tools if tool.name == name), None)
        if found is None:
            raise DataError(
                f"{self.name} has no tool {name!r}; it has {', '.join(tool.name for tool in self.tools[:20])}"
            )
        return found


@dataclass(frozen=True, slots=True)
class WrittenTool:
    """A tool as its source wrote it, before names and schemas are made usable."""

    name: str
    description: JsonValue
    schema: JsonValue
    result: JsonValue = None
    root: JsonValue = None
    examples: tuple[CallExample, ...] = ()
    reads: bool | None = None
    destroys: bool = False
    place: SourcePlace = SourcePlace("")
    lines: Mapping[str, int] = field(default_factory=dict)
    route: str = ""


def name_tools(written: list[WrittenTool], where: str) -> tuple[SourceTool, ...]:
    """The tools under names that every endpoint takes; an empty or endless list is refused."""
    if not written:
        raise DataError(f"{where} holds no tools; give a source that has some")
    if len(written) > MOST_TOOLS:
        raise DataError(
            f"{where} holds {len(written):,} tools; at most {MOST_TOOLS:,} are taken, give a part"
        )
    names = function_names([tool.name for tool in written])
    return tuple(_source_tool(each, name) for each, name in zip(written, names, strict=True))


def _source_tool(written: WrittenTool, name: str) -> SourceTool:
    taken = resolve_references(written.schema, written.root)
    faults = list(taken.faults)
    schema = _object_schema(taken, faults)
    text = str(json_safe(written.description)) if isinstance(written.description, str) else ""
    if len(text) > LONGEST_DESCRIPTION:
        faults.append(
            f"the description has {len(text):,} characters; what follows {LONGEST_DESCRIPTION:,} is cut"
        )
    result = None if written.result is None else resolve_references(written.result, written.root)
    document = from_openai(
        {"name": name, "description": text[:LONGEST_DESCRIPTION].strip(), "parameters": schema},
        str(written.place) or "tool document",
    )
    return SourceTool(
        document=document,
        called=written.name,
        result=safe_object(result.schema) if result is not None and result.schema else None,
        examples=written.examples,
        reads=written.reads,
        destroys=written.destroys,
        place=written.place,
        lines=written.lines,
        faults=tuple(faults),
        route=written.route,
    )


def _object_schema(taken: Resolved, faults: list[str]) -> dict[str, JsonValue]:
    """The schema of arguments as the record takes it; what it has to leave out is a fault of the document."""
    schema = safe_object(taken.schema)
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        if properties is not None:
            faults.append("`properties` is not an object, so that no parameter is known")
        properties = {}
    kept: dict[str, JsonValue] = {}
    for name, value in properties.items():
        written = dict(mapping(value))
        if not isinstance(value, Mapping) and value is not True:
            faults.append(f"parameter {name} is not a schema")
        for key in ("description", "format"):
            if key in written and not isinstance(written[key], str):
                faults.append(f"{key} of parameter {name} is not text")
                del written[key]
        if "enum" in written and not isinstance(written["enum"], list):
            faults.append(f"enum of parameter {name} is not a list")
            del written["enum"]
        kept[str(name)] = written
    required = schema.get("required", [])
    wanted = list(map(str, required)) if isinstance(required, list) else []
    unknown = [name for name in wanted if name not in kept]
    if unknown:
        faults.append(f"`required` names {', '.join(unknown)}, which is not a parameter")
    return {**schema, "type": "object", "properties": kept, "required": [n for n in wanted if n in kept]}


def file_slug(text: str) -> str:
    """A short name for files: lower-case letters, digits and single underscores."""
    return _SLUG.sub("_", text.lower()).strip("_")[:40] or "source"
