"""What an answer must say where no call is wanted and the row tells why.

To say why nothing is called is enough. Whoever says more says so where nothing can be done, asks where something is
missing, and takes back nothing that is right. Where the answer stands in the dialogue already, it says what the row's own
reply says: a number of it, its names, or its yes or no, and neither another number nor a name of another result instead.
"""

import math
import re
from dataclasses import dataclass
from functools import cached_property

from toolyard.benchmarks.mtu.scoring.prompted_turn import PromptedTurn
from toolyard.text.canonical_values import to_canonical
from toolyard.text.paraphrase import STOP_WORDS, stem_of_word, words_of

_DENIES = re.compile(
    r"n['\u2019]t\b|\b(?:cannot|no|not|none|neither|nobody|nothing|never|unable|unavailable|impossible|beyond|outside|only|"
    r"sorry|afraid|unfortunately|regret|lacks?|without)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|\b(?:which|what|when|where|whose?|how|need(?:s|ed)?|requires?d?|please|tell|let me know|missing|unclear|specify|"
    r"provide|clarify)\b",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"\b(?:was|is|were|made|a|my) (?:wrong|mistaken|mistake|incorrect)\b|\bcorrect (?:that|it|myself)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:no|not|nothing|any|if)\b|n['\u2019]t\b", re.IGNORECASE)
# Why nothing is called, which is all that the prompt asks for then.
_NARRATES = re.compile(
    r"\?$|^(?:thought:\s*)?the user\b|\b(?:already|above|conversation|dialogue|history|tools?|calls?|called|looked up|"
    r"known?|missing)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_SIDE = re.compile(r"(?:^|[.!?:]\s+)(yes|no)(?=[,.!;]| -)", re.IGNORECASE)
_CHOICE = re.compile(r"\b([a-z]+) or ([a-z]+)\b")
_PUNCTUATION = re.compile(r"[;!?()\"]|[.,:](?!\d)")
_NUMBER = re.compile(r"\d{4}-\d{2}-\d{2}|\d{2}:\d{2}|\d[\d,]*(?:\.\d+)?")
_NAME = re.compile(r"(?<=[^.!?:\s] )[A-Z][^\W\d_]+")
_LETTERS = re.compile(r"[^\W\d_]+")
# The reply's pieces, each of which an answer names: "the Boston, the English and the French one".
_PIECE = re.compile(r"[,;]|\b(?:and|with)\b")
_DAYS = re.compile(r"\b(?:today|yesterday|tomorrow)\b", re.IGNORECASE)
_NOUGHT = frozenset(map(stem_of_word, ("free", "nothing")))
# Hours for minutes, kilometres for metres, percent for shares.
_SCALES = (1, 60, 100, 1000)


@dataclass(frozen=True)
class Statement:
    """What a text of the turn states."""

    text: str
    turn: PromptedTurn

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its numbers, days and times of day, in one form each."""
        days = [to_canonical(word, self.turn.today)[-1] for word in _DAYS.findall(self.text)]
        plain = to_canonical(f"{_PUNCTUATION.sub(' ', self.text)} .", self.turn.today)[-1]
        return frozenset(_plain(number) for each in (plain, *days) for number in _NUMBER.findall(str(each)))

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(map(stem_of_word, _LETTERS.findall(self.text.casefold())))

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems of its words that have a capital and begin no sentence."""
        return frozenset(stem_of_word(word.casefold()) for word in _NAME.findall(self.text))


def reply_fault(said: str, turn: PromptedTurn) -> str:
    """Why the words are no right answer to a turn that wants no call; empty where the row tells nothing against them."""
    situation, reply = turn.sample.gold.get("situation"), turn.sample.gold.get("reply", "")
    if situation == "confirmed" and _takes_back_statement(said):
        return "the answer takes back what is right"
    if not _tells_something(said):
        return ""
    if situation in ("unable", "inability") and not (_DENIES.search(said) or _ASKS.search(said)):
        return "nothing can be done, but the answer does not say so"
    if situation == "missing" and not _ASKS.search(said):
        return "something is missing, but the answer does not ask for it"
    return f"the dialogue says: {reply}" if reply and not _says_the_same(reply, said, turn) else ""


def _tells_something(said: str) -> bool:
    """Whether a sentence tells the user something: it neither asks nor only says why nothing is called."""
    return any(
        not _NARRATES.search(each) or _NUMBER.search(each) for each in _SENTENCE.split(said) if each.strip()
    )


def _takes_back_statement(said: str) -> bool:
    found = _TAKES_BACK.search(said)
    return found is not None and not _DENIED.search(said[: found.start()].rpartition(".")[-1])


def _says_the_same(reply: str, said: str, turn: PromptedTurn) -> bool:
    """Whether the answer says what the reply says."""
    if _yes_or_no(reply) and _yes_or_no(said):
        return _yes_or_no(reply) == _yes_or_no(said)
    if _chooses_offered_word(turn.user, said):
        return True
    wanted, given, asked = (Statement(text, turn) for text in (reply, said, turn.user))
    numbers = wanted.numbers - asked.numbers
    free = {"0"} if _NOUGHT & given.words else set()
    stated = any(_is_stated(number, given.numbers | free) for number in numbers)
    if numbers and not stated and given.numbers - asked.numbers:
        return False
    known = _known_stems(turn)
    pieces = [words for part in _PIECE.split(reply) if (words := _telling_stems(part, known) - asked.words)]
    if not pieces:
        return stated or not numbers
    named = all(len(words & given.words) * 2 >= len(words) for words in pieces)
    if named and all(words <= given.words for words in pieces):
        return True
    others = (given.names & known) - wanted.words - asked.words
    return not others and (named or stated)


def _telling_stems(text: str, known: frozenset[str]) -> frozenset[str]:
    """The stems of the words that the dialogue was told by a call."""
    words = (word for word in _LETTERS.findall(text.casefold()) if word not in STOP_WORDS)
    return frozenset(map(stem_of_word, words)) & known


def _known_stems(turn: PromptedTurn) -> frozenset[str]:
    """The stems of all words that results and earlier answers have."""
    told = (f"{past['observation']} {past['assistant']}" for past in turn.sample.input["history"])
    return frozenset(stem_of_word(word) for text in told for word in _LETTERS.findall(text.casefold()))


def _yes_or_no(text: str) -> str:
    """Whether a text says yes or no, where it does."""
    found = _SIDE.search(text)
    return found[1].lower() if found else ""


def _chooses_offered_word(user: str, said: str) -> bool:
    """Whether the user offers two words and the answer takes one of them."""
    words = words_of(said)
    return any((first in words) != (second in words) for first, second in _CHOICE.findall(user.casefold()))


def _plain(number: str) -> str:
    bare = number.replace(",", "")
    return f"{float(bare):g}" if bare.replace(".", "").isdigit() else bare


def _is_stated(number: str, given: frozenset[str]) -> bool:
    """Whether a number is among others: itself, rounded to a whole one, or in units of another size."""
    others = [float(each) for each in given if each.replace(".", "").isdigit()]
    if number in given or not number.replace(".", "").isdigit():
        return number in given
    value = float(number)
    return round(value) in others or any(
        math.isclose(value, each * scale) for each in others for scale in _SCALES
    )
