"""Real calls and what came of them, as a mirror keeps them: one JSON object a line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record
from toolyard.lines import encode, read_lines, write_whole

FILE = "recorded.jsonl"


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call of the real source; `error` is empty where it went well."""

    tool: str
    arguments: Record
    result: JsonValue = None
    error: str = ""

    def to_json(self) -> Record:
        """The line of the file."""
        return {
            "tool": self.tool,
            "arguments": dict(self.arguments),
            "result": self.result,
            "error": self.error,
        }


def write_recorded(folder: Path, calls: Sequence[RecordedCall]) -> None:
    """Keeps the calls in a mirror's folder."""
    write_whole(folder / FILE, b"".join(encode(call.to_json()) for call in calls))


def read_recorded(folder: Path) -> tuple[RecordedCall, ...]:
    """The calls that a mirror keeps; none where nothing was recorded."""
    found = []
    for number, line in enumerate(read_lines(folder / FILE), 1):
        if not isinstance(line, dict) or not isinstance(line.get("arguments"), dict):
            raise DataError(
                f"{folder / FILE}, line {number} is not a recorded call; wanted are tool, arguments, result"
            )
        found.append(
            RecordedCall(
                str(line.get("tool")), line["arguments"], line.get("result"), str(line.get("error") or "")
            )
        )
    return tuple(found)


def call_key(tool: str, arguments: Mapping[str, JsonValue]) -> bytes:
    """What two calls share only where they are the same call."""
    return encode([tool, dict(arguments)], orjson.OPT_SORT_KEYS)
