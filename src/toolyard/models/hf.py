"""`hf/NAME_OR_FOLDER`: a Hugging Face model in this process, with transformers.

hf/models/my-model?adapter=adapters/run3&dtype=bfloat16&batch=16

Weights are read from a folder, a GGUF file, or what was downloaded before under that name; nothing is fetched.
Requests that wait together are answered in batches of like length.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import UsageError
from toolyard.core.types import Completion, Json, Message, Request, Usage
from toolyard.models.asking import ROOM_UNASKED, Asking, read_asking
from toolyard.models.base import CONCURRENCY, Model, Price
from toolyard.models.gguf import fingerprint
from toolyard.models.hf_engine import DTYPES, Engine, Prompt, Weights, Written, tagged_calls
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.served import FREE
from toolyard.models.spec import ModelSpec
from toolyard.models.thoughts import THOUGHT_CUT, apart, held_to
from toolyard.models.tool_calls import read_calls
from toolyard.models.wire import CONTEXT_OVERFLOW, cut_at

SETTINGS = ("adapter", "dtype", "batch", "reasoning", "reasoning_tokens", "extra")
# Seconds to wait for more requests before a batch that is not full is begun.
GATHERING = 0.02
EXAMPLE = (Message("system", "{system}"), Message("user", "{user}"))
PARSER = "tool_call tags"


class HfModel:
    """A model in this process; it is loaded at the first request.

    A batch shares its decoding and one seed. At temperature 0 padding may still change a text in rare cases.
    """

    price: Price | None = FREE

    def __init__(self, name: str, weights: Weights, *, batch: int, asking: Asking) -> None:
        self.name = name
        self.thought_tokens = asking.thought_tokens or 0
        self._weights = weights
        self._asking = asking
        self._batch = batch
        self._engine: Engine | None = None
        self._waiting: list[tuple[Prompt, asyncio.Future[Written]]] = []
        self._worker: asyncio.Task[None] | None = None

    @property
    def identity(self) -> str:
        """What the answers depend on: the content of the weights and of the adapter."""
        return f"hf/{_content(self._weights.name)}+{_content(self._weights.adapter)}{self._asking.identity}"

    @property
    def serving(self) -> dict[str, Json]:
        """How the answers came about, for the manifest."""
        engine = self._engine
        if engine is None:
            return {}
        facts = {
            "surface": "in process",
            "server": engine.version,
            "parser": PARSER,
            "template_sha256": hashlib.sha256(engine.template.encode()).hexdigest(),
            "rendered_prompt": engine.rendered(EXAMPLE[1:])[:4000],
            "reasoning": self._asking.effort,
            "reasoning_tokens": self.thought_tokens,
        }
        return {key: value for key, value in facts.items() if value}

    async def generate(self, request: Request) -> Completion:
        """The model's answer, as part of a batch."""
        if self._engine is None:
            self._engine = await self._loaded()
        while True:
            room = self.thought_tokens
            prompt = self._engine.prompt(request, room)
            if len(prompt.tokens) + request.decoding.max_tokens > self._engine.context:
                return Completion("", finish_reason=CONTEXT_OVERFLOW, model=self.name)
            started = asyncio.get_running_loop().time()
            written = await self._queued(prompt)
            found = self._completion(prompt, written, asyncio.get_running_loop().time() - started)
            if found.finish_reason != THOUGHT_CUT or room or self._asking.thought_tokens is not None:
                return held_to(found, request.decoding.max_tokens) if room else found
            self.thought_tokens = ROOM_UNASKED

    async def _loaded(self) -> Engine:
        """The engine, loaded once for everybody who waits for it."""
        if not hasattr(self, "_loading"):
            self._loading = asyncio.ensure_future(asyncio.to_thread(Engine, self._weights))
        return await asyncio.shield(self._loading)

    async def _queued(self, prompt: Prompt) -> Written:
        result: asyncio.Future[Written] = asyncio.get_running_loop().create_future()
        self._waiting.append((prompt, result))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.ensure_future(self._work())
        return await result

    async def _work(self) -> None:
        """Answers what waits, batch by batch, until nothing does."""
        engine = self._engine
        while self._waiting and engine is not None:
            await asyncio.sleep(GATHERING)
            batch = self._next_batch()
            prompts = [prompt for prompt, _ in batch]
            try:
                answers = await asyncio.to_thread(engine.write, prompts)
            except BaseException as error:
                for _, result in batch:
                    if not result.done():
                        result.set_exception(error)
                raise
            for (_, result), answer in zip(batch, answers, strict=True):
                if not result.done():
                    result.set_result(answer)

    def _next_batch(self) -> list[tuple[Prompt, asyncio.Future[Written]]]:
        """The longest prompt that waits and those nearest to it in length, all of one decoding."""
        decoding = max(self._waiting, key=lambda item: len(item[0].tokens))[0].request.decoding
        alike = [item for item in self._waiting if item[0].request.decoding == decoding]
        alike.sort(key=lambda item: -len(item[0].tokens))
        batch = alike[: self._batch]
        taken = {id(item) for item in batch}
        self._waiting = [item for item in self._waiting if id(item) not in taken]
        return batch

    def _completion(self, prompt: Prompt, written: Written, latency: float) -> Completion:
        request = prompt.request
        text, raw = tagged_calls(written.text) if request.tools else (written.text, [])
        calls = read_calls({"tool_calls": [call for call in raw if isinstance(call, dict)]}).calls
        stopped = any(stop in text for stop in request.decoding.stop)
        found = apart(
            Completion(
                text=text,
                finish_reason="tool_calls" if calls else "stop" if written.ended or stopped else "length",
                usage=Usage(len(prompt.tokens), written.tokens),
                latency=latency,
                model=self.name,
                tool_calls=calls,
            )
        )
        return replace(found, text=cut_at(found.text, request.decoding.stop))

    async def close(self) -> None:
        """Forgets the weights."""
        self._engine = None


def _content(name: str) -> str:
    """A digest of a folder's or a file's content; a name that is no path stands for itself."""
    path = Path(name).expanduser()
    if path.is_file():
        return fingerprint(path)
    if not path.is_dir():
        return name
    digest = hashlib.sha256()
    for file in sorted(path.iterdir()):
        if file.suffix in (".safetensors", ".json", ".model", ".gguf", ".jinja"):
            digest.update(f"{file.name} {fingerprint(file)}\n".encode())
    return digest.hexdigest()


def load_hf(spec: ModelSpec, concurrency: int | None = None) -> HfModel:
    """The model behind `hf/NAME_OR_FOLDER`."""
    spec.refuse_other_settings(*SETTINGS)
    asking = read_asking(spec)
    template = dict(asking.extra)
    if asking.effort == "none":
        template = {"enable_thinking": False, **template}
    dtype, batch = spec.settings.get("dtype", "auto"), spec.settings.get("batch", "")
    if dtype not in DTYPES:
        raise UsageError(f"dtype={dtype[:40]}: wanted {', '.join(DTYPES)}")
    if batch and (not batch.isdecimal() or int(batch) < 1):
        raise UsageError(f"batch={batch[:40]}: wanted a number from 1 up, e.g. batch=16")
    weights = Weights(spec.name, spec.settings.get("adapter", ""), dtype, template)
    return HfModel(spec.display, weights, batch=int(batch or concurrency or CONCURRENCY), asking=asking)


def _load(spec: ModelSpec, context: LoadContext) -> Model:
    return load_hf(spec, context.limits.concurrency)


def _price(spec: ModelSpec) -> Price | None:
    spec.refuse_other_settings(*SETTINGS)
    return FREE


PROVIDER = Provider("hf/NAME_OR_FOLDER[?adapter=DIR&dtype=NAME]", _load, _price)
