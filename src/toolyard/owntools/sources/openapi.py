"""OpenAPI 3 documents: every operation is a tool, with its parameters and its body's fields as arguments."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record
from toolyard.owntools.sources.openapi_calls import Operation, connect_service, find_service, takes_header
from toolyard.owntools.sources.source_schemas import follow_pointer
from toolyard.owntools.sources.text_lines import Lines
from toolyard.owntools.sources.tool_source import (
    CallExample,
    SourcePlace,
    ToolSource,
    WrittenTool,
    file_slug,
    name_tools,
)
from toolyard.text.json_values import mapping

METHODS = ("get", "put", "post", "delete", "patch", "head")


def read_openapi(
    path: Path, document: Record, lines: Lines, headers: Mapping[str, str], base: str = ""
) -> ToolSource:
    """The operations of a document as tools; `headers` and `base` are for recording real calls."""
    if not str(document.get("openapi", "")).startswith("3"):
        found = document.get("openapi") or document.get("swagger")
        raise DataError(f"{path} is OpenAPI {str(found)[:20]}; wanted is version 3, convert it first")
    paths = document.get("paths")
    if not isinstance(paths, Mapping):
        raise DataError(f"{path} has no `paths`; wanted is an OpenAPI 3 document with operations")
    reading = _Reading(path, document, lines, frozenset(name.lower() for name in headers))
    written: list[WrittenTool] = []
    operations: dict[str, Operation] = {}
    prefix = _shared_route_parts(list(map(str, paths)))
    for route, item in paths.items():
        for tool, operation in reading.operations(str(route), item, prefix):
            # Two operations of one name would be called as each other.
            name = tool.name if tool.name not in operations else f"{tool.name}_{len(operations) + 1}"
            written.append(replace(tool, name=name))
            operations[name] = operation
    title = document.get("info", {}).get("title") if isinstance(document.get("info"), Mapping) else None
    service = find_service(document, headers, base)
    connect = None if service is None else lambda: connect_service(service, operations)
    name = file_slug(str(title) if isinstance(title, str) else path.stem)
    return ToolSource(name, "openapi", name_tools(written, str(path)), connect, tuple(reading.remarks))


def _shared_route_parts(routes: list[str]) -> int:
    """How many leading parts all routes share, such as /api/v1."""
    split = [route.strip("/").split("/") for route in routes]
    statics = [[place for place, part in enumerate(each) if not part.startswith("{")] for each in split]
    parts = [each[: places[-1] if places else 0] for each, places in zip(split, statics, strict=True)]
    shared = 0
    while parts and all(len(each) > shared and each[shared] == parts[0][shared] for each in parts):
        shared += 1
    return shared


def _name_operation(method: str, route: str, prefix: int) -> str:
    """A name for an operation without one: get_settings_by_schema_name."""
    parts = [part for part in route.strip("/").split("/")[prefix:] if part]
    words = [f"by_{part.strip('{}')}" if part.startswith("{") else unquote(part) for part in parts]
    return "_".join([method, *words])


@dataclass(frozen=True, slots=True)
class _Reading:
    path: Path
    document: Record
    lines: Lines
    # Headers that the user sets, in small letters; and what was left out because of them.
    headers: frozenset[str] = frozenset()
    remarks: list[str] = field(default_factory=list)

    def operations(self, route: str, item: JsonValue, prefix: int) -> Iterator[tuple[WrittenTool, Operation]]:
        item = self._dereference(item)
        for method in METHODS:
            found = item.get(method)
            if isinstance(found, Mapping):
                tool, operation = self._operation(route, method, item, found)
                yield (
                    (tool if tool.name else replace(tool, name=_name_operation(method, route, prefix))),
                    operation,
                )

    def _dereference(self, value: object) -> Mapping[str, JsonValue]:
        """An object behind at most a few references."""
        for _ in range(5):
            if not (isinstance(value, Mapping) and isinstance(value.get("$ref"), str)):
                break
            value = follow_pointer(self.document, value["$ref"])
        return mapping(value)

    def _operation(
        self, route: str, method: str, item: Mapping[str, JsonValue], found: Mapping[str, JsonValue]
    ) -> tuple[WrittenTool, Operation]:
        where = ("paths", route, method)
        shared = item.get("parameters") or []
        own = found.get("parameters") or []
        listed = [
            self._dereference(each) for part in (shared, own) if isinstance(part, list) for each in part
        ]
        properties: dict[str, JsonValue] = {}
        required, places, examples = [], {}, {}
        for each in listed:
            name, place = each.get("name"), each.get("in")
            if not isinstance(name, str) or place not in ("path", "query", "header"):
                continue
            if place == "header" and not self._takes_header(name, f"{method} {route}"):
                continue
            properties[name] = self._property(each)
            places[name] = str(place)
            if each.get("required") is True or place == "path":
                required.append(name)
            if "example" in each:
                examples[name] = each["example"]
        body = self._add_body(found, properties, required, places)
        named = found.get("operationId")
        tool = WrittenTool(
            name=named.strip() if isinstance(named, str) else "",
            description=self._description(found, item),
            schema={"type": "object", "properties": properties, "required": list(dict.fromkeys(required))},
            result=self._result(found),
            root=self.document,
            examples=(CallExample(examples),) if examples and set(required) <= set(examples) else (),
            reads=method in ("get", "head"),
            destroys=method == "delete",
            place=SourcePlace(str(self.path), self.lines.line_at(where)),
            lines={**self._body_lines(where, found), **self._parameter_lines(where, own)},
            route=route,
        )
        return tool, Operation(method, route, places, body, found.get("servers") or item.get("servers"))

    def _takes_header(self, name: str, where: str) -> bool:
        """Whether a header parameter is an argument; one that the user sets with --header is refused by name."""
        if name.lower() in self.headers:
            self.remarks.append(f"the header parameter {name} of {where} is left out: --header sets it"[:300])
            return False
        return takes_header(name)

    def _parameter_lines(self, where: tuple[str, ...], own: JsonValue) -> dict[str, int]:
        found = {}
        for place, each in enumerate(own if isinstance(own, list) else ()):
            name = each.get("name") if isinstance(each, Mapping) else None
            line = self.lines.line_at((*where, "parameters", place))
            if isinstance(name, str) and line is not None:
                found[name] = line
        return found

    def _body_lines(self, where: tuple[str, ...], found: Mapping[str, JsonValue]) -> dict[str, int]:
        """The lines of the body's fields, in the operation itself or where its references lead."""
        path: tuple[str | int, ...] = (*where, "requestBody")
        path = self._referenced_path(path, found.get("requestBody"))
        content = self._at(path).get("content")
        kinds = mapping(content)
        chosen = _json_kind(kinds)
        if chosen is None:
            return {}
        path = (*path, "content", chosen, "schema")
        return self.lines.member_lines((*self._referenced_path(path, self._at(path)), "properties"))

    def _referenced_path(self, path: tuple[str | int, ...], value: JsonValue) -> tuple[str | int, ...]:
        """Where a part really stands, behind at most a few references."""
        for _ in range(5):
            reference = value.get("$ref") if isinstance(value, Mapping) else None
            if not isinstance(reference, str) or not reference.startswith("#/"):
                break
            path = tuple(part.replace("~1", "/").replace("~0", "~") for part in reference[2:].split("/"))
            value = self._at(path)
        return path

    def _at(self, path: Sequence[str | int]) -> Record:
        """The object at a path of the document; empty where there is none."""
        value: object = self.document
        for part in path:
            value = value.get(part) if isinstance(value, Mapping) else None
        return mapping(value)

    def _property(self, each: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        written = dict(mapping(each.get("schema")))
        if isinstance(each.get("description"), str):
            written["description"] = each["description"]
        if "example" in each:
            written.setdefault("examples", [each["example"]])
        return written

    def _description(self, found: Mapping[str, JsonValue], item: Mapping[str, JsonValue]) -> str:
        texts = [found.get("summary") or item.get("summary"), found.get("description")]
        said = [" ".join(text.split()) for text in texts if isinstance(text, str) and text.strip()]
        return ". ".join(text.rstrip(".") for text in dict.fromkeys(said)) + "." if said else ""

    def _content(self, holder: object) -> JsonValue:
        """The JSON schema of a body."""
        kinds = mapping(self._dereference(holder).get("content"))
        chosen = _json_kind(kinds)
        media = kinds.get(chosen) if chosen is not None else None
        return media.get("schema") if isinstance(media, Mapping) else None

    def _add_body(
        self, found: Record, properties: dict[str, JsonValue], required: list[str], places: dict[str, str]
    ) -> str:
        """The body's fields as arguments, or the whole body as one; the name of that one, else empty."""
        if "requestBody" not in found:
            return ""
        schema = self._content(found["requestBody"])
        flat = self._dereference(schema)
        fields = flat.get("properties")
        needed = self._dereference(found["requestBody"]).get("required") is True
        if isinstance(fields, Mapping) and fields and not set(fields) & set(properties):
            properties.update({str(name): value for name, value in fields.items()})
            places.update(dict.fromkeys(map(str, fields), "body"))
            wanted = flat.get("required")
            listed = wanted if isinstance(wanted, list) and needed else []
            required += [name for name in listed if isinstance(name, str)]
            return ""
        name = "body" if "body" not in properties else "request_body"
        properties[name] = mapping(schema)
        places[name] = "whole_body"
        required += [name] if needed else []
        return name

    def _result(self, found: Record) -> JsonValue:
        responses = found.get("responses")
        answers = responses if isinstance(responses, Mapping) else {}
        good = next((code for code in answers if str(code).startswith("2")), "default")
        return self._content(answers.get(good, answers.get(200)))


def _json_kind(kinds: Mapping[str, JsonValue]) -> str | None:
    """The kind of content that is JSON, else the first."""
    return next((kind for kind in kinds if "json" in str(kind)), next(iter(kinds), None))
