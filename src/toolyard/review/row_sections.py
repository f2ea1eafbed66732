"""What a person sees of a row: titled sections in reading order, plain data for the page.

Kinds: turns, text, calls (each nested argument with the return value it comes from), tools, json. Values
that fit no kind are shown as JSON, so that nothing of a row is hidden.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TypeGuard

from toolyard.core.nesting import NestedCall, ReturnValue, label_producers, labels_in
from toolyard.core.types import JsonValue, Message, Record, Sample
from toolyard.lines import to_plain_json

ORDER = ("turns", "text", "calls", "tools", "json")
# A prompt's own text is short; what is longer is instructions, which nobody reads row after row.
LONG_PROMPT_TEXT = 600
LONG_FIELD = 1500
EMPTY = "nothing (an empty list)"
SHORT_FACT = 24
HINT = 80
NAME_KEYS = ("api_name", "name")
DESCRIPTION_KEYS = ("api_description", "description")
ARGUMENT_KEYS = ("parameters", "arguments")
# In the order of reading: what a call must give, what it may, and what comes back.
PARAMETER_KEYS = ("parameters", "required_parameters", "optional_parameters")
RETURN_KEYS = ("responses", "result_parameters")


def sections_of_row(row: Mapping[str, JsonValue], samples: Sequence[Sample]) -> list[dict[str, JsonValue]]:
    """The sections of a row: its sample's parts, or its own fields where it makes several samples."""
    parts = _parts_of_row(row, samples)
    tools = {name: tool for value in parts.values() for name, tool in _tools_by_name(value).items()}
    longest = LONG_PROMPT_TEXT if len(samples) == 1 else LONG_FIELD
    found = [
        _titled_section(title, value, tools, longest) for title, value in parts.items() if not _is_fact(value)
    ]
    shown = [section for section in found if section is not None]
    return sorted(shown, key=lambda section: (not section["open"], ORDER.index(section["kind"])))


def one_word_facts(row: Mapping[str, JsonValue], samples: Sequence[Sample]) -> dict[str, str]:
    """The one-word facts: groups, and the short values of the row."""
    short = {title: str(value) for title, value in _parts_of_row(row, samples).items() if _is_fact(value)}
    return {**(samples[0].groups if len(samples) == 1 else {}), **short}


def hint_of_row(samples: Sequence[Sample]) -> str:
    """A few words to know a row by: the beginning of the shortest text of its prompt."""
    texts = [value for value in samples[0].input.values() if isinstance(value, str) and " " in value]
    return " ".join(min(texts, key=len, default="").split())[:HINT]


def _parts_of_row(row: Mapping[str, JsonValue], samples: Sequence[Sample]) -> dict[str, JsonValue]:
    if len(samples) != 1:
        return dict(row)
    gold = to_plain_json(samples[0].gold)
    known = gold if isinstance(gold, dict) else {"gold": gold}
    # No call is an answer, too, and has to be seen to be checked.
    return {**samples[0].input, **{name: EMPTY if value == [] else value for name, value in known.items()}}


def _is_fact(value: JsonValue) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= SHORT_FACT and " " not in value
    return isinstance(value, int | float)


def _titled_section(
    title: str, value: JsonValue, tools: Mapping[str, Record], longest: int
) -> dict[str, JsonValue] | None:
    """One titled part, or None for an empty one."""
    if value in ("", None, [], {}):
        return None
    if isinstance(value, str):
        return {"title": title, "kind": "text", "text": value, "open": len(value) <= longest}
    if _are_calls(value):
        return {"title": title, "kind": "calls", "calls": linked_calls(value, tools), "open": True}
    if _are_tools(value):
        return {"title": title, "kind": "tools", "tools": [_tool_json(tool) for tool in value], "open": True}
    if isinstance(value, list) and all(isinstance(turn, dict) and "user" in turn for turn in value):
        return {"title": title, "kind": "turns", "turns": [_turn_json(turn) for turn in value], "open": True}
    return {"title": title, "kind": "json", "text": _indented_json(value), "open": _is_plan(value)}


def _is_plan(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _item_name(item: object) -> str | None:
    if not isinstance(item, dict):
        return None
    return next((item[key] for key in NAME_KEYS if isinstance(item.get(key), str)), None)


def _are_tools(value: object) -> TypeGuard[list[Record]]:
    return isinstance(value, list) and bool(value) and all(
        _item_name(item) is not None and any(key in item for key in DESCRIPTION_KEYS) for item in value
    )  # fmt: skip


def _are_calls(value: object) -> TypeGuard[list[Record]]:
    return isinstance(value, list) and bool(value) and not _are_tools(value) and all(
        _item_name(item) is not None and _arguments_of_call(item) is not None for item in value
    )  # fmt: skip


def _arguments_of_call(call: Record) -> dict[str, JsonValue] | None:
    return next((call[key] for key in ARGUMENT_KEYS if isinstance(call.get(key), dict)), None)


def _tools_by_name(value: object) -> dict[str, Record]:
    return {str(_item_name(tool)): tool for tool in value} if _are_tools(value) else {}


def linked_calls(calls: Sequence[Record], tools: Mapping[str, Record]) -> list[JsonValue]:
    """Each call with its arguments; a nested call also shows the return value that feeds it."""
    chain = [NestedCall(_arguments_of_call(call) or {}, tuple(_labels_of_call(call))) for call in calls]
    sources = label_producers(chain)
    return [
        {
            "name": _item_name(call),
            "arguments": [
                {
                    "name": name,
                    "value": value if isinstance(value, str) else _indented_json(value),
                    "quoted": isinstance(value, str),
                    "documented": _describe_document(_declared_parameters(tools, _item_name(call)).get(name)),
                    "sources": [
                        _source_of_label(each, index, sources, calls, tools) for each in labels_in(value)
                    ],
                }
                for name, value in (_arguments_of_call(call) or {}).items()
            ],
            "returns": _returns_of_call(call, tools, chain),
        }
        for index, call in enumerate(calls)
    ]


def _labels_of_call(call: Record) -> list[str | None]:
    given = call.get("responses", [])
    return [name if isinstance(name, str) else None for name in given] if isinstance(given, list) else []


def _source_of_label(
    label: str,
    consumer: int,
    sources: Mapping[str, ReturnValue],
    calls: Sequence[Record],
    tools: Mapping[str, Record],
) -> JsonValue:
    found = sources.get(label)
    if found is None or found.call >= consumer:
        return {"label": label, "missing": True, "text": "no earlier call returns this"}
    tool = _item_name(calls[found.call])
    name, document = _return_value(tools, tool, found.position)
    return {
        "label": label, "missing": False, "call": found.call, "tool": tool, "name": name,
        "text": _describe_document(document),
    }  # fmt: skip


def _returns_of_call(
    call: Record, tools: Mapping[str, Record], chain: Sequence[NestedCall]
) -> list[JsonValue]:
    used = {label for each in chain for value in each.arguments.values() for label in labels_in(value)}
    rows: list[JsonValue] = []
    for position, label in enumerate(_labels_of_call(call)):
        name, document = _return_value(tools, _item_name(call), position)
        rows.append(
            {"label": label or "", "name": name, "text": _describe_document(document), "used": label in used}
        )
    return rows


def _return_value(tools: Mapping[str, Record], tool: str | None, position: int) -> tuple[str, JsonValue]:
    returns = tools.get(tool or "", {}).get("responses")
    if not isinstance(returns, dict) or position >= len(returns):
        return "", None
    return list(returns.items())[position]


def _declared_parameters(tools: Mapping[str, Record], tool: str | None) -> dict[str, Record]:
    return {field["name"]: field for field in _fields_of_tool(tools.get(tool or "", {}), PARAMETER_KEYS)}


def _describe_document(document: JsonValue) -> str:
    if not isinstance(document, dict):
        return ""
    words = (document.get("type"), document.get("description"))
    return ", ".join(str(word) for word in words if word)


def _tool_json(tool: Record) -> JsonValue:
    description = next((tool[key] for key in DESCRIPTION_KEYS if key in tool), "")
    return {
        "name": _item_name(tool),
        "description": str(description),
        "parameters": _fields_of_tool(tool, PARAMETER_KEYS),
        "returns": _fields_of_tool(tool, RETURN_KEYS),
    }


def _fields_of_tool(tool: Record, keys: Sequence[str]) -> list[Record]:
    """Parameters or return values, in whichever of the dialects they are written."""
    return [field for key in keys for field in _fields_under(tool, key)]


def _fields_under(tool: Record, key: str) -> list[Record]:
    value = tool.get(key, {})
    required = tool.get("required", [])
    if isinstance(value, dict) and isinstance(value.get("properties"), dict):
        required, value = value.get("required", []), value["properties"]
    if isinstance(value, dict):
        value = [{"name": name, **(each if isinstance(each, dict) else {})} for name, each in value.items()]
    if not isinstance(value, list):
        return []
    must = set(required) if key == "parameters" and _is_plan(required) else set()
    return [
        {
            "name": str(item.get("name", "")),
            "type": str(item.get("type", "")),
            "description": str(item.get("description", "")),
            "required": key == "required_parameters" or str(item.get("name")) in must,
        }
        for item in value
        if isinstance(item, dict)
    ]


def _turn_json(turn: Mapping[str, JsonValue]) -> list[JsonValue]:
    return [
        {"role": role, "text": text if isinstance(text, str) else _indented_json(text)}
        for role, text in turn.items()
        if text not in ("", None, [], {})
    ]


def message_turns(messages: Sequence[Message]) -> list[JsonValue]:
    """A conversation for the page: role and text, calls of tools as JSON below."""
    turns: list[JsonValue] = []
    for message in messages:
        calls = "".join(f"\n{_indented_json(to_plain_json(call))}" for call in message.tool_calls)
        text = (message.content + calls).strip("\n")
        turns.append({"role": message.role, "text": text, "open": len(text) <= LONG_FIELD})
    return turns


def changed_paths(before: JsonValue, after: JsonValue, path: str = "") -> list[JsonValue]:
    """The places at which two values differ, as path, before and after."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = list(dict.fromkeys([*before, *after]))
        return [
            change
            for key in keys
            for change in changed_paths(
                before.get(key), after.get(key), f"{path}.{key}" if path else str(key)
            )
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [change for i, (old, new) in pairs for change in changed_paths(old, new, f"{path}[{i}]")]
    if type(before) is type(after) and before == after:
        return []
    return [{"path": path, "before": _indented_json(before), "after": _indented_json(after)}]


def _indented_json(value: object) -> str:
    return json.dumps(to_plain_json(value), ensure_ascii=False, indent=2, default=str)
