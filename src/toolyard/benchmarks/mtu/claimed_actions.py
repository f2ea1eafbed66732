"""What an answer says it has done, checked against what the dialogue's calls did.

"I have unsent it", "Your table has been booked" where nothing was unsent or booked. A claim is a finished action of a
verb that the user asks for now or that a listed tool is named after; it holds where a tool that was called is about that
verb, or where an earlier reply or result tells of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolyard.benchmarks.mtu.baselines import tool_names
from toolyard.benchmarks.mtu.calls import calls_of
from toolyard.benchmarks.mtu.outcome_turn import PromptedTurn
from toolyard.text.names import name_words
from toolyard.text.paraphrase import words_of

_BETWEEN = r"(?:(?:just|already|now|also|successfully|gone ahead and) )*"
_CLAIM = re.compile(
    rf"(?<![\w'])(?:i(?: have|'ve|\u2019ve)? {_BETWEEN}|(?:has|have) been {_BETWEEN}|is now |are now )(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
# A claim behind one of these, in its sentence, is none.
_OPEN = re.compile(
    r"\b(?:if|once|when|whether|until|unless|after|before|would|will|not|no|never|nothing)\b|n['\u2019]t\b"
)
_ENDING = re.compile(r"(?:ations?|ions?|ing|ed|es|e|s)$")
_ROOT = 5
_SENTENCE = re.compile(r"(?<=[.!?\n])\s+|\n")
_IRREGULAR = {
    "sent": "send", "unsent": "unsend", "made": "make", "written": "write", "bought": "buy", "paid": "pay",
    "set": "set", "put": "put", "found": "find", "taken": "take", "withdrawn": "withdraw", "undone": "undo",
}  # fmt: skip


def undone_action(said: str, turn: PromptedTurn) -> str:
    """The first words of the answer that claim what no call did, or nothing."""
    for sentence in _SENTENCE.split(said):
        found = _CLAIM.search(sentence)
        if found is None or _OPEN.search(sentence[: found.end()].lower()):
            continue
        verb = found["verb"].lower()
        if verb not in _IRREGULAR and (not verb.endswith("ed") or verb.endswith("eed")):
            continue
        offered = tool_names(turn.sample.input["tools"])
        if _root(verb) in _roots(turn.user, *offered) and _root(verb) not in _roots(*_done(turn)):
            return found[0]
    return ""


def _done(turn: PromptedTurn) -> Iterator[str]:
    """What the dialogue tells of what was done: its replies and results, and the documents of the tools that were called."""
    for past in turn.sample.input["history"]:
        yield from (str(past["assistant"]), str(past["observation"]))
        for call in calls_of(past["calls"]):
            yield from (call.name, turn.description(call.name))


def _roots(*texts: str) -> frozenset[str]:
    return frozenset(_root(word) for text in texts for word in (*name_words(text), *words_of(text)))


def _root(word: str) -> str:
    """What the forms of a verb share: `book` of booked and booking, `cance` of cancelled."""
    bare = _ENDING.sub("", _IRREGULAR.get(word, word))
    return (bare[:-1] if bare[-2:-1] == bare[-1:] else bare)[:_ROOT]
