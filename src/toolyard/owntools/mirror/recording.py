"""A few calls of the real source, for a mirror to answer with; nothing is written there without permission.

A tool is called only where the source says that it reads (MCP's `readOnlyHint`, GET), or says nothing, its name begins
with get, list or search and neither name nor description speaks of a change, or where the user allowed it by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from random import Random
from typing import Any

from toolyard.core.errors import UsageError
from toolyard.core.json_safe import json_safe
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.owntools.drawn_values import value_for
from toolyard.owntools.mirror.recorded import RecordedCall, call_key
from toolyard.owntools.sources.source import Call, SourceTool, ToolSource
from toolyard.text.names import name_words

READING = frozenset({"get", "list", "search"})
# A single one of these in a name or a description is enough to leave a tool alone, whatever it begins with.
_CHANGES = re.compile(
    r"\b(?:delet|remov|eras|purg|destroy|overwrit|creat|updat|modif|insert|renam|replac|clear|reset|revok|cancel|"
    r"truncat|wip|pop|consum|mark|send|writ|enqueu|dequeu|trigger|restart|increment|decrement)(?:s|e|es|ies|y|ing|ping)?\b"
)
LARGEST_RESULT = 200_000


def is_permitted(tool: SourceTool, allowed: Sequence[str] = ()) -> bool:
    """Whether the real tool may be called."""
    if any(fnmatchcase(tool.name, pattern) for pattern in allowed):
        return True
    if tool.destroys:
        return False
    if tool.reads is not None:
        return tool.reads
    words = name_words(tool.name)
    return words[:1] in [[word] for word in READING] and not _speaks_of_a_change(words, tool.description)


def _speaks_of_a_change(words: Sequence[str], description: str) -> bool:
    """Whether a name such as get_and_remove, or a description, says that a call leaves something changed."""
    return _CHANGES.search(f"{' '.join(words)} {description.lower()}") is not None


async def record(
    source: ToolSource,
    number: int,
    *,
    allowed: Sequence[str] = (),
    given: Mapping[str, JsonValue] | None = None,
    seed: int = 0,
) -> tuple[RecordedCall, ...]:
    """Up to `number` calls of each tool that may be called; `given` fixes values of parameters by name."""
    if source.connect is None:
        raise UsageError(
            f"{source.name} is {source.kind} only, so that there is nothing to record; leave --record out"
        )
    tools = [tool for tool in source.tools if is_permitted(tool, allowed)]
    # What needs least comes first: lists give the ids that others ask for.
    tools.sort(key=lambda tool: len(tool.document.required))
    seen: dict[str, list[Any]] = {}
    calls: list[RecordedCall] = []
    async with source.connect() as call:
        for tool in tools:
            for arguments in _drawn(tool, number, given or {}, seen, seed):
                made = await _called(call, tool, arguments)
                calls.append(made)
                if not made.error:
                    _note(made.result, seen, 0)
    return tuple(calls)


async def _called(call: Call, tool: SourceTool, arguments: Record) -> RecordedCall:
    answer = await call(tool.called, arguments)
    if answer.error is not None:
        return RecordedCall(tool.name, arguments, None, f"{answer.error}: {answer.text[:200]}")
    result = json_safe(answer.value)
    if len(str(result)) > LARGEST_RESULT:
        return RecordedCall(tool.name, arguments, None, "too_large")
    return RecordedCall(tool.name, arguments, result)


def _drawn(
    tool: SourceTool, number: int, given: Record, seen: Mapping[str, list[object]], seed: int
) -> list[dict[str, JsonValue]]:
    """Different arguments for a tool: examples first, then values that were seen, shown or made up."""
    found: dict[bytes, dict[str, Any]] = {}
    for example in tool.examples[:number]:
        found[call_key(tool.name, example.arguments)] = dict(example.arguments)
    for attempt in range(3 * number):
        if len(found) >= number:
            break
        rng = Random(derived_seed(seed, f"record/{tool.name}", attempt))
        arguments = {
            each.name: _value(tool, each.name, given, seen, rng)
            for each in tool.parameters
            if each.required or each.name in given
        }
        found.setdefault(call_key(tool.name, arguments), arguments)
    return list(found.values())


def _value(tool: SourceTool, name: str, given: Record, seen: Mapping[str, list[Any]], rng: Random) -> Any:
    if name in given:
        return given[name]
    schema = tool.schema["properties"][name]
    known = seen.get(name) or []
    if known and "enum" not in schema:
        return rng.choice(known)
    return value_for(schema, name, rng)


def _note(value: Any, seen: dict[str, list[Any]], depth: int) -> None:
    """Remembers what results hold, by name of field, for later calls."""
    if depth > 5:
        return
    if isinstance(value, Mapping):
        for name, item in value.items():
            if isinstance(item, str | int) and not isinstance(item, bool):
                known = seen.setdefault(str(name), [])
                if item not in known and len(known) < 20:
                    known.append(item)
            else:
                _note(item, seen, depth + 1)
    elif isinstance(value, list):
        for item in value[:20]:
            _note(item, seen, depth + 1)
