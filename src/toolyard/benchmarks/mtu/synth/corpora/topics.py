"""Topics (Figure 3) and licences, from `corpora.toml`: a dialogue carries the set of its topics.

The five held-out topics are read off the tools of the official OOD rows; the paper does not name them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from toolyard.benchmarks.mtu.data.statistics import DOMAINS as WORDS
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusDialogue, DialogueCall, DialogueTurn
from toolyard.core.types import JsonValue

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


def topics_of(found: Iterable[str | None]) -> tuple[str, ...]:
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
    return CorpusDialogue(
        identity,
        source,
        split,
        tuple(turns),
        tuple(services),
        topics_of(topics),
        LICENCES[source],
        tuple(remarks),
    )


def labelled_utterance(
    identity: str, text: str, tools: Iterable[str], arguments: Mapping[str, JsonValue], topic: str | None
) -> CorpusDialogue:
    """An utterance whose label names the tools that it calls, as a dialogue of one turn."""
    source, split = identity.split("/")[:2]
    calls = tuple(DialogueCall(tool, arguments, service=source) for tool in tools)
    slots = {f"{source}.{name}": value for name, value in arguments.items()}
    intents = tuple((source, call.name) for call in calls)
    turn = DialogueTurn(text, "", "call", intents=intents, slots=slots, calls=calls)
    return public_dialogue(identity, split, [turn], [source], [topic])
