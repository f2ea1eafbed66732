"""Completions kept by content: the same request to the same model is sent once.

Runs may share a folder. Failures and prompts that did not fit are never kept.
"""

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import CONTEXT_OVERFLOW
from toolyard.core.types import Completion, JsonValue, Request
from toolyard.models.base import Around, Model
from toolyard.models.cache.key_value_store import KeptStore
from toolyard.models.cache.stored_completions import completion_json, read_completion

LOG = logging.getLogger("toolyard")
FORMAT = 1
FILE = "completions.sqlite"


def request_key(identity: str, request: Request) -> str:
    """The digest of everything the answer may depend on: model, messages, decoding, tools, whose turn it is."""
    decoding = request.decoding
    parts = {
        "format": FORMAT,
        "model": identity,
        "messages": [
            [message.role, message.content, message.name, message.tool_calls, message.tool_call_id]
            + ([message.reasoning] if message.reasoning else [])
            for message in request.messages
        ],
        "decoding": [
            decoding.temperature, decoding.top_p, decoding.max_tokens, decoding.stop, decoding.logprobs,
        ],
        "tools": request.tools,
        **({"choice": request.tool_choice} if request.tool_choice else {}),
        **({"parallel": request.parallel_calls} if request.parallel_calls is not None else {}),
        "whose": [request.sample, request.trial, request.turn, request.seed],
    }  # fmt: skip
    text = json.dumps(parts, sort_keys=True, default=_plain_request_value)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain_request_value(value: JsonValue) -> JsonValue:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a request holds {type(value).__name__}, which JSON does not")


class CachedModel(Around):
    """A model that answers from a folder where it can; `hits` counts how often it did.

    `identity` must change when the answers may: it names the endpoint or the weights, not only the
    model. A kept completion comes back with latency 0 and marked as paid for.
    """

    def __init__(self, model: Model, folder: Path, *, identity: str = "") -> None:
        super().__init__(model)
        self.hits = 0
        self._identity = identity or model.name
        self._store = KeptStore(folder / FILE, advice="choose another --cache")
        # A folder that cannot hold a cache is noticed before the first answer is paid for.
        self._store.write({})

    @property
    def paced(self) -> bool:
        """Whether the model itself sends no more requests at once than its limits say."""
        return getattr(self._model, "paced", False)

    async def generate(self, request: Request) -> Completion:
        """The kept completion, or a new one, which is then kept."""
        key = bytes.fromhex(request_key(self._identity, request))
        kept = self._cached_completion(key)
        if kept is not None:
            self.hits += 1
            return replace(kept, latency=0.0, first_token=0.0, kept=True)
        completion = await self._model.generate(request)
        if completion.finish_reason != CONTEXT_OVERFLOW:
            self._store.write(
                {key: json.dumps(completion_json(completion), default=_plain_request_value).encode("ascii")}
            )
        return completion

    def _cached_completion(self, key: bytes) -> Completion | None:
        found = self._store.read([key])
        if key not in found:
            return None
        completion = _decode_completion(found[key])
        if completion is None:
            LOG.warning("a kept completion of %s cannot be read; it is asked for again", self.name)
        return completion


def _decode_completion(data: bytes) -> Completion | None:
    try:
        return read_completion(json.loads(data))
    except (TypeError, ValueError, RecursionError):
        return None
