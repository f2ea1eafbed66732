"""Streamed answers put together again: server-sent events into the object that an unstreamed answer would be.

data: {"choices": [{"delta": {"content": "Os"}}]}
data: {"choices": [{"delta": {"content": "lo"}, "finish_reason": "stop"}], "usage": {...}}
data: [DONE]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from toolyard.core.types import Failure, JsonValue
from toolyard.models.http.wire import decode_json
from toolyard.text.json_values import mapping

DONE = b"[DONE]"
TEXT_FIELDS = ("content", "reasoning_content", "reasoning", "refusal")
ENDS = ("response.completed", "response.incomplete", "response.failed")


class Assembly(Protocol):
    """Events of one stream on their way to a whole answer."""

    begun: bool

    def add(self, event: JsonValue) -> None:
        """Takes one event."""
        ...

    @property
    def usage(self) -> JsonValue:
        """The endpoint's count of tokens, where one has come."""
        ...

    def whole(self) -> JsonValue | Failure:
        """The answer, or why the stream holds none."""
        ...


class EventStream:
    """The data of server-sent events, cut out of bytes as they come."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self.done = False

    def feed(self, data: bytes) -> Iterator[JsonValue | Failure]:
        """The events that these bytes complete. A partial line is kept until its end arrives."""
        if b"\n" not in data:
            self._rest.append(data)
            return
        *lines, rest = b"".join((*self._rest, data)).replace(b"\r\n", b"\n").split(b"\n")
        self._rest = [rest]
        for line in lines:
            if not line.startswith(b"data:"):
                continue
            body = line[5:].strip()
            if body == DONE:
                self.done = True
            elif body:
                yield decode_json(body)


class _StreamedCall:
    """The pieces of one call."""

    def __init__(self) -> None:
        self._id: JsonValue = None
        self._function: dict[str, JsonValue] = {}
        self._texts: dict[str, list[str]] = {}

    def add(self, piece: Mapping[str, JsonValue]) -> None:
        """Takes one piece."""
        self._id = piece.get("id") or self._id
        function = piece.get("function")
        for key, value in mapping(function).items():
            if isinstance(value, str):
                texts = self._texts.setdefault(key, [])
                # A name comes whole, in the first piece or in all of them; arguments come in pieces.
                if key != "name" or not texts:
                    texts += [value] if value else []
            elif value is not None:
                self._function[key] = value

    def whole(self) -> JsonValue:
        """The call as it comes unstreamed."""
        texts = {key: "".join(pieces) for key, pieces in self._texts.items()}
        return {**({"id": self._id} if self._id else {}), "function": {**self._function, **texts}}


class ChatStream:
    """Chunks of the chat format."""

    def __init__(self) -> None:
        self.begun = False
        # Texts are put together once, at the end: adding to one again and again would copy it each time.
        self._texts: dict[str, list[str]] = {"content": []}
        self._calls: dict[int, _StreamedCall] = {}
        self._found: dict[str, JsonValue] = {}
        self._reason: JsonValue = None

    def add(self, event: JsonValue) -> None:
        """Adds one chunk's words, thoughts and pieces of calls."""
        if not isinstance(event, Mapping):
            return
        self._found |= {
            key: event[key] for key in ("model", "usage", "error", "system_fingerprint") if event.get(key)
        }
        choices = event.get("choices")
        choice = (
            choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
        )
        self._reason = choice.get("finish_reason") or self._reason
        delta = choice.get("delta")
        if not isinstance(delta, Mapping):
            return
        for name in TEXT_FIELDS:
            if isinstance(delta.get(name), str) and delta[name]:
                self.begun = True
                self._texts.setdefault(name, []).append(delta[name])
        pieces = delta.get("tool_calls")
        for place, piece in enumerate(pieces if isinstance(pieces, list) else []):
            if isinstance(piece, Mapping):
                self._add_call(piece, place)

    def _add_call(self, piece: Mapping[str, JsonValue], place: int) -> None:
        self.begun = True
        index = piece.get("index")
        self._calls.setdefault(index if isinstance(index, int) else place, _StreamedCall()).add(piece)

    @property
    def usage(self) -> JsonValue:
        """The endpoint's count of tokens, where one has come."""
        return self._found.get("usage")

    def whole(self) -> JsonValue | Failure:
        """The chunks as one chat completion; a stream without an end is none."""
        if self._found.get("error"):
            return {"error": self._found["error"], "usage": self.usage}
        if self._reason is None:
            return Failure("bad_response", "a stream that breaks off before its finish reason")
        message: dict[str, JsonValue] = {name: "".join(pieces) for name, pieces in self._texts.items()}
        if self._calls:
            message["tool_calls"] = [self._calls[index].whole() for index in sorted(self._calls)]
        return {**self._found, "choices": [{"message": message, "finish_reason": self._reason}]}


class ResponsesStream:
    """Events of the Responses format; the last one holds the whole answer."""

    def __init__(self) -> None:
        self.begun = False
        self._whole: JsonValue = None

    def add(self, event: JsonValue) -> None:
        """Notes the first words and keeps the end."""
        if not isinstance(event, Mapping):
            return
        kind = str(event.get("type") or "")
        self.begun |= kind.endswith(".delta")
        if kind in ENDS:
            self._whole = event.get("response")
        elif kind == "error":
            self._whole = {"error": {"message": event.get("message"), "code": event.get("code")}}

    @property
    def usage(self) -> JsonValue:
        """The endpoint's count of tokens, where one has come."""
        return self._whole.get("usage") if isinstance(self._whole, Mapping) else None

    def whole(self) -> JsonValue | Failure:
        """The response, which the last event holds."""
        return (
            Failure("bad_response", "a stream without response.completed")
            if self._whole is None
            else self._whole
        )
