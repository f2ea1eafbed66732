"""Logs of inspect-ai: JSON, or `.eval` files, which are zip files with one JSON file per sample.

    {"version": 2, "eval": {"task": "t", "model": "m"}, "samples": [{"id": "1", "epoch": 1, "messages": [
      {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": "find_bus", "arguments": {}}]},
      {"role": "tool", "tool_call_id": "c1", "content": "...", "error": null}]}]}

A sample is a trajectory; the tools that were offered stand in its model events.
"""

import importlib
import json
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import DataError, MissingExtra
from toolyard.core.types import JsonValue
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.core.untrusted.json_size import reason_too_large
from toolyard.core.untrusted.unpacking import BOUNDED, open_zip, read_zip_member
from toolyard.text.json_values import mapping
from toolyard.traffic.openai_log import Row, list_objects, offered_tools, read_turn
from toolyard.traffic.trajectory import TracedEpisode

LOG_VERSION = 2
# The number of zstandard, in which newer logs are packed; inspect-ai brings a reader for it.
ZSTD = 93
MOST_SAMPLES = 50_000
# Of one sample, and of all of them; each may grow tenfold when it is read.
LARGEST_SAMPLE, LARGEST_LOG = 64 * 2**20, 256 * 2**20
ATTACHMENT = "attachment://"


def is_inspect_log(row: Mapping[str, JsonValue]) -> bool:
    """Whether an object has the form, in whatever version."""
    return isinstance(row.get("eval"), Mapping) and "version" in row and "messages" not in row


def read_inspect_log(rows: Iterable[Row]) -> list[TracedEpisode]:
    """The samples of logs; another version is refused by name."""
    found = []
    for where, row in rows:
        if row.get("version") != LOG_VERSION:
            raise DataError(
                f"{where}: found version {str(row.get('version'))[:40]} of inspect's logs, read is {LOG_VERSION}"
            )
        about = row["eval"]
        model = str(about.get("model") or "") if isinstance(about, Mapping) else ""
        samples = row.get("samples")
        listed = samples if isinstance(samples, list) else []
        found += [_episode_of_sample(item, model) for item in listed if isinstance(item, Mapping)]
    return [item for item in found if item.turns]


def read_eval_file(path: Path) -> list[TracedEpisode]:
    """The samples of an `.eval` file, each read up to a limit; nothing of it is written to disk."""
    try:
        with path.open("rb") as file, open_zip(file, MOST_SAMPLES, (*BOUNDED, ZSTD)) as archive:
            return _read_archive(path, archive)
    except (DataError, OSError) as error:
        raise DataError(f"{path} cannot be read as a log of inspect ({str(error)[:300]})") from None


def _read_archive(path: Path, archive: zipfile.ZipFile) -> list[TracedEpisode]:
    listed = [info for info in archive.infolist() if info.filename.startswith("samples/")]
    if len(listed) > MOST_SAMPLES or sum(info.file_size for info in listed) > LARGEST_LOG:
        raise DataError(
            f"{path} holds more than {MOST_SAMPLES:,} samples or {LARGEST_LOG:,} bytes; give a part of it"
        )
    if any(info.compress_type == ZSTD for info in archive.infolist()):
        with suppress(ImportError):
            importlib.import_module("zipfile_zstd")
        if ZSTD not in getattr(zipfile, "compressor_names", {}):
            raise MissingExtra(
                f"{path} is packed with zstandard: pip install 'toolyard[inspect]' brings a reader"
            )
    header = _read_member(path, archive, "header.json")
    samples = [_read_member(path, archive, info.filename) for info in listed]
    return read_inspect_log([(str(path), {**header, "samples": samples})])


def _read_member(path: Path, archive: zipfile.ZipFile, name: str) -> dict[str, JsonValue]:
    content = read_zip_member(archive, name, LARGEST_SAMPLE)
    why = reason_too_large(content)
    if why:
        raise DataError(f"{path}, {name[:80]!r} is too large to be read at once ({why})")
    try:
        found = json_safe(json.loads(content))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}, {name[:80]!r} is not JSON ({str(error)[:80]})") from None
    return found if isinstance(found, dict) else {}


def _episode_of_sample(sample: Mapping[str, JsonValue], model: str) -> TracedEpisode:
    texts = mapping(sample.get("attachments"))
    turns = []
    for message in list_objects(sample.get("messages")):
        turn = read_turn(_chat_message(message))
        text = texts.get(turn.text.removeprefix(ATTACHMENT)) if turn.text.startswith(ATTACHMENT) else None
        error = turn.error or (turn.role == "tool" and isinstance(message.get("error"), Mapping))
        turns.append(replace(turn, text=text if isinstance(text, str) else turn.text, error=error))
    events = [event for event in list_objects(sample.get("events")) if event.get("event") == "model"]
    tools = offered_tools(events[-1].get("tools")) if events else None
    epoch = sample.get("epoch")
    name = f"{sample.get('id')}" if epoch in (None, 1) else f"{sample.get('id')} (epoch {epoch})"
    return TracedEpisode(name, tuple(turns), tools, model)


def _chat_message(message: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The message in the chat format, whose calls have their function one level deeper."""
    calls = [
        {"id": call.get("id"), "function": {"name": call.get("function"), "arguments": call.get("arguments")}}
        for call in list_objects(message.get("tool_calls"))
    ]
    return {**message, "tool_calls": calls}
