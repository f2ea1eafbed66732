"""The ReAct loop (Section 3.1): at most nine rounds of thought, call and observation."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from toolyard.benchmarks.tooleyes.data.documents import documents_of
from toolyard.benchmarks.tooleyes.data.sample import ASK, FINISH, ToolEyesSample
from toolyard.benchmarks.tooleyes.task.prompt import (
    BESIDE,
    PARALLEL,
    effective_templates,
    function_schemas,
    missing_prompt,
    prompt,
    python_documents,
)
from toolyard.benchmarks.tooleyes.task.rounds import Round, read_round, recover_round
from toolyard.core.benchmark import RunSetup
from toolyard.core.episodes import MCP, REPEATED, SAME_CALL, RepeatedCalls
from toolyard.core.errors import UsageError
from toolyard.core.perturbations import MOMENTARY, PARTIAL, PerturbedCalls, sample_perturbation
from toolyard.core.programs import (
    CODE,
    MOST_FAILURES,
    REPAIR,
    CallAnswer,
    ProgramLog,
    program_in,
    run_program,
)
from toolyard.core.tool_search import SEARCH, SEARCH_TOOLS, ToolSearch
from toolyard.core.types import (
    AskUser,
    Completion,
    Conversation,
    Decoding,
    Effects,
    Episode,
    Execute,
    Failure,
    Generate,
    JsonValue,
    Message,
    Observation,
    Options,
    Record,
    Request,
    ServeTools,
)
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.text.json_values import mapping
from toolyard.text.parsing import read_json, read_literal
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
# Failures and further pages take none of the rounds, as long as these are not so many times as many.
MOST_EXTRA = 4 * MAX_ROUNDS


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
    repeats: RepeatedCalls = field(default_factory=RepeatedCalls)
    search: ToolSearch | None = None
    served: tuple[Record, ...] = ()
    programs: ProgramLog | None = None
    perturbed: PerturbedCalls = field(default_factory=PerturbedCalls)

    @property
    def counted_rounds(self) -> int:
        """The rounds less those that a perturbation took."""
        return len(self.completions) - min(self.perturbed.extra, MOST_EXTRA)

    @property
    def failed_twice(self) -> bool:
        """Whether the program that repairs another one failed, too."""
        return self.programs is not None and len(self.programs.errors) >= MOST_FAILURES

    def add(self, source: str, value: str, **more: JsonValue) -> None:
        """One more turn of the conversation."""
        self.conversation.append({"from": source, "value": value, **more})

    def finish(self, style: str) -> Conversation:
        """The whole episode as one conversation with notes for scoring."""
        notes = {
            "conversation": self.conversation,
            "style": style,
            "rounds": len(self.completions),
            "forced": None if self.answered else REPEATED if self.repeats.ended else TOO_MANY_ROUNDS,
            "dropped": self.dropped,
            **self.repeats.notes(),
            **self.perturbed.notes(),
            **(self.programs.notes() if self.programs else {}),
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
        return call_text(turn.thought, turn.action, turn.arguments_text) if self.recovered else turn.text


def episode(samples: tuple[ToolEyesSample, ...], setup: RunSetup) -> Episode:
    """Every sample by itself."""
    conversations: tuple[Conversation, ...] = ()
    for sample in samples:
        conversations += ((yield from _play_sample(sample, setup)),)
    return conversations


def _play_sample(sample: ToolEyesSample, setup: RunSetup) -> Effects[Conversation]:
    options = setup.options
    if lacking := missing_prompt(sample, options):
        raise UsageError(
            f"--style {options.style} needs the official {lacking}; give the folder that holds it"
        )
    log = _begin_log(sample, options)
    if options.style == MCP:
        log.served = yield ServeTools()
    change = sample.input.get("change")
    while log.counted_rounds < MAX_ROUNDS:
        completion: Completion = yield Generate(_make_request(sample, log, setup))
        log.completions.append(completion)
        round_of_style = (
            _program(completion, sample, log) if log.programs else _play_round(completion, log, options)
        )
        ended = yield from round_of_style
        if change is not None and (ended or log.counted_rounds >= change["after_round"]):
            # A user who is answered before the request changed says it then: otherwise haste would be rewarded.
            _say_change(log, str(change["text"]))
            change, ended = None, False
        log.answered = ended
        if ended or log.repeats.ended or log.failed_twice:
            break
    return log.finish(options.style)


def _begin_log(sample: ToolEyesSample, options: Options) -> Log:
    log = Log(list(prompt(sample, options)), perturbed=PerturbedCalls(sample_perturbation(sample)))
    if options.style == CODE:
        log.programs = ProgramLog()
    if options.style == SEARCH:
        known = {str(each["function"]["name"]): each for each in function_schemas(sample)}
        own = _own_functions(sample)
        log.search = ToolSearch({name: each for name, each in known.items() if name not in own}, own)
    return log


def _make_request(sample: ToolEyesSample, log: Log, setup: RunSetup) -> Request:
    return Request(
        messages=tuple(trim_messages(log, context_limit(setup.options) + _further_tokens(sample, log))),
        decoding=_loop_decoding(setup),
        sample=sample.id,
        tools=_functions_to_offer(sample, log, setup.options.style),
        parallel_calls=True if setup.options.style == PARALLEL else None,
    )


def _functions_to_offer(sample: ToolEyesSample, log: Log, style: str) -> tuple[Record, ...]:
    if log.search is not None:
        return log.search.functions()
    if log.served:
        return (*log.served, *_own_functions(sample).values())
    return function_schemas(sample) if style in BESIDE else ()


def _own_functions(sample: ToolEyesSample) -> dict[str, Record]:
    """What the loop itself performs: no search and no server has it."""
    known = {str(each["function"]["name"]): each for each in function_schemas(sample)}
    return {name: known[name] for name in (ASK, FINISH) if name in known}


def _loop_decoding(setup: RunSetup) -> Decoding:
    """The run's decoding; a loop that recovers stops the model at its own keywords, as agent loops do."""
    if not recovers_calls(setup.options):
        return setup.decoding
    return replace(setup.decoding, stop=(*setup.decoding.stop, *STOPS))


def recovers_calls(options: Options) -> bool:
    """Whether the first complete call of a faulty round is made."""
    return options.style not in (*BESIDE, CODE) and options.values.get("recover") == "yes"


def context_limit(options: Options) -> int:
    """The tokens that `--context` allows."""
    wanted = options.values.get("context", str(CONTEXT_TOKENS))
    if not wanted.isdecimal() or len(wanted) > 9:
        raise UsageError(
            f"--context {wanted} is not a number of tokens; give e.g. --context {CONTEXT_TOKENS}"
        )
    return int(wanted)


def _further_tokens(sample: ToolEyesSample, log: Log) -> int:
    """What takes no room from results: the tool list of a row with more than one subcategory, and perturbations."""
    documents = documents_of(sample) if sample.input.get("offers") else ()
    listed = sum(len(json.dumps(document)) for document in documents)
    return (listed + log.perturbed.added) // CHARACTERS_PER_TOKEN


def trim_messages(log: Log, limit: int) -> list[Message]:
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


def _play_round(completion: Completion, log: Log, options: Options) -> Effects[bool]:
    """Performs the calls of one completion; whether the model has finished."""
    calls = read_calls(completion, native=options.style in BESIDE)
    if recovers_calls(options):
        calls = tuple(_recover_call(call) for call in calls)
    native = tuple(call for call in completion.tool_calls) if calls and calls[0].id is not None else ()
    spoken = calls[0].spoken if calls and calls[0].recovered else completion.text
    log.messages.append(Message("assistant", spoken, tool_calls=native, reasoning=completion.reasoning))
    ended = False
    for call in calls:
        name = call.turn.action.lower()
        # A search for tools is no round of the official form: it stands in the messages alone.
        if log.search is None or name != SEARCH_TOOLS:
            log.add("assistant", call.turn.text, **({"recovered": True} if call.recovered else {}))
        if name == FINISH:
            ended = True
            if call.id is not None:
                log.messages.append(
                    Message("tool", "The answer was given to the user.", tool_call_id=call.id)
                )
            continue
        yield from _perform_call(call, log, options)
    return ended


def _perform_call(call: ToolCall, log: Log, options: Options) -> Effects[None]:
    turn = call.turn
    if not turn.callable or not isinstance(turn.arguments, Mapping):
        complaint = render(effective_templates(options)["format_complaint"], {}).strip()
        log.add("user", complaint, kind="format")
        log.messages.append(_tool_message(call, complaint))
        return
    earlier = log.repeats.earlier(turn.action, turn.arguments)
    if log.repeats.ended:
        return
    answered = earlier or (yield from _answer_call(turn.action, turn.arguments, log))
    # A search may find the tool, and then the same call is another one.
    sought = log.search is not None and turn.action not in log.search.offered_names
    if not sought and answered.get("error") not in MOMENTARY:
        log.repeats.keep(answered, turn.action, turn.arguments)
    if answered["source"] != SEARCH:
        log.add(**_turn_record(answered))
    text = f"{_seen_text(answered)}\n{SAME_CALL}" if earlier else _seen_text(answered)
    if answered["source"] == "function":
        log.observed.append(len(log.messages))
        text = text if call.id is not None else OBSERVATION + text
    log.messages.append(_tool_message(call, text))


def _answer_call(action: str, arguments: Mapping[str, JsonValue], log: Log) -> Effects[dict[str, object]]:
    """The turn of the conversation that answers a call: the user's where they are asked, else the tool's.

    `seen` is what the model gets to see where that is something else.
    """
    search = log.search
    if search is not None and action == SEARCH_TOOLS:
        return {"source": SEARCH, "value": (yield from search.search(arguments))}
    if search is not None and action not in search.found:
        text = json.dumps(
            {"error": f"there is no function {action} among those found; {SEARCH_TOOLS} finds more"}
        )
        return {"source": "function", "value": text, "error": "unknown_tool"}
    if action.lower() == ASK:
        reply: str = yield AskUser(question_to_user(arguments))
        return {"source": "user", "value": reply, "kind": "reply"}

    def make(given: Mapping[str, JsonValue]) -> Effects[Observation]:
        result: Observation = yield Execute(action, given)
        return result

    result = yield from log.perturbed.perform(action, arguments, make)
    return {
        "source": "function",
        "value": result.record,
        **({"error": result.error} if result.error else {}),
        **({"seen": result.text} if result.text != result.record else {}),
    }


def _seen_text(answered: Mapping[str, object]) -> str:
    return str(answered.get("seen", answered["value"]))


def _turn_record(answered: Mapping[str, object]) -> Record:
    return {key: value for key, value in answered.items() if key != "seen"}


def _program(completion: Completion, sample: ToolEyesSample, log: Log) -> Effects[bool]:
    """Runs the program of a reply; whether it came to its end. Its calls are rounds, as if they had been made one by one."""
    assert log.programs is not None
    log.messages.append(completion.message)
    names = {name: str(document["name"]) for name, document in python_documents(sample).items()}

    def answer(name: str, arguments: Mapping[str, JsonValue]) -> Effects[CallAnswer]:
        written = json.dumps(json_safe(arguments), ensure_ascii=False)
        earlier = log.repeats.earlier(name, arguments)
        if earlier is None or log.repeats.ended:
            log.add("assistant", call_text("", names[name], written))
        if names[name] == FINISH or log.repeats.ended:
            return CallAnswer(ends=True)
        answered = earlier or (yield from _answer_call(names[name], arguments, log))
        if answered.get("error") not in MOMENTARY:
            log.repeats.keep(answered, name, arguments)
        if earlier is None:
            log.add(**_turn_record(answered))
        text = _seen_text(answered)
        if answered.get("error", PARTIAL) != PARTIAL:
            return CallAnswer(refusal=text)
        value = read_json(text) if answered["source"] == "function" else text
        return CallAnswer(text if isinstance(value, Failure) else value)

    error = yield from run_program(program_in(completion.text), tuple(names), answer, log.programs)
    if not error:
        return not log.repeats.ended
    log.add("assistant", completion.text)
    log.add("user", error, kind="format")
    log.messages.append(Message("user", REPAIR.format(error=error)))
    return False


def _recover_call(call: ToolCall) -> ToolCall:
    turn = recover_round(call.turn)
    return call if turn is call.turn else replace(call, turn=turn, recovered=True)


def _tool_message(call: ToolCall, text: str) -> Message:
    if call.id is None:
        return Message("user", text)
    return Message("tool", text, tool_call_id=call.id)


def _say_change(log: Log, text: str) -> None:
    log.add("user", text, kind="change")
    log.messages.append(Message("user", text))


def question_to_user(arguments: Mapping[str, JsonValue]) -> str:
    """What the model wants to know from the user."""
    value = arguments.get("question", next(iter(arguments.values()), ""))
    return value if isinstance(value, str) else str(value)


def read_calls(completion: Completion, *, native: bool) -> tuple[ToolCall, ...]:
    """The calls of one completion, in order; without native ones the text is read as ReAct."""
    if native and completion.tool_calls:
        first, *others = completion.tool_calls
        repeated = completion.text[:REPEATED_THOUGHT]
        return (_native_call(first, completion.text), *(_native_call(call, repeated) for call in others))
    turn = read_round(completion.text)
    if native and not turn.action and completion.text.strip():
        # An endpoint with native calls answers in plain words when it is done.
        answer = json.dumps({"answer": completion.text.strip()}, ensure_ascii=False)
        return (ToolCall(read_round(call_text("", FINISH, answer))),)
    return (ToolCall(turn),)


def _native_call(call: Mapping[str, JsonValue], thought: str) -> ToolCall:
    function = mapping(call.get("function"))
    raw = function.get("arguments")
    arguments = raw if isinstance(raw, str) else json.dumps(raw if raw is not None else {})
    turn = read_round(call_text(thought, str(function.get("name") or ""), arguments.strip() or "{}"))
    value = read_literal(arguments.strip() or "{}", lenient=True)
    if isinstance(value, Failure) or not isinstance(value, Mapping):
        value = Failure("not_json", arguments[:80])
    return ToolCall(replace(turn, arguments=value), str(call.get("id") or "call"))


def call_text(thought: str, action: str, arguments: str) -> str:
    """A call in the form of the text styles."""
    one_line = " ".join(thought.split())
    return f"Thought: {one_line}\nAction: {action}\nAction Input: {arguments}"
