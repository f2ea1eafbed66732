"""Whether a text says anything: an empty, looping or copied one does not."""

import re
from collections.abc import Iterable

FEWEST_WORDS = 3
# A text of this many words whose pieces of four words mostly repeat others is a loop.
LOOP_WORDS = 40
LOOP_PIECE = 4
LEAST_NEW = 0.4
# A text as long as that, most of whose first pieces stand in what was given, is a copy.
MOST_COPIED = 0.6

# Words of leave-taking, and those that may stand with them where nothing is asked.
_PARTING = frozenset(
    ["bye", "goodbye", "thanks", "thank", "cheers", "welcome", "pleasure", "farewell", "night"]
)
_LABEL = re.compile(
    r"^[ \t>*#`\"'_-]*(?:thought|assistant|response|answer|observation)[ \t*_`]*[:：][ \t:：]*",
    re.IGNORECASE | re.MULTILINE,
)
_DENIAL = re.compile(
    r"\b(?:none of (?:the|my|these|those|your)\b[^.!?]{0,40}\b(?:tools?|functions?|apis?)\b|"
    r"no (?:\w+ ){0,2}(?:tools?|functions?|apis?)\b(?! calls?)|"
    r"can(?:'t|not)\b|can not\b|(?:un|not )able to\b|not possible\b)",
    re.IGNORECASE,
)
# Whoever says what is missing, or asks for it, denies nothing.
_ASKING = re.compile(
    r"\?|\b(?:need|needs|needed|requires?d?|provided?|specif\w+|missing|clarif\w+|which|what|where|when|who|how|tell|please|"
    r"more details|information|without|until|first|confirm\w*|already|earlier|welcome|glad|thank\w*|necessary|"
    r"acknowledge)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_WITH_PARTING = _PARTING.union(
    _WORD.findall(
        "a again all alright and anytime are awesome bot care cool day else enjoy evening everything ever fine for good "
        "great happy have help helping i i'm i've is it it's just later lot lots me much my need nice no nope not now "
        "nothing of oh ok okay one perfect rest robot see so take that that's the then there there's to too very was "
        "weekend well wonderful you you're your yours yourself"
    )
)


def words_said(text: str) -> list[str]:
    """The words of a reply in lower case, without the labels of its parts."""
    return _WORD.findall(_LABEL.sub("", text).casefold())


def joined_words(text: str) -> str:
    """The words of a text in a row, as `says_something` compares them."""
    return " ".join(words_said(text))


def says_something(text: str, given: Iterable[str] = ()) -> bool:
    """Whether a reply has words of its own: some, not one piece over and over, not only those it was given."""
    words = words_said(text)
    if len(words) < FEWEST_WORDS or is_loop(words):
        return False
    said = " ".join(words)
    return not any(said in source for source in given)


def is_farewell(text: str) -> bool:
    """Whether a text takes leave and says nothing else."""
    words = words_said(text)
    return bool(_PARTING.intersection(words)) and _WITH_PARTING.issuperset(words) and not is_loop(words)


def only_denies(text: str) -> bool:
    """Whether a reply says that nothing can be done, and nothing else: no question, nothing that is missing or known."""
    return _DENIAL.search(text) is not None and _ASKING.search(text) is None


def is_loop(words: list[str]) -> bool:
    """Whether a long text mostly repeats itself."""
    if len(words) < LOOP_WORDS:
        return len(set(words)) <= len(words) // 6
    pieces = _word_runs(words)
    return len(set(pieces)) / len(pieces) < LEAST_NEW


def is_copy(text: str, given: Iterable[str]) -> bool:
    """Whether a long text begins with pieces of what was given; words of its own may go before a copy."""
    words = words_said(text)
    if len(words) < LOOP_WORDS:
        return False
    known = {piece for source in given for piece in _word_runs(words_said(source))}
    pieces = _word_runs(words[:LOOP_WORDS])
    return sum(piece in known for piece in pieces) / len(pieces) > MOST_COPIED


def _word_runs(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[place : place + LOOP_PIECE]) for place in range(len(words) - LOOP_PIECE + 1)]
