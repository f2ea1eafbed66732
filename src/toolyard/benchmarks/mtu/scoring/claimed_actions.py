"""What an answer says it has done, and which numbers it states, checked against the dialogue.

"I have unsent it", "Your table is booked", "Done!" where nothing was unsent, booked or done: a finished action of the
speaker, or one that was suffered by what the user has, whatever the verb is. It holds where a tool that was called is about
that verb, or where an earlier reply or result tells of it; what the user orders only now, an earlier reply must tell.
Who has only found, read or said something has done nothing.
"The rate is 12.95" where no number of the dialogue comes to that: what nobody told is invented.
"""

import re
from collections.abc import Iterator
from itertools import combinations

from toolyard.benchmarks.mtu.scoring.calls import calls_of
from toolyard.benchmarks.mtu.scoring.prompted_turn import PromptedTurn
from toolyard.core.nesting import texts_in
from toolyard.text.counted_nouns import SMALL_NUMBERS, TENS
from toolyard.text.names import name_words
from toolyard.text.paraphrase import words_of

_BETWEEN = r"(?:(?:just|already|now|also|both|all|successfully|gone ahead and|went ahead and) )*"
_CLAIM = re.compile(
    rf"(?<![\w'])(?:(?:i|we)(?: have|['\u2019]ve)? {_BETWEEN}|(?:has|have) been {_BETWEEN}"
    rf"|(?:you|your(?: [\w-]+){{1,8}}) (?:is|are) {_BETWEEN}|(?:is|are) now )(?P<verb>[a-z]+)"
    r"|^(?:all )?(?P<alone>[a-z]+)(?=[!.,:;]|$)|\b(?:is|are) (?:now )?(?P<ended>complete|all set)\b"
    rf"|\b(?:is|are) {_BETWEEN}(?P<served>[a-z]+) (?:for|to) you\b"
    rf"|\b(?:is|are|was|were) {_BETWEEN}(?P<suffered>[a-z]+)",
    re.IGNORECASE,
)
# A claim behind one of these, in its sentence, is none.
_OPEN = re.compile(
    r"\b(?:if|once|when|whether|until|unless|after|before|would|will|not|no|never|nothing)\b|n['\u2019]t\b"
)
_ENDING = re.compile(r"(?:ations?|ions?|ing|ed|es|e|s)$")
_ROOT = 5
_BENT = ("ed", "ing", "ion", "ions")
_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?\n])\s+|\n")
_IRREGULAR = {
    "sent": "send", "unsent": "unsend", "made": "make", "written": "write", "wrote": "write", "bought": "buy",
    "paid": "pay", "set": "set", "put": "put", "taken": "take", "took": "take", "withdrawn": "withdraw",
    "undone": "undo", "done": "do", "got": "get", "gotten": "get", "given": "give", "rung": "ring", "told": "tell",
    "sold": "sell", "brought": "bring", "cut": "cut", "shut": "shut", "lent": "lend",
}  # fmt: skip
# Who reads, thinks or speaks changes nothing.
_ONLY_SAYS = frozenset(
    _ENDING.sub("", word)
    for word in words_of(
        "checked looked searched listed compared noticed noted mentioned asked assumed wanted needed used tried hoped "
        "liked loved missed misunderstood confused mixed based explained described answered counted worked "
        "interested pleased excited delighted concerned allowed required supposed located rated called named mistaken "
        "tell told indeed agreed limited received informed provided gathered identified retrieved stated reviewed"
    )
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_STATED = re.compile(
    r"(?<![\w.,:/-])(?P<digits>\d[\d,]*(?:\.\d+)?)(?! ?(?:thousand|[mb]illion)\b)(?![\w:/-]*[:/-]\w)"
)
# Small ones count things, and what is as common as these belongs to everybody.
_COUNTS = frozenset({*range(13), 24, 60, 100})
_TELLING_DIGITS = 3
_MOST_NUMBERS = 200


def undone_action(said: str, turn: PromptedTurn) -> str:
    """The first words of the answer that claim what no call did, or nothing."""
    for sentence in _SENTENCE.split(said):
        plain = sentence.removeprefix("Thought:").strip()
        if plain.endswith("?"):
            continue
        for found in _CLAIM.finditer(plain):
            if _OPEN.search(plain[: found.end()].lower()):
                break
            verb = next(filter(None, found.groups())).lower()
            if _is_deed(verb) and _is_undone(_root_of_verb(verb), turn, only_ordered=bool(found["suffered"])):
                return found[0]
    return ""


def _is_undone(deed: str, turn: PromptedTurn, *, only_ordered: bool) -> bool:
    """Whether nothing of the dialogue did it; what is ordered only now can have been done by a reply that says so."""
    if deed in _ordered_deeds(turn.user):
        return deed not in _action_roots(*(str(past["assistant"]) for past in turn.sample.input["history"]))
    return not only_ordered and deed not in _action_roots(*_texts_of_past_actions(turn))


def _ordered_deeds(user: str) -> frozenset[str]:
    """The roots of the words that a sentence may order with: no questions, no forms of what is done or being done."""
    orders = [each for each in _SENTENCE.split(user) if not each.rstrip().endswith("?")]
    words = (word for each in orders if not _YOU.search(each) for word in words_of(each))
    return frozenset(
        _root_of_verb(word) for word in words if word not in _IRREGULAR and not word.endswith(_BENT)
    )


def _is_deed(verb: str) -> bool:
    """Whether the word is a finished action that changes something."""
    if verb in _IRREGULAR or verb in ("complete", "all set"):
        return True
    return verb.endswith("ed") and not verb.endswith("eed") and _ENDING.sub("", verb) not in _ONLY_SAYS


def invented_number(said: str, turn: PromptedTurn) -> str:
    """The first number of the answer that the dialogue does not have, as it is, rounded, summed or counted; or nothing."""
    stated = [found["digits"].rstrip(",") for found in _STATED.finditer(said)]
    if not stated:
        return ""
    given = turn.sample.input
    told = _numbers_in_texts([given["history"], given["user"]])
    known = told | _numbers_in_texts([given["instructions"], given["tools"]])
    return next((number for number in stated if not _follows_from_known(number, known, told)), "")


def _numbers_in_texts(said: object) -> frozenset[float]:
    """The numbers that stand in texts, in digits and in words."""
    words = {**SMALL_NUMBERS, **TENS}
    found: set[float] = set()
    for text in texts_in(said):
        found.update(_number_value(number) for number in _NUMBER.findall(text))
        found.update(float(part) for number in _NUMBER.findall(text) for part in re.findall(r"\d+", number))
        found.update(float(words[word]) for word in words_of(text.replace("-", " ")) if word in words)
    return frozenset(found)


def _number_value(number: str) -> float:
    return float(number.replace(",", ""))


def _follows_from_known(stated: str, known: frozenset[float], told: frozenset[float]) -> bool:
    """Whether a number counts something, is a known one rounded as it is stated, or comes of two that were told."""
    value, (whole, _, decimals) = _number_value(stated), stated.replace(",", "").partition(".")
    places = len(decimals) or -(len(whole) - len(whole.rstrip("0")))
    if value in _COUNTS or value in known:
        return True
    if any(round(each * scale, places) == value for each in known for scale in (1, 100)):
        return True
    if len(whole.strip("0") + decimals) < _TELLING_DIGITS or len(told) > _MOST_NUMBERS:
        return False
    pairs = combinations(told, 2)
    return any(
        value in (round(a + b, places), round(abs(a - b), places), round(a * b, places)) for a, b in pairs
    )


def _texts_of_past_actions(turn: PromptedTurn) -> Iterator[str]:
    """What the dialogue tells of what was done: its replies and results, and the documents of the tools that were called."""
    for past in turn.sample.input["history"]:
        yield from (str(past["assistant"]), str(past["observation"]))
        for call in calls_of(past["calls"]):
            yield from (call.name, turn.description(call.name))


def _action_roots(*texts: str) -> frozenset[str]:
    return frozenset(_root_of_verb(word) for text in texts for word in (*name_words(text), *words_of(text)))


def _root_of_verb(word: str) -> str:
    """What the forms of a verb share: `book` of booked and booking, `cance` of cancelled."""
    bare = _ENDING.sub("", _IRREGULAR.get(word, word))
    return (bare[:-1] if bare[-2:-1] == bare[-1:] else bare)[:_ROOT]
