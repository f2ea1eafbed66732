"""The ReAct loop (Section 3.1): at most nine rounds of thought, call and observation."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from toolyard.benchmarks.tooleyes.documents import ASK, FINISH, documents_of
from toolyard.benchmarks.tooleyes.prompt import NATIVE, function_schemas, missing_prompt, prompt, templates_of
from toolyard.benchmarks.tooleyes.rounds import Round, read_round, recovered
from toolyard.benchmarks.tooleyes.sample import ToolEyesSample
from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import UsageError
from toolyard.core.types import (
    AskUser,
    Completion,
    Conversation,
    Decoding,
    Effect,
    Episode,
    Execute,
    Failure,
    Generate,
    JsonValue,
    Message,
    Observation,
    Options,
    Request,
)
from toolyard.text.parsing import read_literal
from toolyard.text.templates import render

MAX_ROUNDS = 9
CONTEXT_TOKENS = 6800
CHARACTERS_PER_TOKEN = 4
OBSERVATION = "Observation: "
# What follows a round's call is the tool's to say, or the user's.
STOPS = ("\nObservation:", "\nUser:")
# Every call of a reply carries its thought; of a long one the calls after the first carry so many characters.
REPEATED_THOUGHT = 10_000
TOO_MANY_ROUNDS = "too_many_rounds"


@dataclass(slots=True)
class Log:
    """What an episode leaves: all messages, the conversation in the official form, and what was dropped."""

    messages: list[Message]
    completions: list[Completion] = field(default_factory=list)
    conversation: list[dict[str, JsonValue]] = field(default_factory=list)
    dropped: list[dict[str, JsonValue]] = field(default_factory=list)
    # places of observations in `messages`, oldest first
    observed: list[int] = field(default_factory=list)
    answered: bool = False

    def add(self, source: str, value: str, **more: JsonValue) -> None:
        """One more turn of the conversation."""
        self.conversation.append({"from": source, "value": value, **more})

    def finish(self, style: str) -> Conversation:
        """The whole episode as one conversation with notes for scoring."""
        notes = {
            "conversation": self.conversation,
            "style": style,
            "rounds": len(self.completions),
            "forced": None if self.answered else TOO_MANY_ROUNDS,
            "dropped": self.dropped,
        }
        return Conversation(tuple(self.messages), tuple(self.completions), notes)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a round; `id` is the endpoint's where calls are native.

    `recovered` marks the first call of a round whose format was at fault.
    """

    turn: Round
    id: str | None = None
    recovered: bool = False

    @property
    def spoken(self) -> str:
        """What the conversation goes on with: of a recovered round nothing but the call that was made."""
        turn = self.turn
        return written(turn.thought, turn.action, turn.arguments_text) if self.recovered else turn.text


def episode(samples: tuple[ToolEyesSample, ...], setup: RunSetup) -> Episode:
    """Every sample by itself."""
    conversations: tuple[Conversation, ...] = ()
    for sample in samples:
        conversations += ((yield from _play(sample, setup)),)
    return conversations


def _play(sample: ToolEyesSample, setup: RunSetup) -> Generator[Effect, Any, Conversation]:
    options = setup.options
    if lacking := missing_prompt(sample, options):
        raise UsageError(
            f"--style {options.style} needs the official {lacking}; give the folder that holds it"
        )
    log = Log(list(prompt(sample, options)))
    change = sample.input.get("change")
    for number in range(1, MAX_ROUNDS + 1):
        completion: Completion = yield Generate(_request(sample, log, setup))
        log.completions.append(completion)
        ended = yield from _round(completion, log, options)
        if change is not None and (ended or number >= change["after_round"]):
            # A user who is answered before the request changed says it then: otherwise haste would be rewarded.
            _say_change(log, str(change["text"]))
            change, ended = None, False
        if ended:
            log.answered = True
            break
    return log.finish(options.style)


def _request(sample: ToolEyesSample, log: Log, setup: RunSetup) -> Request:
    return Request(
        messages=tuple(trimmed(log, context_limit(setup.options) + _tokens_of_offers(sample))),
        decoding=_decoding(setup),
        sample=sample.id,
        tools=function_schemas(sample) if setup.options.style == NATIVE else (),
    )


def _decoding(setup: RunSetup) -> Decoding:
    """The run's decoding; a loop that recovers stops the model at its own keywords, as agent loops do."""
    if not recovers(setup.options):
        return setup.decoding
    return replace(setup.decoding, stop=(*setup.decoding.stop, *STOPS))


def recovers(options: Options) -> bool:
    """Whether the first complete call of a faulty round is made."""
    return options.style != NATIVE and options.values.get("recover") == "yes"


def context_limit(options: Options) -> int:
    """The tokens that `--context` allows."""
    wanted = options.values.get("context", str(CONTEXT_TOKENS))
    if not wanted.isdecimal() or len(wanted) > 9:
        raise UsageError(
            f"--context {wanted} is not a number of tokens; give e.g. --context {CONTEXT_TOKENS}"
        )
    return int(wanted)


def _tokens_of_offers(sample: ToolEyesSample) -> int:
    """The tokens of the tool list of a row that offers more than one subcategory: it takes no room from results."""
    if not sample.input.get("offers"):
        return 0
    return sum(len(json.dumps(document)) for document in documents_of(sample)) // CHARACTERS_PER_TOKEN


def trimmed(log: Log, limit: int) -> list[Message]:
    """The messages within about `limit` tokens: the oldest observations make room, and say so."""
    messages = list(log.messages)
    size = sum(len(message.content) for message in messages)
    gone = {entry["message"] for entry in log.dropped}
    for place in log.observed:
        if place not in gone and size <= limit * CHARACTERS_PER_TOKEN:
            break
        length = len(messages[place].content)
        note = f"{OBSERVATION}(left out to make room: {length} characters of an earlier result)"
        messages[place] = replace(messages[place], content=note)
        size -= length - len(note)
        if place not in gone:
            log.dropped.append(
                {"before_round": len(log.completions) + 1, "message": place, "characters": length}
            )
    return messages


def _round(completion: Completion, log: Log, options: Options) -> Generator[Effect, Any, bool]:
    """Performs the calls of one completion; whether the model has finished."""
    calls = read_calls(completion, native=options.style == NATIVE)
    if recovers(options):
        calls = tuple(_recovered(call) for call in calls)
    native = tuple(call for call in completion.tool_calls) if calls and calls[0].id is not None else ()
    spoken = calls[0].spoken if calls and calls[0].recovered else completion.text
    log.messages.append(Message("assistant", spoken, tool_calls=native, reasoning=completion.reasoning))
    ended = False
    for call in calls:
        log.add("assistant", call.turn.text, **({"recovered": True} if call.recovered else {}))
        name = call.turn.action.lower()
        if name == FINISH:
            ended = True
            if call.id is not None:
                log.messages.append(
                    Message("tool", "The answer was given to the user.", tool_call_id=call.id)
                )
            continue
        yield from _perform(call, log, options)
    return ended


def _perform(call: ToolCall, log: Log, options: Options) -> Generator[Effect, Any, None]:
    turn = call.turn
    if not turn.callable or not isinstance(turn.arguments, Mapping):
        complaint = render(templates_of(options)["format_complaint"], {}).strip()
        log.add("user", complaint, kind="format")
        log.messages.append(_reply(call, complaint))
    elif turn.action.lower() == ASK:
        reply: str = yield AskUser(question_of(turn.arguments))
        log.add("user", reply, kind="reply")
        log.messages.append(_reply(call, reply))
    else:
        result: Observation = yield Execute(turn.action, turn.arguments)
        log.add("function", result.text, **({"error": result.error} if result.error else {}))
        log.observed.append(len(log.messages))
        log.messages.append(_reply(call, result.text if call.id is not None else OBSERVATION + result.text))


def _recovered(call: ToolCall) -> ToolCall:
    turn = recovered(call.turn)
    return call if turn is call.turn else replace(call, turn=turn, recovered=True)


def _reply(call: ToolCall, text: str) -> Message:
    if call.id is None:
        return Message("user", text)
    return Message("tool", text, tool_call_id=call.id)


def _say_change(log: Log, text: str) -> None:
    log.add("user", text, kind="change")
    log.messages.append(Message("user", text))


def question_of(arguments: Mapping[str, JsonValue]) -> str:
    """What the model wants to know from the user."""
    value = arguments.get("question", next(iter(arguments.values()), ""))
    return value if isinstance(value, str) else str(value)


def read_calls(completion: Completion, *, native: bool) -> tuple[ToolCall, ...]:
    """The calls of one completion, in order; without native ones the text is read as ReAct."""
    if native and completion.tool_calls:
        first, *others = completion.tool_calls
        repeated = completion.text[:REPEATED_THOUGHT]
        return (
            _native_call(first, completion.text),
            *(_native_call(call, repeated) for call in others),
        )
    turn = read_round(completion.text)
    if native and not turn.action and completion.text.strip():
        # An endpoint with native calls answers in plain words when it is done.
        answer = json.dumps({"answer": completion.text.strip()}, ensure_ascii=False)
        return (ToolCall(read_round(written("", FINISH, answer))),)
    return (ToolCall(turn),)


def _native_call(call: Mapping[str, JsonValue], thought: str) -> ToolCall:
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    raw = function.get("arguments")
    arguments = raw if isinstance(raw, str) else json.dumps(raw if raw is not None else {})
    turn = read_round(written(thought, str(function.get("name") or ""), arguments.strip() or "{}"))
    value = read_literal(arguments.strip() or "{}", lenient=True)
    if isinstance(value, Failure) or not isinstance(value, Mapping):
        value = Failure("not_json", arguments[:80])
    return ToolCall(replace(turn, arguments=value), str(call.get("id") or "call"))


def written(thought: str, action: str, arguments: str) -> str:
    """A call in the form of the text styles."""
    one_line = " ".join(thought.split())
    return f"Thought: {one_line}\nAction: {action}\nAction Input: {arguments}"
