"""`hf/`: a model in this process. The engine itself is tried where torch is installed."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Sequence

import pytest

from toolyard.core.errors import MissingExtra, UsageError
from toolyard.core.types import Completion, Decoding, Json, Message, Request
from toolyard.models.asking import Asking
from toolyard.models.hf import HfModel, load_hf
from toolyard.models.hf_engine import Prompt, Weights, Written, tagged_calls
from toolyard.models.local import bundled
from toolyard.models.spec import ModelSpec

TORCH = importlib.util.find_spec("torch") is not None and importlib.util.find_spec("transformers") is not None


class Echo:
    """An engine without weights: it repeats the last words and notes its batches."""

    context, template, version = 100, "{{ messages }}", "echo 1"

    def __init__(self) -> None:
        self.batches: list[list[int]] = []

    def rendered(self, messages: Sequence[Message], tools: Json = ()) -> str:
        return messages[-1].content

    def prompt(self, request: Request, room: int) -> Prompt:
        return Prompt(request, tuple(range(len(request.messages[-1].content))), room)

    def write(self, prompts: Sequence[Prompt]) -> list[Written]:
        self.batches.append([len(prompt.tokens) for prompt in prompts])
        return [self._one(prompt) for prompt in prompts]

    def _one(self, prompt: Prompt) -> Written:
        text = prompt.request.messages[-1].content
        if text.startswith("think"):
            return Written("<think>hm</think>yes" if prompt.room else "<think>hm", 5, bool(prompt.room))
        return Written(text, len(text), ended=True)


def ask(words: Sequence[str], batch: int = 2, **decoding: Json) -> tuple[Echo, HfModel, list[Completion]]:
    model, engine = HfModel("hf/echo", Weights("echo"), batch=batch, asking=Asking()), Echo()
    model._engine = engine  # type: ignore[assignment]
    tools: tuple[dict[str, Json], ...] = ({"type": "function", "function": {"name": "find"}},)

    async def run() -> list[Completion]:
        requests = (
            Request((Message("user", word),), Decoding(**{"max_tokens": 20, **decoding}), tools=tools)
            for word in words
        )
        return await asyncio.gather(*map(model.generate, requests))

    return engine, model, asyncio.run(run())


def test_requests_that_wait_together_are_batched_by_length() -> None:
    engine, _, answers = ask(["a", "bbbb", "cc", "ddddd"])
    assert [answer.text for answer in answers] == ["a", "bbbb", "cc", "ddddd"]
    assert engine.batches == [[5, 4], [2, 1]]
    assert answers[1].usage.prompt_tokens == 4


def test_a_prompt_that_does_not_fit_and_an_answer_that_goes_on() -> None:
    _, _, (long, short) = ask(["x" * 90, "one\nUser: two"], stop=("\nUser:",))
    assert long.finish_reason == "context_overflow"
    assert (short.text, short.finish_reason) == ("one", "stop")


def test_a_model_that_thinks_gets_room_here_too() -> None:
    _, model, (answer,) = ask(["think"])
    assert (answer.text, answer.reasoning) == ("yes", "hm")
    assert model.serving["reasoning_tokens"] == 8192


def test_tool_calls_in_tags_are_calls() -> None:
    text = 'Look.<tool_call>{"name": "find", "arguments": {"city": "Oslo"}}</tool_call>'
    _, _, (answer,) = ask([text])
    assert answer.text == "Look."
    assert answer.tool_calls[0]["function"] == {"name": "find", "arguments": '{"city": "Oslo"}'}
    assert tagged_calls("<tool_call>{broken}</tool_call>") == ("<tool_call>{broken}</tool_call>", [])


@pytest.mark.parametrize("settings", ["dtype=int4", "batch=0", "lora=x"])
def test_a_wrong_setting_is_refused(settings: str) -> None:
    with pytest.raises(UsageError):
        load_hf(ModelSpec.parse(f"hf/m?{settings}"))


@pytest.mark.skipif(TORCH, reason="torch is installed")
def test_without_torch_the_install_line_is_named() -> None:
    model = load_hf(ModelSpec.parse("hf/org/m"))
    with pytest.raises(MissingExtra, match=r"pip install 'toolyard\[hf\]'"):
        asyncio.run(model.generate(Request((Message("user", "hi"),), Decoding())))


@pytest.mark.skipif(not TORCH, reason="torch and transformers are not installed")
def test_the_bundled_weights_answer_in_process() -> None:
    model = load_hf(ModelSpec.parse(f"hf/{bundled().weights}?batch=2"))

    async def run() -> list[Completion]:
        words = ("Name a colour.", "Name three birds, one a line.")
        requests = (Request((Message("user", word),), Decoding(max_tokens=8)) for word in words)
        return await asyncio.gather(*map(model.generate, requests))

    answers = asyncio.run(run())
    assert all(answer.text for answer in answers)
    assert all(0 < answer.usage.completion_tokens <= 8 for answer in answers)
    assert model.serving["template_sha256"]
