"""`inspect/PROVIDER/NAME`: any provider of inspect-ai as a model."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolyard.core.errors import CONTEXT_OVERFLOW, MissingExtra, ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, JsonValue, Message, Record, Request, TokenLogprob, Usage
from toolyard.models.base import CONCURRENCY, Limits, Model, Price, estimated_usage
from toolyard.models.cache.stored_completions import completion_json, read_completion
from toolyard.models.http.wire import TOP_LOGPROBS
from toolyard.models.key_scrubbing import Scrubber
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.spec import ModelSpec
from toolyard.text.json_values import mapping

if TYPE_CHECKING:
    from inspect_ai import model as inspect_model
    from inspect_ai.tool import ToolCall, ToolInfo

STOP_REASONS = {"max_tokens": "length"}
MARKUP = re.compile(r"\[/?[a-z]{1,16}\]")
# What the packages behind the usual providers raise where inspect-ai lets it through.
PROVIDER_ERRORS = (
    ("openai", "OpenAIError"),
    ("anthropic", "AnthropicError"),
    ("google.genai.errors", "APIError"),
    ("httpx", "HTTPError"),
)
KEY_ENDINGS = ("_API_KEY", "_TOKEN", "_ACCESS_KEY")
KINDS = {401: "bad_key", 403: "bad_key", 404: "not_found", 429: "rate_limited"}


class InspectModel:
    """A model of inspect-ai, called outside its evaluations; retries and connections are inspect's own.

    Failures that inspect-ai or the usual providers report leave one sample unanswered. An exception
    of any other kind is not ours to judge and ends the run, which can be resumed.
    """

    price: Price | None = None

    def __init__(self, provider_and_name: str, *, limits: Limits) -> None:
        try:
            from inspect_ai._util.error import PrerequisiteError
            from inspect_ai.model import get_model
        except ImportError as error:
            raise MissingExtra("inspect/... needs inspect-ai: pip install 'toolyard[inspect]'") from error
        self.name = f"inspect/{provider_and_name}"
        self._limits = limits
        # inspect-ai reads the keys itself: whichever of them a provider sends back is taken out.
        keys = [value for name, value in os.environ.items() if name.endswith(KEY_ENDINGS)]
        self._scrub = Scrubber(*keys)
        try:
            self._model: inspect_model.Model = get_model(provider_and_name, memoize=False)
        except (PrerequisiteError, ValueError) as error:
            words = " ".join(MARKUP.sub("", str(error)).split())
            raise UsageError(f"{self.name}: {words[:300]}") from error

    async def generate(self, request: Request) -> Completion:
        """The provider's answer."""
        config = generate_config(request.decoding).model_copy(
            update={
                "seed": request.seed,
                "max_retries": self._limits.retries,
                "attempt_timeout": max(1, round(self._limits.timeout)),
                "max_connections": self._limits.concurrency or CONCURRENCY,
            }
        )
        try:
            return _scrub_completion(await answer(self._model, request, config, self.name), self._scrub)
        except ProviderError as error:
            raise ProviderError(error.kind, self._scrub.text(str(error))) from None

    async def close(self) -> None:
        """Closes the provider's connections."""
        await self._model.api.aclose()


def generate_config(decoding: Decoding) -> inspect_model.GenerateConfig:
    """The decoding in inspect-ai's terms."""
    from inspect_ai.model import GenerateConfig

    return GenerateConfig(
        temperature=decoding.temperature,
        top_p=decoding.top_p if decoding.top_p != 1.0 else None,
        max_tokens=decoding.max_tokens,
        stop_seqs=list(decoding.stop) or None,
        logprobs=decoding.logprobs or None,
        top_logprobs=TOP_LOGPROBS if decoding.logprobs else None,
    )


async def answer(
    model: inspect_model.Model, request: Request, config: inspect_model.GenerateConfig, name: str
) -> Completion:
    """What a model of inspect-ai answers; a failure that it reports is a ProviderError."""
    started = asyncio.get_running_loop().time()
    try:
        output = await model.generate(
            [chat_message(message) for message in request.messages],
            tools=[_as_inspect_tool(tool) for tool in request.tools],
            config=config,
        )
    except _provider_errors() as error:
        kind = KINDS.get(getattr(error, "status_code", None) or 0, "provider_failed")
        words = getattr(error, "provider_message", None) or str(error)
        raise ProviderError(kind, f"{name}: {words[:300]}") from error
    return _from_inspect_output(output, request, asyncio.get_running_loop().time() - started)


def _provider_errors() -> tuple[type[Exception], ...]:
    from tenacity import RetryError

    loaded = ((sys.modules[module], name) for module, name in PROVIDER_ERRORS if module in sys.modules)
    return (
        RuntimeError,
        OSError,
        ValueError,
        RetryError,
        *(getattr(module, name) for module, name in loaded),
    )


def chat_message(message: Message) -> inspect_model.ChatMessage:
    """A message in inspect-ai's terms."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser

    if message.role == "system":
        return ChatMessageSystem(content=message.content)
    if message.role == "user":
        return ChatMessageUser(content=message.content)
    if message.role == "tool":
        return ChatMessageTool(
            content=message.content, tool_call_id=message.tool_call_id, function=message.name
        )
    calls = [_as_inspect_call(call) for call in message.tool_calls]
    return ChatMessageAssistant(content=message.content, tool_calls=calls or None)


def _as_inspect_call(call: Mapping[str, JsonValue]) -> ToolCall:
    from inspect_ai.tool import ToolCall

    function = mapping(call.get("function"))
    arguments = function.get("arguments", {})
    try:
        parsed = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        parsed = {}
    return ToolCall(
        id=str(call.get("id", "")),
        function=str(function.get("name", "")),
        arguments=parsed if isinstance(parsed, dict) else {},
    )


def _as_inspect_tool(tool: Record) -> ToolInfo:
    from inspect_ai.tool import ToolInfo, ToolParams

    function = tool.get("function", tool)
    schema = function.get("parameters") or {}
    parameters = ToolParams(properties=schema.get("properties", {}), required=schema.get("required", []))
    return ToolInfo(name=function["name"], description=function.get("description", ""), parameters=parameters)


def _from_inspect_output(output: inspect_model.ModelOutput, request: Request, latency: float) -> Completion:
    if output.error or not output.choices:
        raise ProviderError("provider_failed", f"{output.model}: {output.error or 'no choices'}"[:300])
    choice = output.choices[0]
    if choice.stop_reason == "model_length":
        # inspect-ai puts the endpoint's complaint where the answer would be.
        return Completion("", finish_reason=CONTEXT_OVERFLOW, latency=latency, model=output.model)
    text = choice.message.text
    parts = choice.message.content if isinstance(choice.message.content, list) else []
    usage = output.usage
    return Completion(
        text=text,
        finish_reason=STOP_REASONS.get(choice.stop_reason, choice.stop_reason),
        usage=Usage(
            usage.input_tokens,
            usage.output_tokens,
            int(getattr(usage, "reasoning_tokens", None) or 0),
            int(getattr(usage, "input_tokens_cache_read", None) or 0),
        )
        if usage
        else estimated_usage(request, text),
        latency=latency,
        model=output.model,
        tool_calls=tuple(_wire_call(call) for call in choice.message.tool_calls or ()),
        logprobs=tuple(
            _from_inspect_logprob(item) for item in (choice.logprobs.content if choice.logprobs else ())
        ),
        reasoning="".join(part.reasoning for part in parts if part.type == "reasoning"),
    )


def _scrub_completion(completion: Completion, scrub: Scrubber) -> Completion:
    found = read_completion(scrub.value(completion_json(completion)))
    return completion if found is None else found


def _wire_call(call: ToolCall) -> dict[str, JsonValue]:
    function = {"name": call.function, "arguments": json.dumps(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _from_inspect_logprob(item: inspect_model.Logprob) -> TokenLogprob:
    return TokenLogprob(
        item.token, item.logprob, tuple((other.token, other.logprob) for other in item.top_logprobs or ())
    )


def _load_inspect_model(spec: ModelSpec, context: LoadContext) -> Model:
    return InspectModel(spec.rest, limits=context.limits)


def _has_two_names(spec: ModelSpec) -> bool:
    return "/" in spec.name


PROVIDER = Provider("inspect/PROVIDER/NAME", _load_inspect_model, fits=_has_two_names)
