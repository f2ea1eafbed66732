"""Batch files in the form of OpenAI and those who copy it, both ways; pure functions, nothing here talks to anybody.

{"custom_id": "1f0a", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "m", "messages": [...]}}
{"custom_id": "1f0a", "response": {"status_code": 200, "body": {"choices": [...]}}, "error": null}
{"id": "batch_1", "status": "in_progress", "output_file_id": null, "request_counts": {"total": 2, "completed": 1}}
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.types import Failure, JsonValue
from toolyard.core.untrusted.json_size import MOST_MEMORY, json_memory
from toolyard.lines import encode
from toolyard.models.http.wire import decode_json, encode_json

# OpenAI takes 50,000 requests and 200 MB in one file; others take less.
MOST_REQUESTS = 50_000
MOST_BYTES = 64 * 2**20
ENDED = ("completed", "expired", "cancelled", "failed")
TOKEN = "toolyard"  # noqa: S105 - the name of a field
WINDOW = "24h"
NAME = re.compile(r"[\w.:~-]{1,300}")


@dataclass(frozen=True, slots=True)
class Batch:
    """What the endpoint says of a batch: how far it is, and where its answers are."""

    id: str
    status: str
    files: tuple[str, ...] = ()
    done: int = 0
    total: int = 0
    token: str = ""
    why: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in ENDED


@dataclass(frozen=True, slots=True)
class Upload:
    """A form with one file, as it is posted."""

    content_type: str
    data: bytes


def input_line(key: str, path: str, body: Mapping[str, JsonValue]) -> bytes:
    """One request of a batch file."""
    return encode_json({"custom_id": key, "method": "POST", "url": f"/v1/{path}", "body": body}) + b"\n"


def slices_by_size(lines: Sequence[bytes]) -> Iterator[slice]:
    """Where the lines are divided into files, none of which is too large; a line that is alone may be."""
    start, filled = 0, 0
    for place, line in enumerate(lines):
        if place > start and (place - start >= MOST_REQUESTS or filled + len(line) > MOST_BYTES):
            yield slice(start, place)
            start, filled = place, 0
        filled += len(line)
    if lines:
        yield slice(start, len(lines))


def upload_form(name: str, data: bytes) -> Upload:
    """The form that uploads a batch file."""
    # Requests are JSON without line breaks inside, so a line of the boundary's form is none of theirs.
    boundary = f"toolyard-{name}"
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}.jsonl"\r\n'
        "Content-Type: application/jsonl\r\n\r\n"
    )
    return Upload(
        f"multipart/form-data; boundary={boundary}", head.encode() + data + f"\r\n--{boundary}--\r\n".encode()
    )


def batch_order(file: str, path: str, token: str) -> bytes:
    """What is posted to have a file worked through; the token finds the batch again."""
    return encode_json(
        {
            "input_file_id": file,
            "endpoint": f"/v1/{path}",
            "completion_window": WINDOW,
            "metadata": {TOKEN: token},
        }
    )


def read_batch(payload: JsonValue) -> Batch | Failure:
    """The batch that an answer describes."""
    name = payload.get("id") if isinstance(payload, Mapping) else None
    if not isinstance(payload, Mapping) or not isinstance(name, str):
        return Failure("bad_response", f"no batch in {str(payload)[:120]}")
    metadata, counts = payload.get("metadata"), payload.get("request_counts")
    named = [payload[key] for key in ("output_file_id", "error_file_id") if payload.get(key)]
    for each in (name, *named):
        # They become parts of addresses that a key is sent to.
        if not isinstance(each, str) or NAME.fullmatch(each) is None:
            return Failure("bad_response", f"a batch or a file with the name {str(each)[:60]!r}")
    return Batch(
        id=name,
        status=str(payload.get("status") or ""),
        files=tuple(map(str, named)),
        done=_count_or_zero(counts, "completed") + _count_or_zero(counts, "failed"),
        total=_count_or_zero(counts, "total"),
        token=str(metadata.get(TOKEN) or "") if isinstance(metadata, Mapping) else "",
        why=_join_errors(payload.get("errors")),
    )


def _count_or_zero(counts: JsonValue, name: str) -> int:
    value = counts.get(name) if isinstance(counts, Mapping) else 0
    return value if isinstance(value, int) else 0


def _join_errors(found: JsonValue) -> str:
    data = found.get("data") if isinstance(found, Mapping) else found
    items = data if isinstance(data, list) else []
    said = (str(item.get("message") or item.get("code")) for item in items if isinstance(item, Mapping))
    return "; ".join(said)[:300]


class ResultLines:
    """The answers of a result file by the names of their requests, taken line by line.

    Lines that hold none are passed over; the request of an answer that would take too much memory stays open. `clean`
    takes out of an answer what must not be kept.
    """

    def __init__(self, wanted: Collection[str], clean: Callable[[JsonValue], JsonValue]) -> None:
        self.answers: dict[str, JsonValue] = {}
        self._wanted, self._clean = frozenset(wanted), clean
        # Beside the answers themselves stands what is written of them.
        self._room = MOST_MEMORY // 2

    def take(self, line: bytes) -> None:
        """Keeps the answer of a line."""
        size = json_memory(line)
        found = read_answer_line(line) if size <= self._room else None
        if found is not None and found[0] in self._wanted and found[0] not in self.answers:
            self._room -= size
            self.answers[found[0]] = self._clean(found[1])


def read_answer_line(line: bytes) -> tuple[str, JsonValue] | None:
    """The answer of a line with the name of its request; None where it holds none."""
    value = decode_json(line) if line.strip() else None
    name = value.get("custom_id") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(name, str):
        return None
    response = value.get("response")
    if not isinstance(response, Mapping) or response.get("status_code", 200) != 200:
        return None
    body = response.get("body")
    return (name, body) if value.get("error") is None and isinstance(body, Mapping) else None


def kept_line(key: str, body: JsonValue) -> bytes:
    """An answer as the run directory keeps it."""
    return encode({"key": key, "body": body})
