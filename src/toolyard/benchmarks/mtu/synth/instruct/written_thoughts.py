"""Thoughts by grammar, one for each situation of a turn (Section 2.2), from what stands before the reply.

They say what the user wants, what is known of it and what is not; the assistant's reply is never looked at.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import Document, StandardCall, StandardTurn, Values

CALL = (
    "{tool} does what the user asks for, and {known}. I call it now.",
    "The user's request is one for {tool}. Since {known}, nothing is missing for the call.",
    "To answer this I need {tool}; {known}, so I can call it.",
    "This takes a call of {tool}: {known}.",
)
SEVERAL = (
    "The user asks for more than one thing, so I call {tools}.",
    "This takes several calls: {tools}.",
    "One tool is not enough here; what is needed is {tools}.",
)
LINKED = " What {first} returns goes into the call of {second}."
MISSING = (
    "The user wants what {tool} does, but {missing} not known yet. I have to ask before I call it.",
    "For {tool} I still need more: {missing} not known yet. No call now; I ask for it.",
    "{tool} would fit, but {missing} still open, so I ask instead of calling it.",
)
OPEN = (
    "Something that I need for {tool} is still open. I ask for it before I call anything.",
    "The request is not complete enough for {tool} yet, so I ask instead of calling it.",
)
CONFIRMED = (
    "All that {tool} needs is there. Before I call it, the user should confirm the details.",
    "{tool} could be called now, but the details are to be confirmed by the user first.",
    "The details for {tool} are complete; I repeat them and wait for a yes before the call.",
)
EXISTS = (
    "What the user asks for already stands in the conversation, so no call is needed.",
    "The answer is in what was found before. Nothing has to be called again.",
    "I know this already from earlier results and can answer without a call.",
)
CHAT = (
    "The user asks for nothing that a tool would have to do. No call is needed.",
    "This is talk around the task; I answer without calling anything.",
    "There is nothing to look up or to carry out here, so I make no call.",
)
UNABLE = (
    "None of the tools that I have does what the user asks for. I make no call.",
    "The user asks for something that no tool in my list can do, so nothing is called.",
    "I have looked through the tools, and none of them fits this request. No call.",
)
A_TOOL = "the right tool"


def thought(turn: StandardTurn, documents: Sequence[Document], rng: random.Random) -> str:
    """The thought of one turn."""
    calls = turn.calls
    if len(calls) > 1:
        return _several(calls, rng)
    if calls:
        return rng.choice(CALL).format(tool=calls[0].name, known=_known(calls[0].arguments))
    if turn.label == "missing":
        return _missing(turn, documents, rng)
    wanted = turn.wants[-1] if turn.wants else A_TOOL
    texts = {"confirmed": CONFIRMED, "exists": EXISTS, "unable": UNABLE}.get(str(turn.label), CHAT)
    return rng.choice(texts).format(tool=wanted)


def _several(calls: Sequence[StandardCall], rng: random.Random) -> str:
    names = [call.name for call in calls]
    text = rng.choice(SEVERAL).format(tools=listed(names, "then "))
    for call in calls:
        for first in names:
            if any(str(value).startswith(f"{first}.") for value in call.arguments.values()):
                text += LINKED.format(first=first, second=call.name)
    return text


def _missing(turn: StandardTurn, documents: Sequence[Document], rng: random.Random) -> str:
    wanted = turn.wants[-1] if turn.wants else ""
    document = next((each for each in documents if each["name"] == wanted), None)
    required = [] if document is None else [each["name"] for each in document["required_parameters"]]
    lacking = [name for name in required if name not in turn.known.get(wanted, ())]
    if not lacking:
        return rng.choice(OPEN).format(tool=wanted or A_TOOL)
    return rng.choice(MISSING).format(tool=wanted, missing=_are(lacking))


def _known(arguments: Values) -> str:
    return f"{_are([*arguments])} known" if arguments else "it needs nothing more"


def _are(names: Sequence[str]) -> str:
    return f"{listed([words(name) for name in names])} {'is' if len(names) == 1 else 'are'}"


def words(name: str) -> str:
    """A name as it is said: `party_size` is the party size."""
    return f"the {name.replace('_', ' ')}"


def listed(names: Sequence[str], before_last: str = "") -> str:
    """Names as a list in a sentence."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {before_last}{names[-1]}"
