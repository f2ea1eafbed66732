"""Completions kept by content: the same request to the same model is sent once.

One file per completion, in place in one step: runs may share a folder, and a run that is killed
leaves no half answer. Failures and prompts that did not fit are never kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import DataError
from toolyard.core.types import Completion, Json, Request
from toolyard.models.base import Model, Price
from toolyard.models.stored import completion_json, read_completion
from toolyard.models.wire import CONTEXT_OVERFLOW

FORMAT = 1


def request_key(identity: str, request: Request) -> str:
    """The digest of everything the answer may depend on: model, messages, decoding, tools, whose turn it is."""
    decoding = request.decoding
    parts = {
        "format": FORMAT,
        "model": identity,
        "messages": [
            [message.role, message.content, message.name, message.tool_calls, message.tool_call_id]
            for message in request.messages
        ],
        "decoding": [
            decoding.temperature, decoding.top_p, decoding.max_tokens, decoding.stop, decoding.logprobs,
        ],
        "tools": request.tools,
        "whose": [request.sample, request.trial, request.turn, request.seed],
    }  # fmt: skip
    text = json.dumps(parts, sort_keys=True, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Json) -> Json:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a request holds {type(value).__name__}, which JSON does not")


class CachedModel:
    """A model that answers from a folder where it can; `hits` counts how often it did.

    `identity` must change when the answers may: it names the endpoint or the weights, not only the
    model. A kept completion comes back with latency 0.
    """

    def __init__(self, model: Model, folder: Path, *, identity: str = "") -> None:
        self.hits = 0
        self._model = model
        self._folder = folder
        self._identity = identity or model.name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(
                f"{folder} cannot hold a cache ({error.strerror}); choose another --cache"
            ) from error

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model.name

    @property
    def adjustments(self) -> tuple[str, ...]:
        """What the endpoint made the model leave out of its requests."""
        return tuple(getattr(self._model, "adjustments", ()))

    @property
    def price(self) -> Price | None:
        """The model's own price."""
        return self._model.price

    async def generate(self, request: Request) -> Completion:
        """The kept completion, or a new one, which is then kept."""
        path = self._path(request)
        kept = _read(path)
        if kept is not None:
            self.hits += 1
            return replace(kept, latency=0.0)
        completion = await self._model.generate(request)
        if completion.finish_reason != CONTEXT_OVERFLOW:
            _write(path, completion)
        return completion

    async def close(self) -> None:
        """Closes the model."""
        await self._model.close()

    def _path(self, request: Request) -> Path:
        key = request_key(self._identity, request)
        return self._folder / key[:2] / f"{key[2:]}.json"


def _read(path: Path) -> Completion | None:
    try:
        return read_completion(json.loads(path.read_bytes()))
    except (FileNotFoundError, ValueError):
        return None


def _write(path: Path, completion: Completion) -> None:
    path.parent.mkdir(exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "w", encoding="ascii") as file:
        json.dump(completion_json(completion), file, default=_plain)
    Path(scratch).replace(path)
