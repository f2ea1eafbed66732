"""When one text stands for another: the same words and what was said with them, or the words of the one who asked.

Both rules need what was asked, so that an answer can only use words that were given to it, and both refuse words
that belong to another value: a swapped or pasted text is never taken.
"""

import re
from collections.abc import Collection

MOST_EXTRA_WORDS = 5
MOST_WORDS = 6
STEM = 5
SHORTEST_PLURAL = 3

_JOINED = re.compile(r"(?:[,;]|\band\b|&)\s*(?:and\s+)?", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[.'&-][^\W_]+)*")
_GAP = r"(?:,? |[-'/&]| \()"
_LIST_GOES_ON = re.compile(r",? (?:and|or|&) |, ")
_ARTICLES = frozenset({"a", "an", "the", "my", "our", "your", "some"})
# Words that turn a value into another one, or make two of it.
_TURNING = frozenset(
    {"not", "no", "or", "and", "without", "except", "never", "non", "but", "than", "before", "after"}
)
# What a value of a request stands behind: "in the fall", "a challenging quest", "called Slay".
_INTRODUCING = frozenset(
    _WORD.findall(
        "a an the this my our your his her their its as of in for with by from on at into under over about named called "
        "titled is are was be being than very more most quite during until via using through within"
    )
)
_REQUESTING = frozenset(
    _WORD.findall(
        "additional additionally afterwards analysis assist based check comment completed concepts conclusion conduct "
        "confirm data details determine develop end execute figure following forecast full indicate information initiate "
        "needs possibility process regulations request requested required results same said secure set setting specific "
        "system task testing time utilizing whole"
    )
)
STOP_WORDS = frozenset(
    _WORD.findall(
        "a about after again all also am an and any are as at be been before being both but by can could did do does "
        "each ensure first finally following for from get give had has have having help here how i if in into is it "
        "its kindly last lastly let like make me more my next no not of on once one or our out please provide so some "
        "subsequently than that the their them then there these they this those to up us use using want was we were "
        "what when where which while who will with within would you your"
    )
)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in lower case."""
    return tuple(_WORD.findall(text.casefold()))


def stem_of_word(word: str) -> str:
    """What a word shares with its other forms, roughly."""
    return word[:STEM] if len(word) > STEM else word.removesuffix("s")


def drop_articles(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without articles and possessives in front."""
    place = 0
    while place < len(words) - 1 and words[place] in _ARTICLES:
        place += 1
    return words[place:]


def says_more(
    given: str, gold: str, context: Collection[str], taken: Collection[str], said: str, idle: Collection[str]
) -> bool:
    """Whether the text has gold's words in a row, and around them only words that were said and add nothing.

    "centre of town" for "centre", "Portland, OR" for "Portland"; articles in front do not count. Words add nothing that
    name the kind of thing (`idle`) or that stop words are, and what the asker said in one piece is one thing: "Narita in
    Japan", but neither two names of a list nor two that were said apart.
    """
    ours, wanted = drop_articles(words_of(given)), drop_articles(words_of(gold))
    if not wanted or not ours:
        return False
    place = _index_of_piece(tuple(map(_singular_form, ours)), tuple(map(_singular_form, wanted)))
    if place < 0:
        return False
    # "Portland, OR": in capitals it is no conjunction.
    written = _WORD.findall(given)[-len(ours) :]
    around = (*range(place), *range(place + len(wanted), len(ours)))
    if len(around) > MOST_EXTRA_WORDS or not all(
        ours[index] in context
        and (ours[index] not in _TURNING or written[index].isupper())
        and ours[index] not in taken
        and not _has_digit(ours[index])
        for index in around
    ):
        return False
    more = [index for index in around if ours[index] not in STOP_WORDS and ours[index] not in idle]
    return not more or _is_one_piece(ours, said)


def _is_one_piece(words: tuple[str, ...], said: str) -> bool:
    """Whether the words stand in a row in what was said, and are no items of a list: a comma goes before one thing only."""
    row = re.compile(rf"(?<!\w){_GAP.join(map(re.escape, words))}(?!\w)")
    text = said.casefold()
    return any(
        "," not in found.group()
        or not (found.group().count(",") > 1 or _LIST_GOES_ON.match(text, found.end()))
        for found in row.finditer(text)
    )


def said_instead(given: str, gold: str, said: str, explained: Collection[str]) -> bool:
    """Whether the text stands in what was said, gold's does not, and no word of it belongs to anything else.

    "fall" for "autumn". `explained` are the stems of all that other values and the tools' own documents account for:
    what is left of a request is what the missing value was said by.
    """
    ours, wanted, spoken = words_of(given), words_of(gold), words_of(said)
    if not ours or len(ours) > MOST_WORDS or _has_digit(given) or _has_digit(gold):
        return False
    place = _index_of_piece(spoken, ours)
    if _index_of_piece(spoken, wanted) >= 0 or place < 1 or spoken[place - 1] not in _INTRODUCING:
        return False
    # A value neither begins nor ends on "of" or "with", and a verb of the request is none.
    if {ours[0], ours[-1]} & (STOP_WORDS | _REQUESTING):
        return False
    telling = [word for word in ours if word not in STOP_WORDS]
    return bool(telling) and all(stem_of_word(word) not in explained for word in telling)


def same_but_plural(given: str, gold: str) -> bool:
    """Whether the texts are the same words but for the plural of some: "olive" and "olives"."""
    ours, wanted = drop_articles(words_of(given)), drop_articles(words_of(gold))
    return bool(ours) and tuple(map(_singular_form, ours)) == tuple(map(_singular_form, wanted))


def _singular_form(word: str) -> str:
    return (
        word[:-1] if len(word) > SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss") else word
    )


def joined_items(text: str, number: int) -> list[str]:
    """The items of a text that joins so many of them, else the text alone: "corn, peas and rice"."""
    parts = [part for part in map(str.rstrip, _JOINED.split(text)) if part]
    return parts if len(parts) == number > 1 else [text]


def is_short_form(given: str, gold: str) -> bool:
    """Whether the text is a usual short form of gold: its initials or its beginning ("LA", "NYC", "San Fran")."""
    ours, wanted = "".join(words_of(given)), words_of(gold)
    if len(wanted) < 2 or len(ours) < 2:
        return False
    initials = "".join(word[0] for word in wanted)
    return (initials == ours[: len(initials)] and len(ours) <= len(initials) + 1) or (
        len(ours) > len(wanted[0]) and "".join(wanted).startswith(ours)
    )


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _index_of_piece(words: tuple[str, ...], piece: tuple[str, ...]) -> int:
    """The index of the piece in the words; -1 where it is absent."""
    size = len(piece)
    if not size:
        return -1
    for place in range(len(words) - size + 1):
        if words[place : place + size] == piece:
            return place
    return -1
