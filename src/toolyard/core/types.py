"""The records that travel through an evaluation; all frozen, all plain data.

rows -> Sample -> Request/Completion -> Transcript -> prediction -> Question/Evidence -> Score
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, Protocol, Self, TypeAlias, cast

from typing_extensions import TypeVar

from toolyard.core.token_counts import Usage as Usage
from toolyard.core.untrusted.limits import CHARACTERS_PER_REPLY, limit_calls

# What JSON can say. A value of this type must be looked at before anything is done with it.
JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
# A JSON object of a known form, as one of our own files holds it: its fields are used without a check.
Record: TypeAlias = Mapping[str, Any]
# What a benchmark's prompts may read of a sample, and what only its scoring may. Code that serves every benchmark says
# plain `Sample` and looks into neither.
Input = TypeVar("Input", bound=Mapping[str, object], default=Record, covariant=True)
Gold = TypeVar("Gold", default=Any, covariant=True)
Returned = TypeVar("Returned")
Role = Literal["system", "user", "assistant", "tool"]
Profile = Literal["paper", "official"]
PROFILES: tuple[Profile, ...] = ("paper", "official")
# The note of a failed transcript that says what tokens went before the failure.
SPENT = "spent"
# The name of a text among a run's templates that goes before every request's own system message.
SYSTEM = "--system"


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation as it is sent to a model."""

    role: Role
    content: str
    name: str | None = None
    tool_calls: tuple[Mapping[str, JsonValue], ...] = ()
    tool_call_id: str | None = None
    # the thought behind an assistant's turn; sent back only to endpoints that want it
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Sample(Generic[Input, Gold]):
    """One thing to be measured: what the model may see, what it must not see, and where it belongs.

    `input` is all that prompts may read; `gold` is all that only scoring may read. Where a run takes a stratified part
    of the data, `weight` is how many clusters of its `stratum` the sample's cluster stands for. The gold of a `draft`
    is nobody's yet: it can be reviewed, and is refused wherever figures are made.
    """

    id: str
    input: Input
    gold: Gold
    cluster: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)
    stratum: str = ""
    weight: float = 1.0
    draft: bool = False

    def __post_init__(self) -> None:
        if not self.cluster:
            object.__setattr__(self, "cluster", self.id)

    def with_input(self, extra: Mapping[str, object]) -> Self:
        """The same sample with more to see, e.g. prepared distractors; what is added is of the input's own form."""
        return replace(self, input=cast(Input, {**self.input, **extra}))


# A sample of any benchmark, whatever its input and gold are.
AnySample: TypeAlias = Sample[Any, Any]


@dataclass(frozen=True, slots=True)
class Decoding:
    """How completions are drawn; part of the benchmark's record and of the manifest."""

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 1024
    stop: tuple[str, ...] = ()
    logprobs: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """What the user chose for a run, as far as prompts and episodes may depend on it."""

    style: str = ""
    seed: int = 0
    values: Mapping[str, str] = field(default_factory=dict)
    templates: Mapping[str, str] = field(default_factory=dict)
    world_seed: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """One call to a model. `sample`, `trial` and `turn` say whose it is; they are not sent.

    `tool_choice` is empty for the endpoint's default, or auto, required, none, or the name of one function;
    `parallel_calls` allows or forbids several calls in one reply, None leaves it to the endpoint.
    """

    messages: tuple[Message, ...]
    decoding: Decoding
    sample: str = ""
    trial: int = 0
    turn: int = 0
    seed: int | None = None
    tools: tuple[Mapping[str, JsonValue], ...] = ()
    tool_choice: str = ""
    parallel_calls: bool | None = None
    allotment: Allotment | None = field(default=None, compare=False, repr=False)


class Allotment(Protocol):
    """What a limit on cost has set aside for a request; `room`: tokens for thoughts."""

    room: int

    @property
    def is_first(self) -> bool:
        """Whether nobody knows yet what the model charges."""
        ...

    def estimate(self, written: int) -> Usage:
        """What an attempt takes at most that may write so many tokens."""
        ...

    def lose(self, usage: Usage, *, is_known: bool) -> None:
        """Counts an attempt that brought no answer; `is_known`: by the model's own count."""
        ...

    async def more(self, written: int) -> None:
        """Sets money aside for one more attempt that may write so many tokens; raises where the limit forbids it."""
        ...


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """One written token, its log-probability and the alternatives the endpoint named."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered, exactly as it did, within `limits.py`; thoughts stand apart from the answer.

    `first_token` is the time to the first token of a streamed answer, 0 where it was not streamed. `kept`: it was
    paid for before, by whoever asked first. `lost`: tokens of attempts before it that brought no answer and were, or may
    have been, charged for. `dropped_calls` and `dropped_characters` say what was beyond the limits.
    """

    text: str
    finish_reason: str = "stop"
    usage: Usage = Usage()
    latency: float = 0.0
    model: str = ""
    tool_calls: tuple[Mapping[str, JsonValue], ...] = ()
    logprobs: tuple[TokenLogprob, ...] = ()
    reasoning: str = ""
    first_token: float = 0.0
    kept: bool = False
    lost: Usage = Usage()
    dropped_calls: int = 0
    dropped_characters: int = 0

    def __post_init__(self) -> None:
        calls = limit_calls(self.tool_calls)
        if len(calls) < len(self.tool_calls):
            object.__setattr__(self, "dropped_calls", self.dropped_calls + len(self.tool_calls) - len(calls))
            object.__setattr__(self, "tool_calls", calls)
        for name in ("text", "reasoning"):
            written: str = getattr(self, name)
            if len(written) > CHARACTERS_PER_REPLY:
                dropped = self.dropped_characters + len(written) - CHARACTERS_PER_REPLY
                object.__setattr__(self, "dropped_characters", dropped)
                object.__setattr__(self, name, written[:CHARACTERS_PER_REPLY])

    @property
    def size(self) -> int:
        """Characters that the episode keeps of it."""
        calls = sum(len(str(call.get("function", ""))) for call in self.tool_calls)
        return len(self.text) + len(self.reasoning) + calls

    @property
    def without_content(self) -> Completion:
        """The reply of which nothing is kept but what it cost."""
        return replace(
            self,
            text="",
            reasoning="",
            tool_calls=(),
            logprobs=(),
            dropped_calls=self.dropped_calls + len(self.tool_calls),
            dropped_characters=self.dropped_characters + len(self.text) + len(self.reasoning),
        )

    @property
    def paid(self) -> Usage:
        """The tokens that this asking cost: none where the answer was kept from an earlier one."""
        return Usage() if self.kept else self.usage + self.lost

    @property
    def message(self) -> Message:
        """The answer as the next request repeats it."""
        return Message("assistant", self.text, tool_calls=self.tool_calls, reasoning=self.reasoning)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no completion, no verdict or no parse; `kind` is a stable label."""

    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Generate:
    """An effect of an episode: answer this request. The reply is a Completion."""

    request: Request


@dataclass(frozen=True, slots=True)
class Execute:
    """An effect of an episode: call this tool in the sample's own world. The reply is an Observation."""

    tool: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class AskUser:
    """An effect of an episode: put this question to the user of the sample. The reply is a string."""

    question: str


@dataclass(frozen=True, slots=True)
class Observation:
    """What a tool returned, as text for the model and as data for the checks."""

    text: str
    value: JsonValue = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class RunProgram:
    """An effect of an episode: start this program, or go on with one whose call was answered. The reply is a ProgramStop.

    A stopped program is its `state`, plain bytes: it holds no process while the episode waits for an answer.
    """

    source: str = ""
    functions: tuple[str, ...] = ()
    state: bytes = b""
    value: JsonValue = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class ProgramStop:
    """Where a program stopped: at a call of `function`, at its end, or at an error; and what it printed since it went on."""

    function: str = ""
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)
    state: bytes = b""
    printed: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class SearchTexts:
    """An effect of an episode: which of these texts fit a query? The reply is their places, best first."""

    query: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServeTools:
    """An effect of an episode: from now on every call goes through a server of the Model Context Protocol.

    The reply is what the server lists. It serves the scene's tools, or these functions, whose calls `answer` answers.
    """

    functions: tuple[Record, ...] = ()
    answer: Callable[[Record], str] | None = None


Effect: TypeAlias = Generate | Execute | AskUser | RunProgram | SearchTexts | ServeTools


@dataclass(frozen=True, slots=True)
class Conversation:
    """What one episode leaves for one sample: all messages, all completions, and notes for scoring."""

    messages: tuple[Message, ...]
    completions: tuple[Completion, ...]
    notes: Record = field(default_factory=dict)


# An episode is a generator that asks for effects and never performs one: the runner does, so that
# benchmarks stay pure and the same episode runs against a server, a script or a recorded file.
# What asks for effects, is sent the result of each, and returns something.
Effects: TypeAlias = Generator[Effect, Any, Returned]
Episode: TypeAlias = Effects[tuple[Conversation, ...]]


@dataclass(frozen=True, slots=True)
class Transcript:
    """One line of transcripts.jsonl: what happened for (sample, trial), or why nothing did."""

    sample: str
    trial: int = 0
    messages: tuple[Message, ...] = ()
    completions: tuple[Completion, ...] = ()
    notes: Record = field(default_factory=dict)
    error: Failure | None = None

    @classmethod
    def answered(cls, sample: str, text: str, trial: int = 0) -> Transcript:
        """The transcript of an answer of which nothing but the text is known."""
        return cls(sample, trial, completions=(Completion(text),))

    @property
    def text(self) -> str:
        """The last answer, exactly as the model wrote it; empty where there is none."""
        return self.completions[-1].text if self.completions else ""

    @property
    def is_cut(self) -> bool:
        """Whether any of its answers ended at the token limit."""
        return any(completion.finish_reason == "length" for completion in self.completions)

    @property
    def dropped(self) -> str:
        """What was beyond the limits of a reply, in words; empty where all was kept."""
        counts = {
            "calls": sum(completion.dropped_calls for completion in self.completions),
            "characters": sum(completion.dropped_characters for completion in self.completions),
        }
        found = " and ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        return f"{found} of its replies were dropped, beyond what is kept of a reply" if found else ""

    @property
    def usage(self) -> Usage:
        """Tokens that were paid for: of all its completions, or of those before the failure that ended it."""
        if SPENT in self.notes:
            return Usage(**self.notes[SPENT])
        return sum((completion.paid for completion in self.completions), Usage())


@dataclass(frozen=True, slots=True)
class Question:
    """Something that scoring must know and cannot compute: a judge's reply, a text similarity, what calls return.

    judge: `messages` go to the judge model; the evidence is its reply. A reply that does not match `grammar`
    (a regular expression) exactly once is followed by one more request, with `repair` as the next message.
    similarity: cosine of `text` against each of `candidates`; the evidence says which is nearest
    (first on ties), its cosine, and the cosine of `candidates[target]`.
    execution: `text` is a plan of calls; the reply of the evidence says what they returned in the world.
    """

    id: str
    kind: Literal["judge", "similarity", "execution"]
    messages: tuple[Message, ...] = ()
    text: str = ""
    candidates: tuple[str, ...] = ()
    target: int = 0
    grammar: str = ""
    repair: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The answer to one question, or the failure that stands in its place.

    `key` is the digest of the question's content: evidence is reused only for the very same question, asked of the
    same `model` at the same `temperature`. `judge_trial` tells repeated askings apart.
    """

    sample: str
    question: str
    trial: int = 0
    reply: str = ""
    nearest: int = -1
    nearest_similarity: float = 0.0
    target_similarity: float = 0.0
    model: str = ""
    usage: Usage = Usage()
    error: Failure | None = None
    key: str = ""
    judge_trial: int = 0
    temperature: float = 0.0


class Counts(NamedTuple):
    """Matches between predicted and gold items; add them, then ask for precision, recall and F1."""

    matched: float = 0
    predicted: float = 0
    gold: float = 0

    def __add__(self, other: Counts) -> Counts:  # type: ignore[override] # numbers, not a longer tuple
        return Counts(self.matched + other.matched, self.predicted + other.predicted, self.gold + other.gold)


@dataclass(frozen=True, slots=True)
class Score:
    """What one (sample, trial) earned under one profile, what was graded, and why points were lost.

    A value of None is not known and stays out of every mean. `unscored` is the reason why the whole
    sample has no score; `missing` gives reasons for single figures.
    """

    sample: str
    trial: int = 0
    values: Mapping[str, float | None] = field(default_factory=dict)
    counts: Mapping[str, Counts] = field(default_factory=dict)
    errors: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    # in the benchmark's own form, which its analyses read
    graded: Any = None
    reasons: tuple[str, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    unscored: str | None = None


def derived_seed(seed: int, sample: str, trial: int) -> int:
    """A seed that is stable under reordering, sharding and resuming."""
    digest = hashlib.blake2b(f"{seed}/{sample}/{trial}".encode("utf-8", "surrogatepass"), digest_size=4)
    return int.from_bytes(digest.digest())
