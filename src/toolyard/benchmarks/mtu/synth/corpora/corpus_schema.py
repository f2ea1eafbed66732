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
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from toolyard.core.types import JsonValue, Record

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
class CorpusParameter:
    """One parameter or result of a tool; `choices` is empty where anything may stand, `default` None for none."""

    name: str
    type: str = "string"
    description: str = ""
    choices: tuple[JsonValue, ...] = ()
    default: JsonValue = None
    format: str = ""


@dataclass(frozen=True, slots=True)
class CorpusTool:
    """A tool of a corpus under its source name; `verb` is a hint from schema or name, None where there is none."""

    name: str
    service: str
    description: str
    required: tuple[CorpusParameter, ...] = ()
    optional: tuple[CorpusParameter, ...] = ()
    results: tuple[CorpusParameter, ...] = ()
    verb: Verb | None = None
    topics: tuple[str, ...] = ()
