"""Second thoughts on the parts of speech of a sentence, where what stands further off decides."""

from collections.abc import Callable, Mapping, Sequence

from toolyard.world.kernel.tables import table_words
from toolyard.world.reference import wordnet

Ways = Callable[[str], Mapping[str, float]]
_VERBS = frozenset(("V0", "VZ", "VD", "VN", "VG"))
# Adjectives that are adverbs behind what somebody does: work hard, arrive late.
_BOTH = frozenset(table_words("retagging.both"))
# Verbs behind which an adjective says what somebody is like.
_LINKING = frozenset(table_words("retagging.linking"))
_ASKING = frozenset("do does did can could will would should may might must shall".split())
_WH = frozenset("what when where why how which who whom whose".split())
_SUBJECTS = frozenset(("N1", "N2", "NP", "PS", "PP"))


def correct_tags(
    words: Sequence[str], row: list[str], ways: Sequence[Mapping[str, float]], finite: frozenset[str]
) -> list[str]:
    """The row of readings, with questions, adverbs and conjunctions read as the whole sentence asks for."""
    row = _retag_questions(words, row, ways)
    row = _by_neighbours(words, _retag_adverbs(words, _retag_objects(words, row)), ways)
    return _retag_conjunctions(words, row, finite)


def subject_after_gerund(words: Sequence[str], ways: Ways, number: int) -> str:
    """The reading of one of the first three words where a sentence begins like "Reading books helps"; "" elsewhere."""
    first = [word.lower() for word in words[:3]]
    if number > 2 or len(first) < 3 or not first[0].endswith("ing"):
        return ""
    doing, things, does = (ways(word) for word in first)
    if "VG" not in doing or "N2" not in things or "VZ" not in does or things.get("N1", -9.0) >= things["N2"]:
        return ""
    return ("VG", "N1", "VZ")[number]


def _retag_objects(words: Sequence[str], row: list[str]) -> list[str]:
    """The plural after a gerund as what it is."""
    if row[:3] == ["VG", "N1", "VZ"] and words[1].lower().endswith("s"):
        row[1] = "N2"
    return row


def _retag_questions(words: Sequence[str], row: list[str], ways: Sequence[Mapping[str, float]]) -> list[str]:
    """What somebody does in a question: "does the train leave", "can dogs swim"."""
    lowered = [word.lower() for word in words]
    start = next((n for n, word in enumerate(lowered[:4]) if word in _ASKING), -1)
    if start < 0 or (start and lowered[0] not in _WH) or any(sign in ("PS", "PP") for sign in row[1:start]):
        return row
    for number in range(start + 2, len(row)):
        like = lowered[number] == "like"
        if row[number] == "V0":
            row[start] = "MM"
        if row[number] in _VERBS | {"MB", "MH", ","} or (row[number] == "IN" and not like):
            break
        if (
            (like or row[number] in ("N1", "N2", "J"))
            and "V0" in ways[number]
            and row[number - 1] in _SUBJECTS
        ):
            row[number], row[start] = "V0", "MM"
            break
    return row


_THINGS = frozenset("something nothing anything everything someone nobody somebody anybody".split())


def _by_neighbours(words: Sequence[str], row: list[str], ways: Sequence[Mapping[str, float]]) -> list[str]:
    """Words that only their neighbours tell: so suddenly, nothing wrong, in public, the old one, half past seven."""
    for number, sign in enumerate(row):
        word = words[number].lower()
        before = words[number - 1].lower() if number else ""
        after = row[number + 1] if number + 1 < len(row) else ""
        if (word == "so" and after in ("R", "J") and sign == "CC") or (
            word in ("more", "most", "less", "least") and after == "J" and sign in ("D", "J", "PP", "PO")
        ):
            row[number] = "R"
        elif word == "one" and after == "#":
            row[number] = "#"
        elif word == "home" and sign == "N1" and row[number - 1] in _VERBS and after not in ("N1", "N2"):
            row[number] = "R"
        elif word == "there" and before in ("is", "are", "was", "were"):
            row[number] = "PS"
        elif word == "weather" and after in ("N1", "N2"):
            row[number] = "N1"
        elif word == "past" and after == "#":
            row[number] = "IN"
        elif (sign == "R" and before in _THINGS and "J" in ways[number]) or (
            sign == "N1" and "J" in ways[number] and words[number + 1 : number + 2] in (["one"], ["ones"])
        ):
            row[number] = "J"
        elif sign == "J" and number and row[number - 1] == "IN" and "N1" in ways[number]:
            row[number] = "J" if after in ("N1", "N2", "NP", "J", "S", "#") else "N1"
    return row


def _retag_adverbs(words: Sequence[str], row: list[str]) -> list[str]:
    """Adverbs behind verbs that look like adjectives."""
    for number in range(1, len(row)):
        if row[number] != "J" or words[number].lower() not in _BOTH or row[number - 1] not in _VERBS:
            continue
        verb = words[number - 1].lower()
        noun_follows = row[number + 1 : number + 2] in (["N1"], ["N2"], ["J"], ["NP"])
        if not noun_follows and not _LINKING & {verb, *wordnet.base_forms(verb, "v")}:
            row[number] = "R"
    return row


_JOINING = frozenset("before after until till since".split())
_NOMINAL = frozenset(("D", "DS", "J", "N1", "N2", "NP", "S", "SP", "PS", "PP", "#", "R"))


def _retag_conjunctions(words: Sequence[str], row: list[str], finite: frozenset[str]) -> list[str]:
    """The row with `before` and its like as conjunctions where a subject and its verb follow: before the storms came."""
    for number, word in enumerate(words):
        if row[number : number + 1] == ["NP"] and row[number + 1 : number + 2] in (["N1"], ["N2"]):
            row[number] = "J" if "adjective" in wordnet.parts_by_use(word.lower()) else "NP"  # Italian food
        if word.lower() not in _JOINING or row[number] != "IN":
            continue
        after = number + 1
        while after < len(row) and row[after] in _NOMINAL:
            if (
                row[after] in ("D", "PS", "PP")
                and after > number + 1
                and row[after - 1] in ("N1", "N2", "NP")
            ):
                break  # after lunch he left
            after += 1
        clause = after < len(row) and after > number + 1 and row[after] in finite
        elsewhere = any(
            sign in finite
            for place, sign in enumerate(row)
            if place < number or (not number and place > after)
        )
        if clause and row[after - 1] in ("N1", "N2", "NP", "PS", "PP", "R") and elsewhere:
            row[number] = "CC"
    return row
