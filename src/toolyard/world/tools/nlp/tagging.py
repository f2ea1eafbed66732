"""Parts of speech of the words of an English sentence: of all readings that the dictionary allows, the likeliest row.

Each word may be read in a few ways (`saw`: past of see, or a noun); which follows which is scored by hand, and a sentence
gains by a finite verb. The best row of readings is found by dynamic programming.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from toolyard.world.kernel.tables import table_texts, table_words
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


NAMES: Mapping[str, str] = table_texts("tagging.names")
_FINITE = frozenset(("V0", "VZ", "VD", "MM", "MB", "MH", "PX", "LT"))
_CLOSED = {word: signs for signs, words in table_texts("tagging.closed").items() for word in words.split()}
_NUMBERS = frozenset(table_words("tagging.numbers"))
SAME_PLURAL = frozenset(table_words("tagging.same_plural"))


def is_closed(word: str) -> bool:
    """Whether a word is one of those that only hold a sentence together."""
    return word in _CLOSED


@functools.cache
def _transition_scores() -> Mapping[tuple[str, str], float]:
    # What follows what, by how much better than chance; "" is the start or end of a sentence.
    rows = table_texts("tagging.pairs")
    found: dict[tuple[str, str], float] = {}
    for before, text in rows.items():
        before = "" if before == "START" else before
        for sign, score in re.findall(r"""(["'][,]?["']|[A-Z0-9#]+)\s+(-?[\d.]+)""", text):
            found[before, sign.strip("\"'")] = float(score)
    found |= {("SP", after): score for (before, after), score in list(found.items()) if before == "S"}
    for one, same in (("DS", "D"), ("LT", "V0")):
        found |= {(before, one): score for (before, after), score in list(found.items()) if after == same}
    for one, same in (("DS", "D"), ("LT", "MM")):
        found |= {(one, after): score for (before, after), score in list(found.items()) if before == same}
    return found | {("DS", "N2"): -1.5, ("DS", "NP"): -2.0, ("", "LT"): 0.5, ("CC", "LT"): 0.5}


def _step(before: str, after: str) -> float:
    return _transition_scores().get((before, after), -1.5)


@functools.lru_cache(maxsize=20_000)
def _open_readings(word: str) -> Mapping[str, float]:
    """The ways a word of the dictionary may be read, each with how much rarer it is than the commonest."""
    own = () if word == "eats" else wordnet.parts_by_use(word)  # as a noun it is slang
    rank = {name: number for number, name in enumerate(own)}
    pairs = (("noun", "N1"), ("verb", "V0"), ("adjective", "J"), ("adverb", "R"))
    found = {sign: -0.6 * rank[part] for part, sign in pairs if part in rank}
    plural = word.endswith("s") and not word.endswith("ss")
    if word in SAME_PLURAL:
        return {"N1": 0.0, "N2": 0.0} if plural else {**found, "N2": 0.0}
    if word in _PLURALS:
        return {"N2": 0.0, "V0": found.get("V0", -3.0) - 2.0}
    nouns = [form for form in wordnet.base_forms(word, "n") if form != word]
    if nouns:
        found["N2"] = -0.5 * _part_rank(nouns[0], "noun")
        if plural:
            found["N1"] = found["N1"] - 1.5 if "N1" in found else -9.0
    _verb_forms(word, found)
    if found.get("VZ", 0.0) < found.get("N2", -9.0):  # soldiers are seldom what somebody does
        found["VZ"] -= 0.8
    if any(form != word for form in wordnet.base_forms(word, "a")):
        found.setdefault("J", 0.0)
    return found


def _verb_forms(word: str, found: dict[str, float]) -> None:
    """Adds the ways of reading a word as a form of a verb; as an adjective or noun it is then rarer."""
    verbs = [form for form in wordnet.base_forms(word, "v") if form != word]
    if verbs:
        cost = -0.5 * min(_part_rank(form, "verb") for form in verbs)
        found |= dict.fromkeys(_verb_signs(word), cost)
        if word.endswith(("ed", "ing")) or wordnet.is_irregular(word, "v"):
            for sign in {"J", "N1"} & found.keys():
                found[sign] -= 0.4 if sign == "N1" or word in LIKE_ADJECTIVES else 1.6
            if word in LIKE_ADJECTIVES - _AS_OFTEN_VERBS and "J" in found:
                found |= {"J": found["J"] + 0.4} | dict.fromkeys(_verb_signs(word), cost - 0.4)
    if word in ("become", "come", "run", "overcome"):
        found["VN"] = -0.3
    if word in _UNCHANGED:
        found |= {"VD": found.get("V0", 0.0) - 0.8, "VN": found.get("V0", 0.0) - 0.8}


_PLURALS = frozenset(("people", "police", "cattle", "algae", "bacteria", "vermin", "clergy", "dice"))
LIKE_ADJECTIVES = frozenset(table_words("tagging.like_adjectives"))
_AS_OFTEN_VERBS = frozenset(
    "missing demanding used left lost limited united broken hidden advanced married retired drunk".split()
)
_UNCHANGED = frozenset(
    "put cut let hit set cost hurt shut quit read spread split burst cast bet rid shed thrust".split()
)


def _part_rank(word: str, part: str) -> int:
    kinds = wordnet.parts_by_use(word)
    return kinds.index(part) if part in kinds else 2


_ONLY_PARTICIPLE = re.compile(r".*(?:wn|ken|ten|ven|zen|sen|den|gone|done|seen|sung|begun|drunk|swum|rung)$")
_ONLY_PAST = frozenset(table_words("tagging.only_past"))


def _verb_signs(word: str) -> tuple[str, ...]:
    if word.endswith("ing"):
        return ("VG",)
    if wordnet.is_irregular(word, "v"):
        if word in _ONLY_PAST:
            return ("VD",)
        return ("VN",) if _ONLY_PARTICIPLE.match(word) else ("VD", "VN")
    return ("VZ",) if word.endswith("s") else ("VD", "VN")


def _readings_by_ending(word: str) -> Mapping[str, float]:
    for endings, signs in (
        (("ly",), "R"),
        (("tion", "ment", "ness", "ity", "ance", "ence", "ism", "ship"), "N1"),
        (("ous", "ful", "ive", "able", "ible", "ish", "less", "ic", "al", "esque"), "J"),
        (("ise", "ize", "ify"), "V0"),
        (("ing",), "VG N1"),
        (("ed",), "VD VN J"),
        (("s",), "N2 VZ"),
        (("y",), "N1 J"),
    ):
        if len(word) > 4 and word.endswith(endings):
            return {sign: -0.6 * number for number, sign in enumerate(signs.split())}
    return {"N1": 0.0, "V0": -1.5, "J": -1.5}


# Words after which `that` begins a clause: "they say that the king is dead".
_CLAUSE_VERBS = frozenset(table_words("tagging.clause_verbs"))
_CLAUSE_WORDS = frozenset(table_words("tagging.clause_words"))
_TOLD = frozenset(
    "tell told tells telling show showed remind reminded assure assured convince convinced warn warned".split()
)
_OPEN = re.compile(r"[^\W\d_].*")


def _opens_clause(words: Sequence[str], number: int) -> bool:
    """Whether a `that` begins a clause of its own: said or thought before it, with a finite verb after it."""
    before = [word.lower() for word in words[max(number - 2, 0) : number]]
    if not before or words[number].lower() != "that":
        return False
    said = before[-1] in _CLAUSE_WORDS or bool(
        _CLAUSE_VERBS & {before[-1], *wordnet.base_forms(before[-1], "v")}
    )
    told = before[0] in _TOLD and before[-1] in ("me", "him", "her", "us", "them", "you", "people")
    after = [word.lower() for word in words[number + 1 :]]
    if not (said or told) or not after or _CLOSED.get(after[0], "")[:1] == "M":  # they think that is wrong
        return False
    later = (sign for word in after for sign in _readings_inside_sentence(word))
    return after[0] in ("you", "i", "we", "they", "he", "she") or any(
        sign in _FINITE - {"V0"} for sign in later
    )


def _readings_inside_sentence(word: str) -> Iterable[str]:
    if not _OPEN.match(word):
        return ()
    return _CLOSED[word].split() if word in _CLOSED else _word_readings(word, first=False, is_name=False)


_POINTED = {"a.m.": "N1", "p.m.": "N1", "e.g.": "R", "i.e.": "R"}


def _word_readings(word: str, *, first: bool, is_name: bool) -> Mapping[str, float]:
    lowered = word.lower().replace("’", "'")
    if word == ",":
        return {",": 0.0}
    if lowered == "let's" or lowered in _POINTED:
        return {_POINTED.get(lowered, "LT"): 0.0}
    if word[0].isdigit() or lowered in _NUMBERS:
        return {"#": 0.0}
    if re.fullmatch(r"(?:\w+n't|cannot)", lowered):
        return {
            "MB"
            if lowered[:-3] in ("is", "are", "was", "were")
            else "MH"
            if lowered[:2] == "ha"
            else "MM": 0.0
        }
    if re.fullmatch(
        r"(?:i|you|he|she|it|we|they|that|there|who|what|where|how|here)'(?:s|m|re|ve|ll|d)", lowered
    ):
        return {"PX": 0.0}
    if lowered.endswith(("'s", "s'")):
        return {"SP" if word[0].isupper() and (not first or is_name) else "S": 0.0}
    signs = _CLOSED.get(lowered)
    if signs and not (lowered == "will" and word[0].isupper() and not first):
        return {sign: -0.5 * number for number, sign in enumerate(signs.split())}
    found = _open_readings(lowered) or _readings_by_ending(lowered)
    if re.fullmatch(r"(?:[A-Z]\.)+|[A-Z]{2,}|[a-z]{1,2}[A-Z]\w*", word) or (
        word[0].isupper() and (not first or is_name)
    ):
        return {"NP": 0.0} if not first or is_name else {"NP": 0.0, **found}
    if first and word[0].isupper() and not _open_readings(lowered):
        return {"NP": 0.0, **{sign: cost - 1 for sign, cost in found.items()}}
    return found


def _readings_in_context(words: Sequence[str], names: Sequence[bool], number: int) -> Mapping[str, float]:
    """The ways to read a word of a sentence, by the words beside it."""
    word = words[number]
    ways = _word_readings(word, first=number == 0, is_name=names[number])
    if "D" in ways and word.lower() == "that":
        ways = {("DS" if sign == "D" else sign): cost for sign, cost in ways.items()}
        ways |= {"CC": 2.0} if _opens_clause(words, number) else {}
    if "TO" in ways and number:
        willing = bool(_WILLING & {words[number - 1], *wordnet.base_forms(words[number - 1], "v")})
        ways = {**ways, "TO": ways["TO"] + 0.9 * willing + _infinitive_score(words, number + 1)}
    forced = subject_after_gerund(words, _open_readings, number)
    return {forced: 0.0} if forced else ways


# Nouns that follow `to` without an article.
_PLACES_TO = frozenset(table_words("tagging.places_to"))


def _infinitive_score(words: Sequence[str], number: int) -> float:
    """By how much the word after `to` is rather what somebody does than a place to go to."""
    word = words[number].lower() if number < len(words) else ""
    if word in _PLACES_TO:
        return -1.2
    return 0.8 if word.isalpha() and "V0" in _open_readings(word) and word not in _CLOSED else 0.0


def best_tags(words: Sequence[str], names: Sequence[bool]) -> list[str]:
    """The likeliest row of readings of the words (and commas) of a sentence."""
    best: dict[tuple[str, bool], tuple[float, list[str]]] = {("", False): (0.0, [])}
    for number in range(len(words)):
        ways = _readings_in_context(words, names, number)
        new: dict[tuple[str, bool], tuple[float, list[str]]] = {}
        for (before, finite), (score, row) in best.items():
            for sign, cost in ways.items():
                # A base form after `to` or an auxiliary is not finite, that verb or particle was counted already.
                has = finite or (sign in _FINITE and before != "TO")
                total = score + cost + _step(before, sign)
                if (sign, has) not in new or total > new[sign, has][0]:
                    new[sign, has] = (total, [*row, sign])
        best = new
    ends = [(score + _step(sign, "") + 2.0 * finite, row) for (sign, finite), (score, row) in best.items()]
    row = max(ends, key=lambda end: end[0])[1]
    return correct_tags(
        words, row, [_readings_in_context(words, names, number) for number in range(len(words))], _FINITE
    )


# Verbs after which `to` mostly begins an infinitive.
_WILLING = frozenset(table_words("tagging.willing"))
