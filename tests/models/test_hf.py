"""`hf/`: a model in this process. The engine itself is tried where torch is installed."""

import asyncio
import importlib.util
from collections.abc import Sequence
from typing import Any

import pytest

from toolyard.core.errors import MissingExtra, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request
from toolyard.models.hf.engine import answer_beginning, tagged_calls
from toolyard.models.hf.hf_model import HfModel, _text_and_calls, load_hf
from toolyard.models.hf.model_weights import Weights
from toolyard.models.hf.request_queue import Answered, Prompt, Queue, Written
from toolyard.models.http.request_settings import Asking
from toolyard.models.http.tool_calls import ReadCalls
from toolyard.models.loading import load_model
from toolyard.models.shown_tools import UNSEEN_TOOLS, unseen_tools_note
from toolyard.models.spec import ModelSpec

TORCH = importlib.util.find_spec("torch") is not None and importlib.util.find_spec("transformers") is not None


class Echo:
    """A writer without weights: it repeats the last words, one letter a step, and notes who shared a step."""

    batching = "continuous"

    def __init__(self, slots: int) -> None:
        self.slots, self.steps = slots, list[list[int]]()
        self._rows: list[tuple[Prompt, int]] = []

    @property
    def live(self) -> int:
        return len(self._rows)

    def take(self, waiting: Sequence[Prompt]) -> Sequence[Prompt]:
        taken = waiting[: self.slots - self.live]
        self._rows += [(prompt, len(prompt.tokens)) for prompt in taken]
        return taken

    def advance(self) -> Sequence[Answered]:
        self.steps.append([len(prompt.tokens) for prompt, _ in self._rows])
        self._rows = [(prompt, left - 1) for prompt, left in self._rows]
        done = [prompt for prompt, left in self._rows if left == 0]
        self._rows = [(prompt, left) for prompt, left in self._rows if left > 0]
        return [Answered(prompt, self._one(prompt)) for prompt in done]

    def drop(self) -> None:
        self._rows = []

    def _one(self, prompt: Prompt) -> Written:
        text = prompt.request.messages[-1].content
        if text.startswith("think"):
            return Written("<think>hm</think>yes" if prompt.room else "<think>hm", 5, bool(prompt.room))
        return Written(text, len(text), ended=True)


class EchoEngine:
    """The writer behind its queue, as an engine."""

    context, template, version, batching = 100, "{{ messages }}", "echo 1", "continuous"

    def __init__(self, slots: int) -> None:
        self.writer = Echo(slots)
        self.queue = Queue(self.writer)
        self.submit, self.close = self.queue.submit, self.queue.close

    def render_prompt(self, messages: Sequence[Message], tools: Any = ()) -> str:
        return messages[-1].content

    def prompt(self, request: Request, room: int) -> Prompt:
        return Prompt(request, tuple(range(len(request.messages[-1].content))), room)


def ask(
    words: Sequence[str], batch: int = 2, **decoding: Any
) -> tuple[Echo, dict[str, Any], list[Completion]]:
    model, engine = HfModel("hf/echo", Weights("echo"), batch=batch, asking=Asking()), EchoEngine(batch)
    model._engine = engine  # type: ignore[assignment]
    tools: tuple[dict[str, Any], ...] = ({"type": "function", "function": {"name": "find"}},)

    async def run() -> list[Completion]:
        requests = (
            Request((Message("user", word),), Decoding(**{"max_tokens": 20, **decoding}), tools=tools)
            for word in words
        )
        found = await asyncio.gather(*map(model.generate, requests))
        facts.update(model.serving)
        await model.close()
        return found

    facts: dict[str, Any] = {}
    return engine.writer, facts, asyncio.run(run())


def test_a_request_that_is_done_makes_room_for_one_that_waits() -> None:
    writer, _, answers = ask(["a", "bbbb", "cc", "d"])
    assert [answer.text for answer in answers] == ["a", "bbbb", "cc", "d"]
    # Two at a time: "cc" begins when "a" is done, "d" when "cc" is, and "bbbb" goes on meanwhile.
    assert writer.steps == [[1, 4], [4, 2], [4, 2], [4, 1]]
    assert answers[1].usage.prompt_tokens == 4


def test_room_and_stops_hold_here_too() -> None:
    _, _, (long, short) = ask(["x" * 90, "one\nUser: two"], stop=("\nUser:",))
    assert long.finish_reason == "context_overflow"
    assert (short.text, short.finish_reason) == ("one", "stop")
    _, serving, (answer,) = ask(["think"])
    assert (answer.text, answer.reasoning) == ("yes", "hm")
    assert serving["reasoning_tokens"] == 8192
    assert unseen_tools_note({"serving": ask(["a"])[1]}) == UNSEEN_TOOLS


def test_tool_calls_in_tags_are_calls() -> None:
    text = 'Look.<tool_call>{"name": "find", "arguments": {"city": "Oslo"}}</tool_call>'
    _, _, (answer,) = ask([text])
    assert answer.text == "Look."
    assert answer.tool_calls[0]["function"] == {"name": "find", "arguments": '{"city": "Oslo"}'}
    assert tagged_calls("<tool_call>{broken}</tool_call>") == ("<tool_call>{broken}</tool_call>", [])


def test_a_call_that_must_come_is_begun_and_one_that_must_not_is_no_call() -> None:
    assert answer_beginning("required") == '<tool_call>\n{"name": "'
    assert answer_beginning("find") == '<tool_call>\n{"name": "find", "arguments": '
    assert [answer_beginning(choice) for choice in ("", "auto", "none")] == [""] * 3
    tools: tuple[dict[str, Any], ...] = ({"type": "function", "function": {"name": "find"}},)
    request = Request((), Decoding(), tools=tools, tool_choice="find")
    forced = Prompt(request, (), 0, answer_beginning("find"))
    text, calls = _text_and_calls(forced, Written('{"to": "Skye"}}', 9, ended=True))
    assert (text, calls.calls[0]["function"]) == ("", {"name": "find", "arguments": '{"to": "Skye"}'})
    cut, none = _text_and_calls(forced, Written('{"to": ', 3, ended=False))
    assert (cut, none) == ('<tool_call>\n{"name": "find", "arguments": {"to": ', ReadCalls())
    two = '<tool_call>{"name": "a", "arguments": {}}</tool_call>' * 2
    single = Prompt(Request((), Decoding(), tools=tools, parallel_calls=False), (), 0)
    assert len(_text_and_calls(single, Written(two, 9, ended=True))[1].calls) == 1
    forbidden = Prompt(Request((), Decoding(), tools=tools, tool_choice="none"), (), 0)
    assert _text_and_calls(forbidden, Written(two, 9, ended=True)) == (two, ReadCalls())


@pytest.mark.parametrize("settings", ["dtype=int4", "batch=0", "lora=x", "merge=maybe"])
def test_a_wrong_setting_is_refused(settings: str) -> None:
    with pytest.raises(UsageError):
        load_hf(ModelSpec.parse(f"hf/m?{settings}"))


@pytest.mark.skipif(TORCH, reason="torch is installed")
def test_without_torch_the_install_line_is_named() -> None:
    model = load_hf(ModelSpec.parse("hf/org/m"))
    with pytest.raises(MissingExtra, match=r"pip install 'toolyard\[hf\]'"):
        asyncio.run(model.generate(Request((Message("user", "hi"),), Decoding())))
    with pytest.raises(MissingExtra, match=r"pip install 'toolyard\[hf\]'"):
        load_model("hf/org/m")
