"""Parts of speech of the words of an English sentence: of all readings that the dictionary allows, the likeliest row.

Each word may be read in a few ways (`saw`: past of see, or a noun); which follows which is scored by hand, and a sentence
gains by a finite verb. The best row of readings is found by dynamic programming.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence

from toolyard.world.kernel.tables import texts_of, words_of
from toolyard.world.reference import wordnet
from toolyard.world.tools.nlp import retagging

NAMES: Mapping[str, str] = texts_of("tagging.names")
_FINITE = frozenset(("V0", "VZ", "VD", "MM", "MB", "MH", "PX", "LT"))
_CLOSED: dict[str, str] = {}
for _signs, _words in {
    "D": "a an the my your its our their every no whose",
    "D PS PO": "this that each another either neither",
    "D PP PO": "these those some any all both many few several most",
    "D R": "such half",
    "D PO": "her his much",
    "PS": "he she who whoever everyone someone anyone nobody everybody somebody something nothing everything",
    "PP": "i we they",
    "PP PO": "you",
    "PS PO": "it one anything whatever",
    "PS PO D": "what which",
    "PS R": "there",
    "PO": "me him us them whom myself yourself himself herself itself ourselves themselves mine yours hers ours theirs",
    "IN": "of at by from with into onto within without during between among against upon toward towards despite across "
    "along behind beneath beside besides beyond throughout underneath except via per amid concerning regarding",
    "IN R": "in on over under through about off up down out around above below inside outside near past",
    "R IN": "away",
    "IN CC": "for than as until till since before after",
    "IN TO": "to",
    "IN V0 J": "like",
    "CC R": "yet",
    "CC": "and or but nor because while if when so although though unless whereas where whenever wherever whether how "
    "why",
    "MM": "will would can could may might shall should must",
    "MB": "am is are was were be been being",
    "MH V0": "have",
    "MH VZ": "has",
    "MH VD VN": "had",
    "MM V0": "do",
    "MM VZ": "does",
    "MM VD": "did",
    "VG MH": "having",
    "R": "not very too also never always often quite rather almost already again ever soon here perhaps maybe however "
    "therefore instead together else even still now then thus hence really just only once twice later recently suddenly "
    "n't sometimes usually today tonight tomorrow yesterday",
    "D R J": "enough",
    "R J": "well early late far fast straight",
    "J R": "hard long high low deep wide better best worse worst less more",
    "N1 R": "home",
    "R N1 J": "north south east west",
    "J N1": "red blue green yellow black white brown pink purple orange grey gray golden",
    "X": "oh hello hi hey wow ouch yes please okay ok",
}.items():
    for _word in _words.split():
        _CLOSED[_word] = _signs
_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion".split()
)
SAME_PLURAL = frozenset(
    "species series news means headquarters politics mathematics physics economics ethics athletics gymnastics crossroads "
    "scissors trousers pants jeans shorts clothes thanks glasses goods surroundings outskirts stairs diabetes measles lens "
    "data bus gas bias canvas atlas chaos virus campus status census bonus focus cactus genius process business boss class "
    "analysis basis crisis thesis christmas always perhaps sometimes sheep deer fish aircraft spacecraft savings earnings "
    "mathematics statistics logistics premises remains barracks gallows mumps tennis alias lens corps".split()
)
# What follows what, by how much better than chance; "" is the start or end of a sentence.
_PAIRS = """
 : D .8, PS .9, PP 1, PX 1, NP .5, N1 -.2, N2 .3, V0 -.5, VZ -3, VD -2, VN -1.2, VG -.2, IN .3, CC .3, R .3, J
   .2, MM -.2, MB -.4, MH -.6, # .2, S .4, SP .5, TO -.3, X 1, PO -1.5, "," -3
D: N1 1.3, N2 1.3, J .9, # .3, VG -1, VN -.9, R -.6, NP .5, V0 -5, VZ -5, VD -5, D -.8, IN -2.5, PS -3, PP -3,
   PO -2, MM -3, MB -2, MH -3, CC -2.5, S 1, SP .6, TO -4, "" -2.5, "," -2.5
S: N1 1.3, N2 1.2, J .9, # .3, VG 0, VN -.8, R -.8, V0 -5, VZ -3, VD -3, D -3, IN -.8, MB -.6, MM -1.2, "" -.8,
   NP .2
J: N1 1.1, N2 1.1, J .1, CC .3, IN .4, "" .5, "," .3, R -.7, V0 -2.6, VZ -2.2, VD -2, VN -1.2, VG -1, TO .5, NP
   .4, D -1.6, PS -1, PP -.9, PO -1.5, MM -1, MB -.8, MH -1, # -.4, S .6, SP .3
N1: VZ .9, VD .9, MM .9, MB 1, MH .9, IN .8, CC .5, "" .7, "," .6, N1 -.1, N2 -.2, V0 -2.6, VN -.5, VG -.5, R
   .1, J -1.3, PS -.5, PP -.4, PO -1.2, D -1, TO .4, NP -.9, # -1, S -.6, PX -.6
N2: V0 .8, VD .9, VZ -2.8, MM .9, MB 1, MH .9, IN .8, CC .5, "" .8, "," .6, N1 -1, N2 -1.1, VN -.4, VG -.3, R
   .2, J -1.2, PS -.7, PP -.3, PO -1.2, D -.9, TO .4, NP -1, # -1, S -1, PX -.6
NP: VZ .9, VD .9, V0 -1.6, VN -.5, VG -.6, NP .9, N1 .1, N2 .1, MM .9, MB 1, MH .9, IN .6, CC .5, "" .6, "," .6,
   R .1, J -1.2, D -1.1, PS -1, PO -1, TO .3, # .2, SP .6, S -.5
PS: VZ .9, VD 1, V0 -1.8, MM 1.1, MB 1.2, MH 1, R .2, IN -.6, CC -.3, N1 -2, N2 -2, J -1.3, D -1, "" -.5, VN
   -1.6, VG -1.6, PS -1, PP -.2, PO -1.5, "," -.2, TO -.8
PP: V0 .9, VD 1, VZ -3, MM 1.1, MB 1.2, MH 1, R .2, IN -.6, CC -.3, N1 -2, N2 -1.8, J -1.3, D -1, "" -.6, VN
   -1.6, VG -1.6, PS -1.5, PO -1.5, "," -.2, TO -.8
PX: VG .9, VN .4, J .9, D .8, R .6, IN .4, N1 -.6, N2 -.3, NP .1, V0 -.2, # .2, PO -.6, VD -2, VZ -3, TO .2, ""
   -1
PO: IN .8, "" .9, "," .6, CC .6, R .5, TO .6, D .2, V0 -.1, VG .1, J -.1, VN -.3, N1 -1.2, N2 -.8, NP -.6, VZ
   -1.6, VD -1.2, MB -1, MM -1.2, PS -1, PP -.6, # -.2, MH -1.2, S -.5
MM: V0 1.3, R .6, PS .5, PP .6, PO .1, D 0, MB .9, MH .9, N1 -1, N2 -.6, NP 0, VD -4, VZ -4, VN -3, VG -3, J
   -1.5, IN -.6, "" -.3, CC -.6, "," -.3, TO -2
MB: VG 1, VN .9, J .9, D .8, R .6, IN .5, N1 -.6, N2 -.3, NP .1, V0 -3, VD -3, VZ -4, # .3, PS .2, PP .2, PO
   -.2, TO .2, MB .3, "" -.3, S .2, SP .3, CC -.3, "," -.3, MH -2, MM -2.5
MH: VN 1.5, R .5, MB .8, PS .2, PP .4, D -1, N1 -2.5, N2 -2.5, V0 -3, VD -2, VZ -4, J -2, IN -2, TO .3, "" -1.5,
   VG -1.5, NP -.6, PO -1
TO: V0 1.5, MB 1, MH .9, R -.3, N1 -4, N2 -4, J -4, VD -5, VZ -5, VN -4, VG -4, D -5, PO -4, NP -4, IN -4, MM
   -.8, "" -2.5
IN: D 1, N1 .3, N2 .7, NP .9, J .4, VG .8, PO .9, PS -2, PP -2.2, PX -2.5, # .6, V0 -4, VZ -4.5, VD -4, VN -1.5,
   IN -.6, "" -.9, "," -1, S .8, SP .9, R -.5, CC -.6, MM -4, MB -3.5, MH -3.5, TO -1.5
CC: D .5, PS .8, PP .8, PX .8, PO .2, N1 .3, N2 .4, NP .4, J .3, V0 .1, VZ .2, VD .4, VN .1, VG .2, R .3, IN .2,
   MM .1, MB .1, MH .1, # .2, TO .2, S .4, SP .4, CC -.2, "" -3, "," -1
R: J .7, VD .5, VZ .4, V0 .4, VN .5, VG .5, R .2, "" .5, "," .5, IN .4, D .1, CC .2, N1 -1.4, N2 -1.1, NP -.6,
   PS .2, PP .3, PO -.8, MM .3, MB .3, MH .3, TO .3, # .2, S -.3
#: TO .5, N2 1.1, N1 .5, J .4, IN .3, "" .4, "," .4, CC .2, # .3, NP .2, V0 -1.5, VZ -1.2, VD -.6, VN -.6, R -.2, MB
   .2, MM 0, D -1.5, S 0
,: D .4, PS .6, PP .7, PX .7, N1 .1, N2 .2, NP .4, J .3, V0 -.2, VZ .1, VD .2, VN .1, VG .5, R .4, IN .4, CC .9,
   MM .2, MB .2, MH 0, TO .1, S .3, SP .4, # .2, PO -.6
X: "," .8, "" .8, D .4, PS .5, PP .5, R .4, J .2, V0 .5, NP .3, N1 -.2
"""
_AFTER_VERB = (
    "D .9, IN .6, PO .9, R .5, '' .4, ',' .4, J -.1, N1 -.3, N2 .2, NP .3, TO .6, VG 0, # .2, CC .2, S .6, SP .4, PS -.4, "
    "PP -.2, PX -.1, V0 -2, VZ -3, VD -2.4, VN -1, MM -1.6, MB -1.4, MH -1.8"
)
_AFTER_PARTICIPLE = (
    "IN .9, '' .5, ',' .5, R .5, D -.2, PO -.1, N1 -.2, N2 -.2, NP -.4, TO .6, J -.5, CC .3, VG -.2, V0 -3, VZ -2.4, "
    "VD -2, VN -1, MB -.8, MM -1, PS -1, PP -.8, # -.3, S 0"
)


def is_closed(word: str) -> bool:
    """Whether a word is one of those that only hold a sentence together."""
    return word in _CLOSED


@functools.cache
def _scores() -> Mapping[tuple[str, str], float]:
    rows = dict(
        row.split(":", 1) for row in re.split(r"\n(?! )", _PAIRS.replace("\n : ", "\nSTART: ").strip("\n"))
    )
    rows |= dict.fromkeys(("V0", "VZ", "VD", "VG"), _AFTER_VERB) | {"VN": _AFTER_PARTICIPLE}
    found: dict[tuple[str, str], float] = {}
    for before, text in rows.items():
        before = "" if before.strip() == "START" else before.strip()
        for sign, score in re.findall(r"""(["'][,]?["']|[A-Z0-9#]+)\s+(-?[\d.]+)""", text):
            found[before, sign.strip("\"'")] = float(score)
    found |= {("SP", after): score for (before, after), score in list(found.items()) if before == "S"}
    for one, same in (("DS", "D"), ("LT", "V0")):
        found |= {(before, one): score for (before, after), score in list(found.items()) if after == same}
    for one, same in (("DS", "D"), ("LT", "MM")):
        found |= {(one, after): score for (before, after), score in list(found.items()) if before == same}
    return found | {("DS", "N2"): -1.5, ("DS", "NP"): -2.0, ("", "LT"): 0.5, ("CC", "LT"): 0.5}


def _step(before: str, after: str) -> float:
    return _scores().get((before, after), -1.5)


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
        found["N2"] = -0.5 * _rank(nouns[0], "noun")
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
        cost = -0.5 * min(_rank(form, "verb") for form in verbs)
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
LIKE_ADJECTIVES = frozenset(words_of("tagging.like_adjectives"))
_AS_OFTEN_VERBS = frozenset(
    "missing demanding used left lost limited united broken hidden advanced married retired drunk".split()
)
_UNCHANGED = frozenset(
    "put cut let hit set cost hurt shut quit read spread split burst cast bet rid shed thrust".split()
)


def _rank(word: str, part: str) -> int:
    kinds = wordnet.parts_by_use(word)
    return kinds.index(part) if part in kinds else 2


_ONLY_PARTICIPLE = re.compile(r".*(?:wn|ken|ten|ven|zen|sen|den|gone|done|seen|sung|begun|drunk|swum|rung)$")
_ONLY_PAST = frozenset(
    "saw went took came gave knew wrote ate drank began sang rang swam ran fell flew grew drew threw blew broke spoke woke "
    "chose froze drove rode rose stole wore tore swore shook forgot hid bit became overcame undertook".split()
)


def _verb_signs(word: str) -> tuple[str, ...]:
    if word.endswith("ing"):
        return ("VG",)
    if wordnet.is_irregular(word, "v"):
        if word in _ONLY_PAST:
            return ("VD",)
        return ("VN",) if _ONLY_PARTICIPLE.match(word) else ("VD", "VN")
    return ("VZ",) if word.endswith("s") else ("VD", "VN")


def _by_ending(word: str) -> Mapping[str, float]:
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
_CLAUSE_VERBS = frozenset(words_of("tagging.clause_verbs"))
_CLAUSE_WORDS = frozenset(
    "clear sure true likely unlikely certain obvious possible important glad happy sorry afraid aware evident convinced "
    "confident so fact belief evidence".split()
)
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
    return _CLOSED[word].split() if word in _CLOSED else _readings(word, first=False, is_name=False)


_POINTED = {"a.m.": "N1", "p.m.": "N1", "e.g.": "R", "i.e.": "R"}


def _readings(word: str, *, first: bool, is_name: bool) -> Mapping[str, float]:
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
    found = _open_readings(lowered) or _by_ending(lowered)
    if re.fullmatch(r"(?:[A-Z]\.)+|[A-Z]{2,}|[a-z]{1,2}[A-Z]\w*", word) or (
        word[0].isupper() and (not first or is_name)
    ):
        return {"NP": 0.0} if not first or is_name else {"NP": 0.0, **found}
    if first and word[0].isupper() and not _open_readings(lowered):
        return {"NP": 0.0, **{sign: cost - 1 for sign, cost in found.items()}}
    return found


def _ways(words: Sequence[str], names: Sequence[bool], number: int) -> Mapping[str, float]:
    """The ways to read a word of a sentence, by the words beside it."""
    word = words[number]
    ways = _readings(word, first=number == 0, is_name=names[number])
    if "D" in ways and word.lower() == "that":
        ways = {("DS" if sign == "D" else sign): cost for sign, cost in ways.items()}
        ways |= {"CC": 2.0} if _opens_clause(words, number) else {}
    if "TO" in ways and number:
        willing = bool(_WILLING & {words[number - 1], *wordnet.base_forms(words[number - 1], "v")})
        ways = {**ways, "TO": ways["TO"] + 0.9 * willing + _acts(words, number + 1)}
    forced = retagging.gerund_subject(words, _open_readings, number)
    return {forced: 0.0} if forced else ways


# Nouns that follow `to` without an article.
_PLACES_TO = frozenset(
    "school bed church college work town prison jail court market class university hospital home heart water life "
    "others food people money power oil gas music art science health death land sea".split()
)


def _acts(words: Sequence[str], number: int) -> float:
    """By how much the word after `to` is rather what somebody does than a place to go to."""
    word = words[number].lower() if number < len(words) else ""
    if word in _PLACES_TO:
        return -1.2
    return 0.8 if word.isalpha() and "V0" in _open_readings(word) and word not in _CLOSED else 0.0


def signs(words: Sequence[str], names: Sequence[bool]) -> list[str]:
    """The likeliest row of readings of the words (and commas) of a sentence."""
    best: dict[tuple[str, bool], tuple[float, list[str]]] = {("", False): (0.0, [])}
    for number in range(len(words)):
        ways = _ways(words, names, number)
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
    return retagging.correct_tags(
        words, row, [_ways(words, names, number) for number in range(len(words))], _FINITE
    )


# Verbs after which `to` mostly begins an infinitive.
_WILLING = frozenset(
    "decide want try plan hope need begin start love hate prefer intend expect refuse manage fail agree offer promise learn "
    "choose continue seem tend wish able ready likely eager easy hard difficult ought used going have".split()
)
