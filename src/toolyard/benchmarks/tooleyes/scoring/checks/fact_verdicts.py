"""Facts tied to their subjects: whether an answer states them, means them, and says them of the right thing.

"Paris has 13.8, London 15.3", "13.8 in Paris and 15.3 in London", "Paris and London have 13.8 and 15.3 respectively", a
list under a heading, a row of a table: the same two facts. The label that stands nearest to a value decides.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.scoring.checks.passages import Passage, fold_letters
from toolyard.benchmarks.tooleyes.scoring.checks.quantities import written_numbers
from toolyard.benchmarks.tooleyes.scoring.checks.stated_days import clock_times, named_days
from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import Name, Number, Spot, Value, name_spans

# Letters around a value among which another one is looked for; no run of blanks is as long.
NEAR = 300
_SMALL = (
    r"(?:a|an|the|in|at|on|of|by|from|to|as|for|with|exactly|actually|really|be|been|called|named|worth|"
    r"about|around|[$€£¥₹\"'(#])"
)
_NOT = (
    r"(?:\bnot\b(?! (?:only|just|merely|until|later|more|less|far)\b)|n't\b|\bnever\b|\bno longer\b|\bneither\b|\bnor\b|"
    r"\brather than\b|\binstead of\b|\bunlike\b|\bother than\b|\bexcept(?: for)?\b|\bexcluding\b|\bfar from\b|"
    r"\bused to be\b|\bavoid\b|"
    r"\bincorrect(?:ly)?\b|\bwrong(?:ly)?\b)"
)
_FAILED = r"\b(?:did(?: not|n't) manage|could(?: not|n't)|can(?:not|'t)|unable|failed|not able)(?: to)?(?: \w+){0,3}"
_DENIED_BEFORE = re.compile(rf"(?:{_NOT}(?:\s+{_SMALL})?(?:\s+[\w'-]+)?|{_FAILED})(?:\s*{_SMALL})*\s*-?$")
_SUGGESTED = re.compile(r"\bwhy (?:not|do(?:n't| not) (?:you|we))\b")
_DENIED_AFTER = re.compile(
    r"^[\s\"')]*(?:\w+ ){0,2}(?:is|was|are|were|does|do|did|has|have|would|will)(?:n't| not)(?:[.,!]?\s*$|"
    r"\s(?:the|an?|it|right|"
    r"correct|true|among|one|have|what|take|cost|that)\b)|^[\s\"')]*(?:is|was|are|were) (?:wrong|incorrect|false)\b"
)
_UNSURE = re.compile(
    r"\b(?:(?:could|might|may) (?:also |well |possibly )?(?:be|have|cost|lie)|not (?:\w+ )?(?:sure|certain)|"
    r"unsure|unclear|no idea|"
    r"i guess|my guess|guessing|can(?:not|'t) (?:say|tell|be sure|confirm|verify|determine|decide)|either|maybe|"
    r"perhaps|possibly|"
    r"hard to say|impossible to (?:say|tell)|do(?:n't| not) know|somewhere between|anywhere from|"
    r"if i (?:remember|recall))\b"
)
_UNSURE_AFTER = re.compile(
    r"^[^.]{0,14}?(?:,|\(|-)?\s*(?:i (?:cannot|can't|could not) (?:tell|say|be sure)|(?:i am |i'm )?not sure|"
    r"or (?:maybe )?(?:not|something))"
)
_RETRACTED = re.compile(
    r"(?:\.\.\.|,|-)\s*sorry\b|\b(?:no,? wait|wait,? no|scratch that|correction|on second thought|"
    r"i take that back|actually,? no)\b"
)
_OR = re.compile(
    r"^[\s%°€$£\"')a-z.,()+]{0,24}?\bor\b\s+(?:maybe |perhaps |possibly |else |even )?(?:the |a |an |in |[$€£])?"
)
_OR_BEFORE = re.compile(r"(\S+)[\s%°€$£\"')]*(?:\w+ )?\bor\b\s+(?:the |a |an |in |[$€£])?$")
# Examples choose nothing: "most of all in cities such as Nice, Lyon and Paris".
_EXAMPLE = re.compile(r"\b(?:such as|for example|for instance|e\.g\.)\s[^.;:()]{0,80}$")
_CHOOSES = re.compile(
    r"\b(?!interest|forest|request)[a-z]{3,}est\b|\b(?:most|least|best|worst|first|second|third|top|next|last|"
    r"only|winner|won|wins|"
    r"recommend\w*|suggest\w*|so|therefore|hence|answer|choose|pick|go with|main|leads?|leading|free|fits?|"
    r"matches|requested|asked|"
    r"looking for|yours?|this one|that one|called|is the|it is|it's)\b"
)
# Shorter words of a name are hardly ever used alone.
_LEAST_NAME = 5
_FAR, _ACROSS, _BEHIND, _CLAUSE = 15.0, 7.0, 1.5, 4.0
_RANGE = re.compile(r"[\s%°a-z$€£¥]{0,10}\s*(?:\bto\b|-)\s*[$€£¥]?\s*")
_ASIDE = re.compile(r"\([^()]{0,40}\)")
_BREAKS = re.compile(r"[,;]|\b(?:and|while|whereas|but|against|versus|vs|compared|or)\b")
_PREPOSITION = re.compile(
    r"^[\s%°)\"']*(?:[\w/.]+\s)?(?:in|for|at|of|on|from|by|to|is|are|was|were|as|per)\b|^[\s\w%°]{0,12}[(\[]|"
    r"^[\s\"']*[\w%°]*[\s\"']*$"
)
_SAID = {
    "denied": "denies it",
    "open": "leaves it open",
    "other": "says it of something else",
    "back": "takes it back",
}


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """Whether a statement is made; None where rules cannot see it."""

    holds: bool | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StatedMention:
    """A value's place: the passage, and where in it."""

    passage: int
    spot: Spot


@dataclass(frozen=True, slots=True)
class Fact:
    """A value that may be put in several ways, the labels of its subject, and values that would be wrong in its place."""

    values: tuple[Value, ...]
    labels: tuple[tuple[str, ...], ...] = ()
    rivals: tuple[Value, ...] = ()
    shown: str = ""
    # whether several items of the same list are wanted
    listing: bool = False
    # names of other numbers of the same record
    beside: tuple[str, ...] = ()
    # what a name was asked for as ("won"), and all other names of its column, those that are asked for as well
    roles: tuple[str, ...] = ()
    column: tuple[Value, ...] = ()

    @property
    def kind(self) -> str:
        return self.values[0].kind if self.values else "text"

    def spots(self, text: str, *, short: bool = True) -> list[Spot]:
        """Where a passage has the value; one inside a larger one is none: "Apple Pie" in "Baked Apple Pie"."""
        found = {spot for value in self.values for spot in value.spots(text)}
        if not found and short:
            found = set(self._short(text))
        if not found:
            return []
        larger = found | {spot for rival in self.rivals if rival.kind == "text" for spot in rival.spots(text)}
        kept, reached = [], -1
        # In this order a place is a part of a larger one exactly where one before it reaches its end.
        for spot in sorted(larger, key=lambda at: (at.start, -at.end)):
            if spot.end > reached and spot in found:
                kept.append(spot)
            reached = max(reached, spot.end)
        return kept

    def _short(self, text: str) -> Iterator[Spot]:
        """Where one word stands for a name of two or three, by itself, and no other item has it: "Sacramento"."""
        names = [value.text for value in self.values if isinstance(value, Name)]
        rivals = [rival.text for rival in self.rivals if isinstance(rival, Name)]
        others = {word for rival in rivals for word in rival.split()}
        for name in names:
            words = name.split()
            if rivals and 2 < len(words) < 7 and all(re.match("[A-Z0-9]", word) for word in words):
                yield from _beginnings_of_name(text, words, rivals)
            if 1 < len(words) < 4 and all(word[:1].isupper() and word.isalpha() for word in words):
                for word in words:
                    if len(word) >= _LEAST_NAME and word not in others:
                        alone = rf"(?<![A-Z]\w)(?<!\w){word}(?!\w|[- ](?:of )?[A-Z])"
                        yield from (
                            Spot(*at.span())
                            for at in re.finditer(alone, text)
                            if not re.search(r"(?<=[\w,] )[A-Z][\w.]* $", text[: at.start()])
                        )

    def mentions(self, said: Sequence[Passage]) -> list[StatedMention]:
        """Where the answer has the value."""
        return [
            StatedMention(place, spot)
            for place, passage in enumerate(said)
            for spot in self.spots(passage.text)
        ]

    def same(self, other: "Fact") -> bool:
        """Whether the two have one value."""
        return any(map(_are_equal_names, self.values[:1], other.values[:1])) or bool(
            set(self.values) & set(other.values)
        )


def _beginnings_of_name(text: str, words: Sequence[str], rivals: Sequence[str]) -> Iterator[Spot]:
    """Where the longer half of a name stands for it, or more, and no other item has it: "Compass Hostel"."""
    for count in range(len(words) - 1, max(1, (len(words) - 1) // 2), -1):
        begun = " ".join(words[:count])
        if any(name_spans(rival, begun) for rival in rivals):
            return
        for start, end in name_spans(text, begun):
            if not text[start].islower() and not re.match(r"[- ](?:of )?[A-Z]", text[end:]):
                yield Spot(start, end)


def _are_equal_names(one: Value, two: Value) -> bool:
    if isinstance(one, Number) and isinstance(two, Number):
        return abs(one.number - two.number) <= 1e-9 * max(1.0, abs(one.number))
    return (
        isinstance(one, Name) and isinstance(two, Name) and fold_letters(one.text) == fold_letters(two.text)
    )


def fact_verdict(fact: Fact, facts: Sequence[Fact], said: Sequence[Passage]) -> StatementVerdict:
    """Whether the answer states the fact of its subject, without denial, doubt or another value beside it."""
    found = fact.mentions(said)
    if not found and fact.kind != "number":
        above = dict.fromkeys(text for passage in said for text in passage.context)
        said = (*(Passage(text, listed=True) for text in above if text), *said)
        found = fact.mentions(said)
    if not found:
        return StatementVerdict(False, f"the answer lacks {fact.shown}")
    back = max(
        (place for place, passage in enumerate(said) if place and retraction_start(passage.text) >= 0),
        default=0,
    )
    problems = {
        mention: _problem_of_mention(fact, facts, said[mention.passage].text, mention, back)
        for mention in found
    }
    kept = [mention for mention, problem in problems.items() if not problem]
    why = "denied" if "denied" in problems.values() else "" if kept else next(iter(problems.values()))
    if not why and (
        any(_said_of_other(fact, other, facts, said, kept) for other in facts if other is not fact)
        or _is_role_of_another(fact, said, kept)
    ):
        why = "other"
    if why:
        return StatementVerdict(False, f"the answer has {fact.shown}, but {_SAID[why]}")
    return _selection_verdict(fact, said, kept)


def _problem_of_mention(
    fact: Fact, facts: Sequence[Fact], text: str, mention: StatedMention, back: int
) -> str:
    spot = mention.spot
    if is_denied(text, spot):
        return "denied"
    following = re.match(r"\s*([a-z]+)", fold_letters(text[spot.end : spot.end + 30]))
    if fact.kind == "number" and following and following[1] in fact.beside:
        return "other"
    single = not fact.listing and fact.kind == "text" and fact.labels and fact.rivals
    example = single and _EXAMPLE.search(fold_letters(text), max(0, spot.start - NEAR), spot.start)
    if is_unsure(text, spot) or example or (not fact.listing and _or_another(fact, facts, text, spot)):
        return "open"
    return "back" if mention.passage < back or retraction_start(text) > spot.start else ""


def is_denied(text: str, spot: Spot) -> bool:
    """Whether a negation reaches the mention: "is not X", "X isn't the one"."""
    before, after = (
        fold_letters(text[max(0, spot.start - 90) : spot.start]),
        fold_letters(text[spot.end : spot.end + 60]),
    )
    before = _SUGGESTED.sub("", before)
    return _DENIED_BEFORE.search(before) is not None or _DENIED_AFTER.search(after) is not None


def is_unsure(text: str, spot: Spot) -> bool:
    """Whether the words around the mention leave it open."""
    before = fold_letters(text[max(0, spot.start - 110) : spot.start])
    found = list(_UNSURE.finditer(before))[-1:]
    reaches = found and len(before[found[0].end() :].split()) <= (
        2 if re.match("could|might|may\\b", found[0].group()) else 6
    )
    stops = (
        r"\.\s|;" if found and re.search("sure|certain", found[0].group()) else r"\.\s|;|\bbut\b|\bmistaken\b"
    )
    if found and reaches and not re.search(stops, before[found[0].end() :]):
        return True
    return _UNSURE_AFTER.match(fold_letters(text[spot.end : spot.end + 60])) is not None


def retraction_start(text: str) -> int:
    """Where the text takes back what it said before; -1 where it does not."""
    return max((found.start() for found in _RETRACTED.finditer(fold_letters(text))), default=-1)


def _or_another(fact: Fact, facts: Sequence[Fact], text: str, spot: Spot) -> bool:
    """Whether "or" joins the value with another one that is no fact and no other way to say it."""
    plain = fold_letters(text)
    after = _OR.match(plain[spot.end : spot.end + NEAR])
    before = _OR_BEFORE.search(plain, max(0, spot.start - NEAR), spot.start)
    starts = [spot.end + after.end()] if after else []
    starts += [before.start(1)] if before else []
    known = [(at.start, at.end) for each in facts for at in each.spots(text)]
    free = [start for start in starts if not any(low <= start < high for low, high in known)]
    return any(_is_another(fact, text, start, spot) for start in free)


def _is_another(fact: Fact, text: str, start: int, spot: Spot) -> bool:
    """Whether a value of the fact's kind begins there, in the same unit."""
    behind = start >= spot.end
    if fact.kind == "text":
        rivals = (at for rival in fact.rivals for at in rival.spots(text))
        return any(abs(at.start - start) < 12 and at.start <= start + 3 for at in rivals) or (
            behind and text[start : start + 1].isupper() and not text.startswith("I ", start)
        )
    if fact.kind == "date":
        return any(one.start <= start <= one.end for one in named_days(text))
    if fact.kind == "time":
        return any(low <= start <= high for low, high, *_ in clock_times(text))
    mine = next((one for one in written_numbers(text) if one.start <= spot.start < one.end), None)
    for one in written_numbers(text):
        if one.start <= start <= one.end or (behind and 0 <= one.start - start <= 2):
            return mine is None or not (one.measured and mine.measured) or bool(one.measured & mine.measured)
    return False


def _selection_verdict(
    fact: Fact, said: Sequence[Passage], kept: Sequence[StatedMention]
) -> StatementVerdict:
    """Whether the value was chosen, where others of its list are named as well."""
    if not fact.rivals or fact.listing:
        return StatementVerdict(True)
    named = [_count_named_rivals(fact, passage) for passage in said]
    if sum(named) <= 1:
        return StatementVerdict(True)
    for mention in kept:
        passage, rivals = said[mention.passage], named[mention.passage]
        if (
            (not rivals and (not passage.listed or _is_labelled(fact, said, named, passage)))
            or passage.strong
            or _CHOOSES.search(_choosing_words(fact, passage.text, mention.spot, rivals))
        ):
            return StatementVerdict(True)
    return StatementVerdict(
        False, f"the answer has {fact.shown} among {sum(named)} others and does not choose"
    )


def _is_labelled(fact: Fact, said: Sequence[Passage], named: Sequence[int], passage: Passage) -> bool:
    """Whether the fact's role stands with a list item or cell, and with none of another value."""
    others = (other for other, rivals in zip(said, named, strict=True) if rivals)
    return _has_role(passage, fact) and not any(_has_role(other, fact) for other in others)


def _has_role(passage: Passage, fact: Fact) -> bool:
    return any(label_spots(text, fact.roles) for text in (passage.text, *passage.context))


def _choosing_words(fact: Fact, text: str, spot: Spot, rivals: int) -> str:
    """The words that may choose a value, without names (Best Buy chooses nothing): near it where rivals stand by."""
    plain = list(fold_letters(text))
    for at in (*fact.spots(text), *(other for rival in fact.rivals for other in rival.spots(text))):
        plain[at.start : at.end] = " " * (at.end - at.start)
    reach = 28 if rivals > 1 else len(text)
    return "".join(plain[max(0, spot.start - reach) : spot.end + reach])


def _count_named_rivals(fact: Fact, passage: Passage) -> int:
    """How many other items of the list a passage names; a part of the value itself is none."""
    own = fact.spots(passage.text)
    return sum(
        any(
            not any(at.start < mine.end and mine.start < at.end for mine in own)
            for at in rival.spots(passage.text)
        )
        for rival in fact.rivals
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two facts of one kind that differ in one respect: the labels of either, and where their values stand."""

    mine: tuple[str, ...]
    other: tuple[str, ...]
    values: tuple[StatedMention, ...]
    others: tuple[StatedMention, ...]

    def swap(self) -> "_Pair":
        return _Pair(self.other, self.mine, self.others, self.values)

    def labels(self, text: str, place: int = -1) -> tuple[list[Spot], list[Spot]]:
        """Both sides' labels in a text, without those inside a value or inside a longer label of the other side."""
        values = [each.spot for each in (*self.values, *self.others) if each.passage == place]
        mine, other = (
            [at for at in label_spots(text, side) if not any(_is_inside(at, value) for value in values)]
            for side in (self.mine, self.other)
        )
        return [at for at in mine if not any(_is_inside(at, one) for one in other)], [
            at for at in other if not any(_is_inside(at, one) for one in mine)
        ]


def label_spots(text: str, labels: Sequence[str], *, bent: bool = True) -> list[Spot]:
    """Where any of the labels stands, a numbered one also as "no. 16"; with `bent` in another form of the word."""
    forms = dict.fromkeys(form for label in labels for form in (label, *_numbered_labels(label)))
    return [Spot(start, end) for label in forms for start, end in name_spans(text, label, bent=bent)]


def _numbered_labels(label: str) -> Iterator[str]:
    """Other ways to say "joke 16"."""
    kind, _, number = label.rpartition(" ")
    if kind.isalpha() and kind.islower() and number.isdecimal():
        for sign in ("no. ", "number ", "#"):
            yield from (f"{sign}{number}", f"{kind} {sign}{number}")


def _is_inside(small: Spot, large: Spot) -> bool:
    return large.start <= small.start and small.end <= large.end


def _said_of_other(
    fact: Fact, other: Fact, facts: Sequence[Fact], said: Sequence[Passage], kept: Sequence[StatedMention]
) -> bool:
    """Whether every way to read the two values says the first of the second's subject."""
    if other.kind != fact.kind or other.same(fact):
        return False
    mine = [group for group in fact.labels if group not in other.labels]
    their = [group for group in other.labels if group not in fact.labels]
    others = other.mentions(said)
    if len(mine) != 1 or len(their) != 1 or not others:
        return False
    shared = [
        label
        for third in facts
        if third is not fact and third.same(fact)
        for group in third.labels
        for label in group
    ]
    # Where a third fact has the same value, what is said of that one says nothing of this one.
    own = [
        at
        for at in kept
        if not label_spots(said[at.passage].text, shared)
        or label_spots(said[at.passage].text, (*mine[0], *their[0]))
    ]
    pair = _Pair(mine[0], their[0], tuple(own or kept), tuple(others))
    if facts.index(fact) > facts.index(other):
        pair = pair.swap()
    return all(_are_exchanged(said, pair, one, two) for one in pair.values for two in pair.others)


def _are_exchanged(said: Sequence[Passage], pair: _Pair, one: StatedMention, two: StatedMention) -> bool:
    if one.passage == two.passage:
        text = said[one.passage].text
        mine, other = pair.labels(text, one.passage)
        low, high = sorted((one.spot, two.spot), key=_spot_start)
        if not (mine and other) and _RANGE.fullmatch(fold_letters(text[low.end : high.start])):
            return one.spot.start > two.spot.start
        if mine or other:
            return _are_exchanged_in_passage(text, one.spot, two.spot, mine, other)
    first, second = _points_to_other(said, pair, one), _points_to_other(said, pair.swap(), two)
    if first is None and second is None:
        labels = (*pair.mine, *pair.other)
        if any(label_spots(text, labels) for passage in said for text in (passage.text, *passage.context)):
            return False
        # Where no label is used at all, values stand in the order in which they were asked for.
        return (one.passage, one.spot.start) > (two.passage, two.spot.start)
    return True in (first, second) and False not in (first, second)


def _are_exchanged_in_passage(text: str, one: Spot, two: Spot, mine: list[Spot], other: list[Spot]) -> bool:
    """Within one passage: names and values side by side by their order, else by what stands nearest."""
    for rule in (_belongs_by_order, _belongs_in_turn) if mine and other else ():
        found = rule(text, one, two, mine, other)
        if found is not None:
            return found
    straight = _cost_of_label(text, one, mine, two), _cost_of_label(text, two, other, one)
    crossed = _cost_of_label(text, one, other, two), _cost_of_label(text, two, mine, one)
    # The closest of all comes first: what stands right beside a value explains it.
    return (min(crossed), sum(crossed)) < (min(straight), sum(straight))


def _is_role_of_another(fact: Fact, said: Sequence[Passage], kept: Sequence[StatedMention]) -> bool:
    """Whether another name of the column stands right beside the role, and this one in no clause that has it."""
    if not fact.roles or fact.listing or any(_role_cost(fact, said, at) < _CLAUSE for at in kept):
        return False
    others = Fact(fact.column).mentions(said)
    own = [(at.passage, at.spot) for at in kept]
    return any(
        _role_cost(fact, said, at) <= _BEHIND
        for at in others
        if not is_denied(said[at.passage].text, at.spot)
        and not any(at.passage == place and _is_inside(at.spot, spot) for place, spot in own)
    )


def _role_cost(fact: Fact, said: Sequence[Passage], here: StatedMention) -> float:
    """How far a name stands from the words of its role; those of a heading are beside all that is under it."""
    passage = said[here.passage]
    if any(label_spots(text, fact.roles) for text in passage.context):
        return 0.0
    return _cost_of_label(passage.text, here.spot, label_spots(passage.text, fact.roles), Spot(-1, -1))


def _cost_of_label(text: str, value: Spot, labels: Sequence[Spot], rival: Spot) -> float:
    """How far a value stands from the nearest of the labels."""
    return min((_distance_to_label(text, value, label, rival) for label in labels), default=_FAR)


def _distance_to_label(text: str, value: Spot, label: Spot, rival: Spot) -> float:
    if label.start < value.end and value.start < label.end:
        return 0.0
    before = label.end <= value.start
    low, high = (label.end, value.start) if before else (value.end, label.start)
    across = low <= rival.start < high
    gap = fold_letters(text[low:high]) if across else _ASIDE.sub("", fold_letters(text[low:high]))
    cost = (
        len(re.findall(r"\w+", gap)) + (3.0 if before else 8.0) * len(_BREAKS.findall(gap)) + _ACROSS * across
    )
    return min(cost + _BEHIND * (not before and not _PREPOSITION.match(gap)), _FAR)


def _belongs_by_order(text: str, one: Spot, two: Spot, mine: list[Spot], other: list[Spot]) -> bool | None:
    """Two names and then two values (or the other way round) belong together in their order."""
    names, values = sorted((mine[0], other[0]), key=_spot_start), sorted((one, two), key=_spot_start)
    # A label that stands again between the values is nearer: "American Honda sells Acura (474) and Honda (475)".
    again = any(values[0].end <= label.start < values[1].start for label in (*mine, *other))
    if again or not (names[1].end <= values[0].start or values[1].end <= names[0].start):
        return None
    if "respectively" not in fold_letters(text):
        between = fold_letters(text[names[0].end : names[1].start])
        apart = fold_letters(text[values[0].end : values[1].start])
        joined = re.fullmatch(
            r"[\s,/&'\"()]*(?:and|versus|vs\.?|or|,|/|&|-)?[\s'\"(]*(?:in |for |the |of )?[\w\s'\"]{0,30}",
            between,
        )
        if (
            joined is None
            or len(apart.split()) > 4
            or re.search(r"\d|\b(?:is|has|had|was|costs?)\b", between)
        ):
            return None
    return (mine[0].start < other[0].start) != (one.start < two.start)


def _belongs_in_turn(text: str, one: Spot, two: Spot, mine: list[Spot], other: list[Spot]) -> bool | None:
    """A value with its label behind it, twice: "from 5 at the end of May it fell to 4 at the end of June"."""
    parts = sorted((one, two, mine[0], other[0]), key=_spot_start)
    if len(mine) != 1 or len(other) != 1 or parts[0] not in (one, two) or parts[2] not in (one, two):
        return None
    gaps = [fold_letters(text[parts[place].end : parts[place + 1].start]) for place in (0, 2)]
    if not all(_PREPOSITION.match(gap) and not _BREAKS.search(gap) for gap in gaps):
        return None
    return (parts[0] == one) != (parts[1] == mine[0])


def _spot_start(spot: Spot) -> int:
    return spot.start


def _points_to_other(said: Sequence[Passage], pair: _Pair, here: StatedMention) -> bool | None:
    """Whether a value by itself is said of the other subject; None where its surroundings do not tell."""
    passage = said[here.passage]
    mine, other = pair.labels(passage.text, here.passage)
    straight, crossed = (
        _cost_of_label(passage.text, here.spot, side, Spot(-1, -1)) for side in (mine, other)
    )
    if abs(straight - crossed) >= 1.0:
        return crossed < straight
    if bool(mine) != bool(other):
        return bool(other)
    for text in _texts_around(said, here):
        mine, other = pair.labels(text)
        if bool(mine) != bool(other):
            return bool(other)
    return None


def _texts_around(said: Sequence[Passage], here: StatedMention) -> Iterator[str]:
    """What stands above and beside a passage, from the nearest on, then the two sentences before it."""
    passage = said[here.passage]
    yield from reversed(passage.context)
    for earlier in reversed(said[max(0, here.passage - 2) : here.passage]):
        if earlier.listed and passage.listed and earlier.block != passage.block:
            return
        yield earlier.text
