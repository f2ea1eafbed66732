"""Signs of damage in texts and arguments: calls in prose, markup, broken letters, changed types; pure."""

import html
import json
import re
from collections.abc import Callable
from functools import partial

from toolyard.certify.surfaces.prompt import find_calls
from toolyard.certify.task import ProbeTask, ProbeToolFault
from toolyard.core.types import Failure, JsonValue
from toolyard.text.parsing import json_values, read_json

MARKUP = re.compile(
    r"</?tool_calls?>|<\|/?tool_calls?[^|<>]{0,20}\|>|<\|python_tag\|>|\[/?TOOL_CALLS\]|</?function[=>]|<\|action_(?:start|end)\|>"
    r"|<｜tool▁[^｜]{0,24}｜>|<\|tool▁[^|]{0,24}\|>|functools\[|<\|channel\|>commentary|<minimax:tool_call>|<seed:tool_call>"
)
THOUGHT = re.compile(r"</?think(?:ing)?>|<\|channel\|>analysis|◁/?think▷|\[/?THINK\]")
MOST_DEPTH = 30


def standing_calls(task: ProbeTask, text: str) -> int:
    """How many calls that the task's tools would take stand in a text, as JSON, as tags or as Python."""
    as_json = sum(_is_accepted_call(task, name, arguments) for name, arguments in find_calls(task, text))
    return as_json or sum(len(_tagged_call_pattern(tool).findall(text)) for tool in task.by_name)


def _is_accepted_call(task: ProbeTask, name: str, arguments: JsonValue) -> bool:
    try:
        task.run(name, arguments)
    except ProbeToolFault:
        return False
    return True


def _tagged_call_pattern(name: str) -> re.Pattern[str]:
    """`<function=add>...</function>`, `<invoke name="add">`, `[add(a=1)]`, `to=functions.add`."""
    tool = re.escape(name)
    return re.compile(
        rf'<function={tool}>[^\0]{{0,4000}}?</function>|<invoke name="{tool}">|\[{tool}\(\w{{0,40}}=?[^\0]{{0,2000}}?\)\]'
        rf"|to=functions\.{tool}\b"
    )


def has_markup(task: ProbeTask, text: str) -> bool:
    """Whether markup of calls stands in a text that was not asked to hold it."""
    return any(found.group() not in task.ask for found in MARKUP.finditer(text))


def has_thought(task: ProbeTask, text: str) -> bool:
    """Whether marks of reasoning stand in a text that was not asked to hold them."""
    return any(found.group() not in task.ask for found in THOUGHT.finditer(text))


def is_double_encoded(raw: JsonValue) -> bool:
    """Whether arguments are the JSON text of a JSON text of an object."""
    if not isinstance(raw, str):
        return False
    inner = read_json(raw) if raw.strip().startswith('"') else None
    if inner is None:
        try:
            inner = json.loads(raw)
        except (ValueError, RecursionError):
            return False
    if not isinstance(inner, str):
        return False
    return isinstance(read_json(inner), dict)


def is_merged(raw: JsonValue) -> bool:
    """Whether arguments are several objects one behind the other."""
    if not isinstance(raw, str) or isinstance(read_json(raw), dict):
        return False
    found = [value for value in json_values(raw) if isinstance(value.value, dict)]
    left = raw
    for value in reversed(found):
        left = left[: value.start] + left[value.end :]
    return len(found) > 1 and not left.strip(" ,\n\t[]")


def is_json(raw: JsonValue) -> bool:
    """Whether arguments can be read at all; a call without arguments may send an empty text."""
    if isinstance(raw, str):
        return not raw.strip() or not isinstance(read_json(raw), Failure)
    return raw is None or isinstance(raw, dict)


def bare_name(name: str, task: ProbeTask) -> str | None:
    """The tool that a damaged name meant, if any."""
    if name in task.by_name:
        return None
    parts = re.split(r"[.:/<>|\s\"'`(]+", name)
    return next((part for part in parts if part in task.by_name), None)


def map_strings(value: JsonValue, change: Callable[[str], JsonValue], depth: int = 0) -> JsonValue:
    """The value with every string in it changed."""
    if isinstance(value, str):
        return change(value)
    if depth > MOST_DEPTH:
        return value
    if isinstance(value, dict):
        return {key: map_strings(item, change, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [map_strings(item, change, depth + 1) for item in value]
    return value


def is_broken_unicode(found: JsonValue, wanted: JsonValue) -> bool:
    """Whether only letters beyond ASCII came back wrong: as other bytes, as escapes or as the mark of loss."""
    if found == wanted:
        return False
    if any(
        map_strings(found, mend) == wanted
        for mend in (
            partial(_recode_as_utf8, "latin-1"),
            partial(_recode_as_utf8, "cp1252"),
            _unescaped_letters,
        )
    ):
        return True
    return "\ufffd" in _as_json_text(found) and "\ufffd" not in _as_json_text(wanted)


def _as_json_text(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _recode_as_utf8(name: str, text: str) -> str:
    try:
        return text.encode(name).decode("utf-8")
    except UnicodeError:
        return text


def _unescaped_letters(text: str) -> str:
    pairs = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    return pairs.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_escape_damage(found: JsonValue, wanted: JsonValue) -> bool:
    """Whether arguments differ in nothing but escapes: line breaks, quotes, backslashes, entities."""
    return bool(
        found != wanted and map_strings(found, _without_escapes) == map_strings(wanted, _without_escapes)
    )


def _without_escapes(text: str) -> str:
    for escape, sign in (("\\n", "\n"), ("\\t", "\t"), ("\\r", "\n")):
        text = text.replace(escape, sign)
    return re.sub(r"[\\\s]+", " ", html.unescape(html.unescape(text))).strip()


def is_text_for_value(found: JsonValue, wanted: JsonValue) -> bool:
    """Whether arguments differ in nothing but strings that stand for numbers, truth values, lists or objects."""
    return found != wanted and _is_same_but_text(found, wanted)


def _is_same_but_text(found: JsonValue, wanted: JsonValue, depth: int = 0) -> bool:
    if found == wanted and type(found) is type(wanted):
        return True
    if isinstance(found, str) and not isinstance(wanted, str):
        read = _json_or_none(found)
        return read is not None and bool(read == wanted)
    if depth > MOST_DEPTH:
        return False
    if isinstance(found, dict) and isinstance(wanted, dict) and found.keys() == wanted.keys():
        return all(_is_same_but_text(found[key], wanted[key], depth + 1) for key in wanted)
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        return all(_is_same_but_text(one, other, depth + 1) for one, other in zip(found, wanted, strict=True))
    return bool(found == wanted)


def _json_or_none(text: str) -> JsonValue:
    try:
        found: JsonValue = json.loads({"True": "true", "False": "false"}.get(text, text))
    except (ValueError, RecursionError):
        return None
    return found


def is_part_of_text(piece: str, whole: str) -> bool:
    """Whether a text is another one with letters missing."""
    letters = iter(whole)
    return len(piece) < len(whole) and all(letter in letters for letter in piece)
