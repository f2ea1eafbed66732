"""Seal-Tools: its requests, calls and tool documents, where every value stands in the request.

    {"id": "dev-easy-3", "query": "Tell me the water quality of the lake.", "calling": [
        {"api": "getWaterQuality", "parameters": {"location": "lake"}, "responses": ["API_call_0"]}]}

The corpus is the user's own copy; no text of it lies here.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from toolyard.core.types import JsonValue, Record

NAME = "seal-tools"
FOLDER = Path(NAME) / "Seal-Tools_Dataset"
LICENCE = "Apache-2.0"
FILES = ("dev.jsonl", "test_in_domain.jsonl", "test_out_domain.jsonl")
_LABEL = re.compile(r"API_call_(\d+)")


@dataclass(frozen=True, slots=True)
class SealRequest:
    """One request with its calls and the tools that they call, as the corpus has them."""

    id: str
    query: str
    calling: tuple[Record, ...]
    tools: tuple[Record, ...]


def is_here(folder: Path) -> bool:
    """Whether the corpus lies in the folder of the corpora."""
    return (folder / FOLDER / "tool.jsonl").is_file()


def source_files(folder: Path) -> tuple[Path, ...]:
    """The files that are read."""
    return tuple(folder / FOLDER / name for name in ("tool.jsonl", *FILES))


@functools.lru_cache(maxsize=1)
def seal_tools_by_name(folder: Path) -> Mapping[str, Record]:
    """The tools by name, flat."""
    lines = (folder / FOLDER / "tool.jsonl").read_bytes().splitlines()
    return {tool["api_name"]: tool for tool in map(orjson.loads, lines)}


@functools.lru_cache(maxsize=1)
def seal_requests(folder: Path) -> tuple[SealRequest, ...]:
    """The requests whose calls are documented and whose values stand in the request."""
    return tuple(_read_requests(folder, seal_tools_by_name(folder)))


def _read_requests(folder: Path, tools: Mapping[str, Mapping[str, JsonValue]]) -> Iterator[SealRequest]:
    for name in FILES:
        for line in (folder / FOLDER / name).read_bytes().splitlines():
            row = orjson.loads(line)
            calls = tuple(row["calling"])
            names = [call["api"] for call in calls]
            if len(set(names)) == len(names) and all(_is_sound(call, row["query"], tools) for call in calls):
                yield SealRequest(
                    f"{NAME}/{row['id']}", row["query"], calls, tuple(tools[each] for each in names)
                )


def _is_sound(call: Record, query: str, tools: Mapping[str, Record]) -> bool:
    tool = tools.get(call["api"])
    given = call["parameters"]
    if tool is None or not set(tool["required"]) <= given.keys() <= tool["parameters"].keys():
        return False
    said = query.casefold()
    values = (each for value in given.values() for each in (value if isinstance(value, list) else [value]))
    return all(_LABEL.fullmatch(str(value)) or str(value).casefold() in said for value in values)
