"""When two values of a turn do the same, as far as its prompt can tell."""

import re
from datetime import timedelta

from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.benchmarks.mtu.scoring.prompted_turn import ALL, PromptedTurn
from toolyard.core.nesting import texts_in
from toolyard.core.types import JsonValue
from toolyard.text.canonical_values import are_other_numbers, to_canonical, values_equal
from toolyard.text.names import name_words
from toolyard.text.ordinals import WEEKDAYS
from toolyard.text.paraphrase import (
    drop_articles,
    is_short_form,
    joined_items,
    said_instead,
    same_but_plural,
    says_more,
    stem_of_word,
    words_of,
)
from toolyard.text.printable import printable_text
from toolyard.text.synonyms import same_thing

_REFERENCE = re.compile(r"\s*([\w ]+)\.([\w.]+)\s*")
_PLACE = re.compile(
    r"city|town|location|origin|destination|place|area|address|from|\bto\b|depart|arriv", re.IGNORECASE
)
# "the west side of town" is the west, "the biggest snake ever" the biggest snake.
_ADDS_NOTHING = frozenset({"side", "part", "area", "of", "the", "town", "ever"})
# Two weeks of days: "next Friday" may be said of either week.
DAYS_AHEAD = 7
MOST_STATE_WORDS = 2
SHORTEST_BEGINNING = 3
BEGINNING = 4


def same_value(given: JsonValue, gold: JsonValue, turn: PromptedTurn, name: str, want: Call) -> bool:
    """Whether the value does what gold's does."""
    if values_equal(given, gold, turn.today):
        return True
    if isinstance(gold, list) or isinstance(given, list):
        return _same_list(given, gold, turn, name, want)
    if not isinstance(given, str | int | float) or not isinstance(gold, str | int | float):
        return False
    # What nobody sees is no part of a fair reading, so it is written out and counts as other words.
    ours, wanted = printable_text(str(given)), str(gold)
    theirs = _REFERENCE.fullmatch(wanted)
    if theirs is not None and turn.results(theirs.group(1)) | turn.results(ours.partition(".")[0]):
        source, field = theirs.group(1).strip().casefold(), theirs.group(2).rpartition(".")[2]
        return _same_result(ours, theirs, turn) or turn.was_stated(source, field, given)
    if turn.is_passed_on(ours, gold) or _only_result_knows(ours, wanted, turn):
        return True
    if are_other_numbers(ours, wanted):
        return False
    return _same_day(ours, wanted, turn) or _same_text(ours, wanted, turn, name, want)


def _same_list(given: JsonValue, gold: JsonValue, turn: PromptedTurn, name: str, want: Call) -> bool:
    ours, wanted = _items_of_list(given, gold), _items_of_list(gold, given)
    selecting = name in turn.selecting(want.name)
    if selecting:
        return ours in ALL or wanted in ALL or _returns_enough(ours, wanted, turn)
    left = list(ours)
    for item in wanted:
        found = next((each for each in left if _same_item(each, item, turn, name, want)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _returns_enough(given: list[JsonValue], gold: list[JsonValue], turn: PromptedTurn) -> bool:
    """Whether all is asked for that gold asks for; what nobody wanted to know may be another thing, and `name` missing."""
    ours, wanted = ([frozenset(name_words(str(each))) for each in items] for items in (given, gold))
    lost = [each for each in wanted if not any(made and (made <= each or each <= made) for made in ours)]
    unasked = {stem_of_word(word) for word in words_of(turn.user)}
    return len(lost) < len(wanted) and all(
        not unasked & set(map(stem_of_word, each)) and (len(ours) >= len(wanted) or each == {"name"})
        for each in lost
    )


def _items_of_list(value: JsonValue, other: JsonValue) -> list[JsonValue]:
    """The items of a list, or of the text that joins as many."""
    if isinstance(value, list):
        return value
    if isinstance(value, str) and isinstance(other, list):
        return list(joined_items(value, len(other)))
    return [value]


def _same_item(given: JsonValue, gold: JsonValue, turn: PromptedTurn, name: str, want: Call) -> bool:
    return (
        not isinstance(gold, list)
        and not isinstance(given, list)
        and same_value(given, gold, turn, name, want)
    )


def _only_result_knows(given: str, gold: str, turn: PromptedTurn) -> bool:
    """Whether gold has in words what nobody said, and the answer takes it from the call that will know it."""
    ours = _REFERENCE.fullmatch(given)
    if (
        ours is None
        or any(word in turn.dialogue_words for word in words_of(gold))
        or any(map(str.isdigit, gold))
    ):
        return False
    source, field = ours.group(1).strip().casefold(), ours.group(2)
    return source in turn.known_calls and field in turn.results(source)


def _same_result(given: str, gold: re.Match[str], turn: PromptedTurn) -> bool:
    """One result: the same field of the same tool, or of one that takes from it what it passes on."""
    ours = _REFERENCE.fullmatch(given)
    if ours is None:
        return False
    field, wanted = ours.group(2).rpartition(".")[2], gold.group(2).rpartition(".")[2]
    if field.casefold() != wanted.casefold():
        return False
    first, second = (match.group(1).strip().casefold() for match in (ours, gold))
    if first == second:
        return True
    known = turn.known_calls
    both = first in known and second in known and field in turn.results(first) & turn.results(second)
    return both and (_takes_result_from(known[first], second) or _takes_result_from(known[second], first))


def _takes_result_from(call: Call, source: str) -> bool:
    return any(text.casefold().startswith(f"{source}.") for text in texts_in(list(call.arguments.values())))


def _same_day(given: str, gold: str, turn: PromptedTurn) -> bool:
    """A weekday and a date that the prompt's own calendar puts on it, within a week."""
    if turn.today is None or turn.weekday is None:
        return False
    plain = [text.casefold().removeprefix("next ").removeprefix("this ").strip() for text in (given, gold)]
    named = [text in WEEKDAYS for text in plain]
    if named[0] == named[1]:
        return False
    day, other = (plain[0], gold) if named[0] else (plain[1], given)
    form = to_canonical(other.casefold().removeprefix(f"{day}, "), turn.today)
    ahead = (WEEKDAYS.index(day) - turn.weekday) % DAYS_AHEAD
    return form == ("text", (turn.today + timedelta(days=ahead)).isoformat())


def _same_text(given: str, gold: str, turn: PromptedTurn, name: str, want: Call) -> bool:
    taken, about = turn.words_given_elsewhere(name, want), turn.parameter_text(want.name, name)
    named = name_words(name)
    idle = frozenset({*named, *name_words(want.name), *_ADDS_NOTHING})
    if says_more(given, gold, turn.dialogue_words.union(named), taken, turn.dialogue, idle):
        return True
    if same_but_plural(given, gold):
        return True
    if same_thing(given, gold, about) or _same_core(given, gold, named) or _same_town(given, gold, about):
        return True
    return _is_said_otherwise(given, gold, turn, name, want)


def _same_core(given: str, gold: str, named: list[str]) -> bool:
    """Whether the texts differ in nothing but words that the parameter's name has, or that add nothing."""
    idle = _ADDS_NOTHING.union(named)
    ours, wanted = (tuple(word for word in words_of(text) if word not in idle) for text in (given, gold))
    return bool(ours) and ours == wanted


def _same_town(given: str, gold: str, about: str) -> bool:
    """Whether gold is the same town with its state or country: "Portland, OR"."""
    town, _, state = gold.partition(",")
    beside = words_of(state)
    return (
        _PLACE.search(about) is not None
        and 0 < len(beside) <= MOST_STATE_WORDS
        and not any(map(str.isdigit, gold))
        and words_of(given) == words_of(town)
    )


def _is_said_otherwise(given: str, gold: str, turn: PromptedTurn, name: str, want: Call) -> bool:
    """The user's own words, a usual short form, or a name that nobody gave in other forms of its words."""
    first = {stem_of_word(word) for word in words_of(given)[:1]}
    said = turn.user if first & set(map(stem_of_word, words_of(turn.user))) else turn.dialogue
    if is_short_form(given, gold) and set(words_of(given)) <= turn.dialogue_words:
        return True
    explained = {stem_of_word(word) for word in turn.words_given_elsewhere(name, want)} | {
        stem_of_word(word)
        for word in words_of(want.name.replace("_", " ")) + words_of(name.replace("_", " "))
    }
    if said_instead(given, gold, said, explained) and shares_word_beginning(given, gold):
        return True
    return not set(words_of(gold)) <= turn.dialogue_words and _same_beginnings(given, gold)


def _same_beginnings(given: str, gold: str) -> bool:
    """Word for word a form of the same word: "dental appointment" and "dentist appointment"."""
    ours, wanted = drop_articles(words_of(given)), drop_articles(words_of(gold))
    return len(ours) == len(wanted) > 1 and all(
        first[:BEGINNING] == second[:BEGINNING] and not any(map(str.isdigit, first + second))
        for first, second in zip(ours, wanted, strict=True)
    )


def shares_word_beginning(given: str, gold: str) -> bool:
    """Whether a word of one text is a form of a word of the other: the beginning that they share is half of the longer."""
    return any(
        first[:size] == second[:size]
        for first in words_of(given)
        for second in words_of(gold)
        if (size := max(_beginning_length(first, second), (max(len(first), len(second)) + 1) // 2))
    )


def _beginning_length(first: str, second: str) -> int:
    return max(SHORTEST_BEGINNING, min(BEGINNING, len(first), len(second)))
