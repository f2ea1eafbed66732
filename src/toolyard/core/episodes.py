"""Episodes that several benchmarks share."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from toolyard.core.types import Completion, Effects, Generate, JsonValue, Message, Request
from toolyard.core.untrusted.json_safe import json_safe

# The style whose native calls go through the project's server of the Model Context Protocol.
MCP = "mcp"
# The note of an episode whose calls came natively: the answer as the text styles would have it.
WRITTEN = "written"
# The note that counts calls that were repeated word for word.
REPEATED = "repeated_calls"
SAME_CALL = "You made this call before; this is its answer again."

AnswerNatively: TypeAlias = Callable[[Mapping[str, JsonValue]], Effects[str | None]]


@dataclass(frozen=True, slots=True)
class Functions:
    """What a model may call natively, and what a call returns: a text, or None where it was the last.

    `tools` is asked before every request: a search may have found more. `one_by_one`: a reply should make a single call,
    since the next one needs what it returns; `several`: it may make many. Endpoints are asked for it; where several come
    all the same, all are answered.
    """

    tools: Callable[[], tuple[Mapping[str, JsonValue], ...]]
    answer: AnswerNatively
    most_rounds: int
    one_by_one: bool = False
    several: bool = False


@dataclass(slots=True)
class RepeatedCalls:
    """Answers of the calls of an episode: a call that is repeated word for word gets its earlier answer, with a note.

    The second repetition of a call ends the episode (`ended`). That holds for every call, also for one that changes
    something: it is not made twice.
    """

    count: int = 0
    ended: bool = False
    known: dict[str, object] = field(default_factory=dict)
    repeated: set[str] = field(default_factory=set)

    def earlier(self, *call: object) -> Any:
        """What the call was answered with before; None where it is new, or where the model goes in circles."""
        key = _key_of_call(call)
        if key not in self.known:
            return None
        self.count += 1
        self.ended = self.ended or key in self.repeated
        self.repeated.add(key)
        return None if self.ended else self.known[key]

    def keep(self, answer: object, *call: object) -> None:
        """Remembers an answer, for the case that the call comes again."""
        self.known[_key_of_call(call)] = answer

    def notes(self) -> dict[str, JsonValue]:
        """What a transcript says of repeated calls: nothing where there were none."""
        return {REPEATED: self.count} if self.count else {}


def _key_of_call(call: tuple[object, ...]) -> str:
    return json.dumps(json_safe(list(call)), sort_keys=True)


def answer_at_once(answer: Callable[[Mapping[str, JsonValue]], str | None]) -> AnswerNatively:
    """Answers that need nothing from outside the episode."""

    def answer_call(call: Mapping[str, JsonValue]) -> Effects[str | None]:
        return answer(call)
        yield

    return answer_call


def answer_once(
    answer: AnswerNatively, repeats: RepeatedCalls, passes: Callable[[], bool] = lambda: False
) -> AnswerNatively:
    """The same answers, under the rule for repeated calls; a call whose failure `passes` may be made again."""

    def answer_call(call: Mapping[str, JsonValue]) -> Effects[str | None]:
        function = call.get("function")
        earlier = repeats.earlier(function)
        if earlier is not None or repeats.ended:
            return f"{earlier}\n{SAME_CALL}" if earlier is not None else None
        found = yield from answer(call)
        if not passes():
            repeats.keep(found, function)
        return found

    return answer_call


def count_replies(messages: Sequence[Message]) -> int:
    """How many replies were given before."""
    return sum(message.role == "assistant" for message in messages)


def call_reply(number: int, name: str, arguments: Mapping[str, JsonValue]) -> Completion:
    """A reply that makes one call and says nothing."""
    function: JsonValue = {"name": name, "arguments": json.dumps(json_safe(arguments), ensure_ascii=False)}
    call: dict[str, JsonValue] = {"id": f"call_{number}", "type": "function", "function": function}
    return Completion("", finish_reason="tool_calls", tool_calls=(call,))


def call_loop(
    request: Request, functions: Functions
) -> Effects[tuple[tuple[Message, ...], tuple[Completion, ...]]]:
    """Asks until a reply calls nothing, a call is the last, or the rounds are used up; every call is answered."""
    messages = request.messages
    completions: tuple[Completion, ...] = ()
    for _ in range(functions.most_rounds):
        completion: Completion = yield Generate(
            Request(
                messages=messages,
                decoding=request.decoding,
                sample=request.sample,
                tools=functions.tools(),
                parallel_calls=False if functions.one_by_one else functions.several or None,
            )
        )
        completions = (*completions, completion)
        messages = (*messages, completion.message)
        goes_on = bool(completion.tool_calls)
        for call in completion.tool_calls:
            result = yield from functions.answer(call)
            messages = (*messages, Message("tool", result or "", tool_call_id=str(call.get("id"))))
            goes_on = goes_on and result is not None
        if not goes_on:
            break
    return messages, completions
