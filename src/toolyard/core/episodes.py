"""Episodes that several benchmarks share."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolyard.core.json_safe import json_safe
from toolyard.core.types import (
    Completion,
    Conversation,
    Effect,
    Episode,
    Generate,
    JsonValue,
    Message,
    Request,
    Sample,
)

if TYPE_CHECKING:
    from toolyard.core.benchmark import RunSetup

# The note of an episode whose calls came natively: the answer as the text styles would have it.
WRITTEN = "written"


def one_shot(samples: tuple[Sample, ...], setup: RunSetup) -> Episode:
    """One prompt, one answer, for each sample by itself."""
    conversations = []
    for sample in samples:
        messages = setup.benchmark.task.prompt(sample, setup.options)
        completion: Completion = yield Generate(
            Request(messages=messages, decoding=setup.decoding, sample=sample.id)
        )
        conversations.append(Conversation((*messages, completion.message), (completion,)))
    return tuple(conversations)


@dataclass(frozen=True, slots=True)
class Functions:
    """What a model may call natively, and what a call returns: a text, or None where it was the last.

    `one_by_one`: a reply should make a single call, since the next one needs what it returns. Endpoints are asked for it;
    where several come all the same, all are answered.
    """

    tools: tuple[Mapping[str, JsonValue], ...]
    answer: Callable[[Mapping[str, JsonValue]], str | None]
    most_rounds: int
    one_by_one: bool = False


def step_of(messages: Sequence[Message]) -> int:
    """How many replies were given before."""
    return sum(message.role == "assistant" for message in messages)


def call_reply(number: int, name: str, arguments: Mapping[str, JsonValue]) -> Completion:
    """A reply that makes one call and says nothing."""
    function: JsonValue = {"name": name, "arguments": json.dumps(json_safe(arguments), ensure_ascii=False)}
    call: dict[str, JsonValue] = {"id": f"call_{number}", "type": "function", "function": function}
    return Completion("", finish_reason="tool_calls", tool_calls=(call,))


def call_loop(
    request: Request, functions: Functions
) -> Generator[Effect, Any, tuple[tuple[Message, ...], tuple[Completion, ...]]]:
    """Asks until a reply calls nothing, a call is the last, or the rounds are used up; every call is answered."""
    messages = request.messages
    completions: tuple[Completion, ...] = ()
    for _ in range(functions.most_rounds):
        completion: Completion = yield Generate(
            Request(
                messages=messages,
                decoding=request.decoding,
                sample=request.sample,
                tools=functions.tools,
                parallel_calls=False if functions.one_by_one else None,
            )
        )
        completions = (*completions, completion)
        messages = (*messages, completion.message)
        results = [(call, functions.answer(call)) for call in completion.tool_calls]
        messages += tuple(
            Message("tool", result or "", tool_call_id=str(call.get("id"))) for call, result in results
        )
        if not results or any(result is None for _, result in results):
            break
    return messages, completions
