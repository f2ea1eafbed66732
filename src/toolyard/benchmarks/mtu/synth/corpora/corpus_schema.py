"""The form that every dialogue corpus is read into: dialogues of turns with calls, and the tools they call.

    Dialogue("sgd/train/9_00000", "sgd", "train", topics=("Restaurant",), services=("Restaurants_1",),
             licence="CC BY-SA 4.0", turns=(
        DialogueTurn("I am hungry.", "In which city?", label="missing", intents=(("Restaurants_1", "FindRestaurants"),)),
        DialogueTurn("Oslo, and Thai food.", "How about The Blue Spoon?", label="call",
             slots={"Restaurants_1.city": "Oslo", "Restaurants_1.cuisine": "Thai"},
             calls=(DialogueCall("FindRestaurants", "Restaurants_1", {"city": "Oslo", "cuisine": "Thai"},
                         results=({"restaurant_name": "The Blue Spoon"},)),))))

A turn is one user utterance with everything up to the next. A tool is known by (service, name): the same
name may stand for other parameters in another service. What cannot be used is a `Skipped` in the same stream.

Topics (Figure 3) and licences are in `corpora.toml`. The five held-out topics are read off the tools of the official OOD
rows; the paper does not name them.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, TypeAlias, TypeVar, get_args

from toolyard.benchmarks.mtu.data.statistics import DOMAINS as WORDS
from toolyard.core.types import JsonValue, Record
from toolyard.text.counted_nouns import SMALL_NUMBERS, TENS
from toolyard.text.documents import Parameter
from toolyard.text.names import name_in_words

# The five situations of MTU-Bench Section 2.2: a call, information missing, confirmed, existing, and chat.
Label = Literal["call", "missing", "confirmed", "exists", "chat"]
LABELS: tuple[Label, ...] = get_args(Label)
# What a tool does: it looks something up, it changes something, or it plays something.
Verb = Literal["query", "create", "play"]
VERBS: tuple[Verb, ...] = get_args(Verb)


FAILED = {"error": "The request could not be carried out."}


@dataclass(frozen=True, slots=True)
class DialogueCall:
    """One call, as the corpus has it or in standard terms.

    `results` is None where the corpus records none, and empty where it was asked and nothing was found or done.
    `failed` says that the call did not do what it was for; an empty search is not failed. `found` is how many
    results there were where only some are kept, `description` what a model says of a tool that it made up.
    `resolved` are the values where arguments refer to what an earlier call of the turn returns, `returned` is
    what a turn shows of the results.
    """

    name: str
    arguments: Record = field(default_factory=dict)
    results: Sequence[Record] | None = None
    failed: bool = False
    found: int = 0
    service: str = ""
    description: str | None = None
    resolved: Record | None = None
    returned: object = None

    @property
    def observation(self) -> Any:
        """What it returned: an error where it failed, `{}` where nothing was found or nothing is recorded."""
        if self.returned is not None:
            return self.returned
        if self.failed:
            return FAILED
        if not self.results:
            return {}
        if self.found > len(self.results):
            return {"results": self.results, "more": True}
        return self.results[0] if len(self.results) == 1 else self.results


@dataclass(frozen=True, slots=True)
class DialogueTurn:
    """One user utterance, what it changed in the state (`service.slot` -> value), its calls and the reply.

    `label` is "call" exactly where there are calls; a corpus without annotation has label None (to be classified).
    `assistant` is empty where the corpus has no reply. In standard terms `wants` are the tools that are wanted,
    `known` by tool and parameter the words in which the user gave a value.
    """

    user: str
    assistant: str = ""
    label: Label | Literal["unable"] | None = None
    intents: tuple[tuple[str, str], ...] = ()
    slots: Record = field(default_factory=dict)
    calls: tuple[DialogueCall, ...] = ()
    wants: Sequence[str] = ()
    known: Mapping[str, Record] = field(default_factory=dict)
    thought: str = ""


@dataclass(frozen=True, slots=True)
class CorpusDialogue:
    """One dialogue; `id` is unique over all corpora, `topics` are those of Figure 3, sorted.

    `remarks` are stable labels of what was mended in it or left out of it.
    """

    id: str
    source: str
    split: str
    turns: tuple[DialogueTurn, ...]
    services: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    licence: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A dialogue that was left out: `reason` is a stable label, `where` names file and row."""

    reason: str
    where: str


Item: TypeAlias = CorpusDialogue | Skipped


@dataclass(frozen=True, slots=True)
class CorpusTool:
    """A tool of a corpus under its source name; `verb` is a hint from schema or name, None where there is none."""

    name: str
    service: str
    description: str
    required: tuple[Parameter, ...] = ()
    optional: tuple[Parameter, ...] = ()
    results: tuple[Parameter, ...] = ()
    verb: Verb | None = None
    topics: tuple[str, ...] = ()


DOMAINS: dict[str, tuple[str, ...]] = {domain: tuple(topics) for domain, topics in WORDS.items()}
HELD_OUT: tuple[str, ...] = DOMAINS["Others"]
TOPICS: tuple[str, ...] = tuple(topic for topics in DOMAINS.values() for topic in topics)
TABLES: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("corpora.toml").read_text("utf-8")
)
LICENCES = TABLES["licences"]
MULTIWOZ, METALWOZ = TABLES["multiwoz_topics"], TABLES["metalwoz_topics"]
SNIPS, TASKMASTER = TABLES["snips_topics"], TABLES["taskmaster_topics"]


def sgd_topic(service: str) -> str | None:
    """The topic of an SGD service, by its whole name or the part before the number."""
    return TABLES["sgd_topics"].get(service) or TABLES["sgd_topics"].get(service.rpartition("_")[0])


def sort_topics(found: Iterable[str | None]) -> tuple[str, ...]:
    """The topics there are, sorted, each once."""
    return tuple(sorted({topic for topic in found if topic}))


def public_dialogue(
    identity: str,
    split: str,
    turns: Iterable[DialogueTurn],
    services: Iterable[str],
    topics: Iterable[str | None],
    remarks: Iterable[str] = (),
) -> CorpusDialogue:
    """A dialogue of a public corpus, whose name begins the identity."""
    source = identity.partition("/")[0]
    known, licence = sort_topics(topics), LICENCES[source]
    return CorpusDialogue(
        identity, source, split, tuple(turns), tuple(services), known, licence, tuple(remarks)
    )


_SPACING_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\s+"), " "),
    (re.compile(r" (n't|'(?:s|m|d|re|ll|ve))\b", re.IGNORECASE), r"\1"),
    (re.compile(r" ([,.;:?!%)\]])"), r"\1"),
    (re.compile(r"([(\[$£#]) "), r"\1"),
    (re.compile(r"\b(can|Can) not\b"), r"\1not"),
    (re.compile(r"\b(gon|wan|got) (na|ta)\b", re.IGNORECASE), r"\1\2"),
)


def detokenise(text: str) -> str:
    """The text as a person would write it."""
    for pattern, replacement in _SPACING_RULES:
        text = pattern.sub(replacement, text)
    return text.strip()


_NUMBER_WORDS = SMALL_NUMBERS | TENS


def digits(text: str) -> str:
    """The number that the whole text names, up to 99, as digits; any other text as it is."""
    parts = text.lower().replace("-", " ").split()
    if len(parts) == 1 and parts[0] in _NUMBER_WORDS:
        return str(_NUMBER_WORDS[parts[0]])
    if len(parts) == 2 and parts[0] in TENS and 1 <= _NUMBER_WORDS.get(parts[1], 0) <= 9:
        return str(TENS[parts[0]] + _NUMBER_WORDS[parts[1]])
    return text


Utterance = TypeVar("Utterance")
Key = TypeVar("Key")
Value = TypeVar("Value")
_CONFIRMING = re.compile(
    r"\bis (?:that|this|it|everything|the order)\b[^?]{0,60}\b(?:right|correct|ok|okay|ready)\b"
    r"|\b(?:correct|right)\?|\b(?:confirm|shall i|should i|(?:would you like|do you want) me to)\b",
    re.IGNORECASE,
)
_OFFERING = re.compile(
    r"\b(?:anything else|what else|(?:how|what) (?:may|can|could) i (?:help|do|get))\b", re.IGNORECASE
)


@dataclass(slots=True)
class Exchange(Generic[Utterance]):
    """What the user says, in one utterance or several, and everything up to the next."""

    user: list[Utterance] = field(default_factory=list)
    assistant: list[Utterance] = field(default_factory=list)


def pair_utterances(
    utterances: Iterable[Utterance], is_user: Callable[[Utterance], bool]
) -> list[Exchange[Utterance]]:
    """The turns; a greeting of the assistant before the first user utterance belongs to none and is left out."""
    found: list[Exchange[Utterance]] = []
    for utterance in utterances:
        if is_user(utterance):
            if not found or found[-1].assistant:
                found.append(Exchange())
            found[-1].user.append(utterance)
        elif found:
            found[-1].assistant.append(utterance)
    return found


def group_values(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """All values of every key, in order."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def one_line(texts: Iterable[str]) -> str:
    """Texts as one, with single spaces."""
    return " ".join(" ".join(texts).split())


def label_turn(user: str, assistant: str, called: bool) -> Label:
    """The situation of a turn by its words (rules of ours, for corpora without system acts).

    A question that asks for agreement is a confirmation, any other but a general offer asks for what is missing;
    an answer to a user's question without a call was known before; the rest is chat.
    """
    if called:
        return "call"
    if _CONFIRMING.search(assistant):
        return "confirmed"
    if assistant.rstrip().endswith("?") and not _OFFERING.search(assistant):
        return "missing"
    if "?" in user and assistant:
        return "exists"
    return "chat"


# A parameter that at least this share of a tool's calls has is required.
REQUIRED_SHARE = 0.8
_TYPES = {bool: "boolean", int: "integer", float: "number", list: "array", dict: "object", str: "string"}
# What the first word of a name that changes something may be; any other but "play" asks.
_CREATING = frozenset(
    {"add", "book", "buy", "create", "delete", "finish", "make", "order", "rate", "remove", "reserve"}
    | {"send", "set", "transfer", "update"}
)


def tools_of_calls(
    calls: Iterable[DialogueCall],
    descriptions: Callable[[str], str],
    topics: Callable[[DialogueCall], tuple[str, ...]],
) -> tuple[CorpusTool, ...]:
    """One tool per (service, name), sorted; required is what `REQUIRED_SHARE` of its calls have."""
    uses = group_values(((call.service, call.name), call) for call in calls)
    return tuple(
        _tool_of_uses(own, descriptions(key[1]), topics(own[0])) for key, own in sorted(uses.items())
    )


def _tool_of_uses(calls: Sequence[DialogueCall], description: str, topics: tuple[str, ...]) -> CorpusTool:
    given = group_values(pair for call in calls for pair in call.arguments.items())
    ranked = sorted(given, key=lambda name: (-len(given[name]), name))
    often = [name for name in ranked if len(given[name]) >= REQUIRED_SHARE * len(calls)]
    required, optional = (
        tuple(_typed_parameter(name, given[name]) for name in ranked if (name in often) == wanted)
        for wanted in (True, False)
    )
    found = (result for call in calls for result in call.results or ())
    returned = group_values(pair for result in found for pair in result.items())
    results = tuple(_typed_parameter(name, values) for name, values in sorted(returned.items()))
    name, service = calls[0].name, calls[0].service
    first = name_in_words(name).partition(" ")[0]
    verb: Verb = "play" if first == "play" else "create" if first in _CREATING else "query"
    return CorpusTool(name, service, description, required, optional, results, verb, topics)


def _typed_parameter(name: str, values: Sequence[JsonValue]) -> Parameter:
    """A parameter of the type that most of its values have."""
    types = Counter(_TYPES.get(type(value), "string") for value in values)
    common = max(sorted(types), key=lambda kind: types[kind])
    return Parameter(name, common, f"The {' of the '.join(map(name_in_words, name.split('.')))}.")


def calls_of_items(items: Iterable[Item]) -> Iterator[DialogueCall]:
    """The calls of all dialogues in a stream."""
    for item in items:
        if isinstance(item, CorpusDialogue):
            yield from (call for turn in item.turns for call in turn.calls)


def one_or_all(found: Mapping[str, Sequence[JsonValue]]) -> dict[str, JsonValue]:
    """Values by name: the value where there is one, a list where a name has several."""
    return {name: values[0] if len(values) == 1 else [*values] for name, values in found.items()}
