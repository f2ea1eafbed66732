"""`hf/NAME_OR_FOLDER`: a Hugging Face model in this process, with transformers.

hf/models/my-model?adapter=adapters/run3&dtype=bfloat16&batch=16

Weights are read from a folder, a GGUF file, or what was downloaded before under that name; nothing is fetched.
Requests under way share every step of the model, and each that is done makes room for one that waits.
"""

import asyncio
import hashlib
import importlib.util
from dataclasses import replace
from pathlib import Path

from toolyard.core.errors import CONTEXT_OVERFLOW, MissingExtra, UsageError
from toolyard.core.types import Completion, JsonValue, Message, Request, Usage
from toolyard.models.base import CONCURRENCY, Model, Price
from toolyard.models.hf.engine import CLOSING, Engine, tagged_calls
from toolyard.models.hf.model_weights import DTYPES, INSTALL, Weights
from toolyard.models.hf.request_queue import Prompt, Written
from toolyard.models.http.request_settings import ROOM_UNASKED, Asking, read_asking
from toolyard.models.http.thoughts import THOUGHT_CUT, limit_answer, separate_thought
from toolyard.models.http.tool_calls import ReadCalls, read_calls
from toolyard.models.http.wire import cut_at_stop
from toolyard.models.local.gguf import fingerprint_file
from toolyard.models.local.served_model import FREE, price_at_home
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.shown_tools import ANY_TOOL, NO_TOOLS_SHOWN, shows_any_tool, tool_use_facts
from toolyard.models.spec import ModelSpec

SETTINGS = ("adapter", "merge", "dtype", "batch", "reasoning", "reasoning_tokens", "extra")
EXAMPLE = (Message("system", "{system}"), Message("user", "{user}"))
PARSER = "tool_call tags"


class HfModel:
    """A model in this process; it is loaded at the first request.

    At temperature 0 the text may still differ in rare cases, because what is computed together rounds differently.
    """

    price: Price | None = FREE

    def __init__(self, name: str, weights: Weights, *, batch: int, asking: Asking) -> None:
        self.name = name
        self.thought_tokens = asking.thought_tokens or 0
        self._weights = weights
        self._asking = asking
        self._batch = batch
        self._engine: Engine | None = None
        self._loading: asyncio.Future[Engine] | None = None
        self._tools_sent = False

    @property
    def identity(self) -> str:
        """What the answers depend on: the content of the weights and of the adapter."""
        weights, beside = self._weights, self._weights.adapter and not self._weights.merge
        adapter = _content_digest(weights.adapter) + (" beside" if beside else "")
        return f"hf/{_content_digest(weights.name)}+{adapter}{self._asking.identity}"

    @property
    def serving(self) -> dict[str, JsonValue]:
        """How the answers came about, for the manifest."""
        engine = self._engine
        if engine is None:
            return {}
        facts = {
            "surface": "in process",
            "server": engine.version,
            "parser": PARSER,
            "batching": engine.batching,
            "adapter": ("merged" if self._weights.merge else "beside the weights")
            if self._weights.adapter
            else "",
            "template_sha256": hashlib.sha256(engine.template.encode()).hexdigest(),
            "rendered_prompt": engine.render_prompt(EXAMPLE[1:])[:4000],
            "reasoning": self._asking.effort,
            "reasoning_tokens": self.thought_tokens,
            **({} if shows_any_tool(engine.render_prompt(EXAMPLE[1:], (ANY_TOOL,))) else NO_TOOLS_SHOWN),
        }
        return tool_use_facts({key: value for key, value in facts.items() if value}, self._tools_sent)

    async def generate(self, request: Request) -> Completion:
        """The model's answer, as part of a batch."""
        self._tools_sent = self._tools_sent or bool(request.tools)
        if self._engine is None:
            self._engine = await self._load_engine()
        while True:
            room = self.thought_tokens
            prompt = self._engine.prompt(request, room)
            if len(prompt.tokens) + request.decoding.max_tokens > self._engine.context:
                return Completion("", finish_reason=CONTEXT_OVERFLOW, model=self.name)
            started = asyncio.get_running_loop().time()
            written = await asyncio.wrap_future(self._engine.submit(prompt))
            found = self._completion(prompt, written, asyncio.get_running_loop().time() - started)
            if found.finish_reason != THOUGHT_CUT or room or self._asking.thought_tokens is not None:
                return limit_answer(found, request.decoding.max_tokens) if room else found
            self.thought_tokens = ROOM_UNASKED

    async def _load_engine(self) -> Engine:
        """The engine, loaded once for everybody who waits for it."""
        if self._loading is None:
            self._loading = asyncio.ensure_future(asyncio.to_thread(Engine, self._weights, self._batch))
        return await asyncio.shield(self._loading)

    def _completion(self, prompt: Prompt, written: Written, latency: float) -> Completion:
        request = prompt.request
        text, found = _text_and_calls(prompt, written)
        stopped = any(stop in text for stop in request.decoding.stop)
        completion = separate_thought(
            Completion(
                text=text,
                finish_reason="tool_calls"
                if found.calls
                else "stop"
                if written.ended or stopped
                else "length",
                usage=Usage(len(prompt.tokens), written.tokens),
                latency=latency,
                model=self.name,
                tool_calls=found.calls,
                dropped_calls=found.dropped,
            )
        )
        return replace(completion, text=cut_at_stop(completion.text, request.decoding.stop))

    async def close(self) -> None:
        """Ends the engine and forgets the weights."""
        engine, self._engine, self._loading = self._engine, None, None
        if engine is not None:
            await asyncio.to_thread(engine.close)


def _text_and_calls(prompt: Prompt, written: Written) -> tuple[str, ReadCalls]:
    """The text of an answer and the calls in it."""
    request, text = prompt.request, prompt.lead + written.text
    if not request.tools or request.tool_choice == "none":
        return text, ReadCalls()
    if prompt.lead and written.ended and CLOSING not in text:
        # A call that was begun for the model is over when the answer is.
        text += CLOSING
    rest, raw = tagged_calls(text)
    found = read_calls({"tool_calls": [call for call in raw if isinstance(call, dict)]})
    return rest, ReadCalls(found.calls[:1]) if request.parallel_calls is False else found


def _content_digest(name: str) -> str:
    """A digest of a folder's or a file's content; a name that is no path stands for itself."""
    path = Path(name).expanduser()
    if path.is_file():
        return fingerprint_file(path)
    if not path.is_dir():
        return name
    digest = hashlib.sha256()
    for file in sorted(path.iterdir()):
        if file.suffix in (".safetensors", ".json", ".model", ".gguf", ".jinja"):
            digest.update(f"{file.name} {fingerprint_file(file)}\n".encode())
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
    merge = spec.settings.get("merge", "yes")
    if merge not in ("yes", "no"):
        raise UsageError(f"merge={merge[:40]}: wanted yes or no")
    weights = Weights(spec.name, spec.settings.get("adapter", ""), dtype, template, merge == "yes")
    return HfModel(spec.display, weights, batch=int(batch or concurrency or CONCURRENCY), asking=asking)


def _load_hf_model(spec: ModelSpec, context: LoadContext) -> Model:
    model = load_hf(spec, context.limits.concurrency)
    if not all(importlib.util.find_spec(package) for package in ("torch", "transformers")):
        raise MissingExtra(INSTALL)
    return model


PROVIDER = Provider(
    "hf/NAME_OR_FOLDER[?adapter=DIR&merge=no&dtype=NAME]",
    _load_hf_model,
    lambda spec: price_at_home(spec, *SETTINGS),
)
