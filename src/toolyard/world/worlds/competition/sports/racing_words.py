"""Names of race horses, of the people around them, and of races: invented, and in the language of the country."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from random import Random

from toolyard.world import seeds
from toolyard.world.tables import read_table

# No racing name is longer, blanks included.
LONGEST_NAME = 18
_TONGUES = {
    "France": "french", "Germany": "german", "Italy": "italian", "Japan": "japanese", "Argentina": "spanish",
    "Turkey": "turkish", "Czechia": "czech", "United States": "american", "Canada": "american",
    "Australia": "australian", "New Zealand": "australian", "South Africa": "african", "Hong Kong": "eastern",
    "Singapore": "eastern", "United Arab Emirates": "arabic", "Saudi Arabia": "arabic",
}  # fmt: skip
_TITLES = {"France": ("prix", "Prix {}"), "Germany": ("preis", "Preis {}"), "Italy": ("premio_it", "Premio {}"),
           "Argentina": ("premio", "Premio {}"), "Czechia": ("cena", "Cena {}")}  # fmt: skip
# Kinds of races by class, on the flat and over jumps; the best ones have no handicap.
_FLAT_KINDS = {
    1: ("Stakes",),
    2: ("Handicap", "Handicap", "Conditions Stakes"),
    3: ("Handicap", "Handicap", "Conditions Stakes"),
    4: ("Handicap",),
    5: ("Handicap", "Handicap", "Handicap", "Claiming Stakes"),
    6: ("Handicap", "Handicap", "Handicap", "Selling Stakes", "Classified Stakes"),
    7: ("Handicap", "Classified Stakes"),
}
_AMERICAN_KINDS = {2: "Allowance Optional Claiming", 3: "Allowance", 4: "Starter Allowance"}
_JAPANESE_KINDS = {1: "Open Class", 2: "3 Win Class", 3: "2 Win Class"}
# Where races are called by number and class, and where most have no name of their own.
_BY_CLASS, _UNNAMED = ("Hong Kong", "Singapore"), ("United Arab Emirates", "Saudi Arabia", "Turkey")
# Where races are called after inns and lanes, and claimed horses run.
_ISLES = ("United Kingdom", "Ireland")
# Words that only the name of a mare has, and those that only that of a stallion has.
_OF_MARES = frozenset(
    (
        "Belle",
        "Bonny",
        "Daisy",
        "Duchess",
        "Girl",
        "Lady",
        "Lass",
        "Lilly",
        "Maiden",
        "Petal",
        "Posy",
        "Pretty",
        "Princess",
    )
)
_OF_STALLIONS = frozenset(
    (
        "Admiral", "Bandit", "Bard", "Baron", "Bishop", "Boy", "Butler", "Captain", "Cavalier", "Chief", "Count", "Dandy",
        "Duke", "Farmer", "Fiddler", "General", "Hero", "Jester", "King", "Knight", "Lad", "Lion", "Lord", "Master",
        "Merchant", "Minstrel", "Monarch", "Outlaw", "Piper", "Pirate", "Porter", "Prince", "Regent", "Senator", "Shepherd",
        "Soldier", "Squire", "Steward", "Trooper", "Viking", "Warrior",
    )
)  # fmt: skip
# Horses that keep the name under which they are asked for.
_NAMED = {12: "Golden Dancer", 97: "Lucky Storm Lad"}


@functools.cache
def _words() -> Mapping[str, tuple[str, ...]]:
    return {
        row["kind"]: tuple(word.replace("_", " ") for word in row["words"].split())
        for row in read_table("horse_words.tsv")
    }


def horse_names(seed: int, count: int) -> list[str]:
    """Names for so many horses, all different, in chance order."""
    first, second = _words()["first"], _words()["second"]
    pairs = seeds.stream(seed, "horse names").sample(range(len(first) * len(second)), 2 * count)
    names = (f"{first[place // len(second)]} {second[place % len(second)]}" for place in pairs)
    taken = set(_NAMED.values())
    found = [name for name in names if _is_name(name) and name not in taken][:count]
    for place, name in _NAMED.items():
        found[place] = name
    return found


def _is_name(name: str) -> bool:
    one, other = name.split()
    return len(name) <= LONGEST_NAME and one != other


def parent(chance: Random, *, dam: bool = False) -> str:
    """The name of a sire, or of a dam: neither has one that says the other sex."""
    others = _OF_STALLIONS if dam else _OF_MARES
    while True:
        name = f"{chance.choice(_words()['first'])} {chance.choice(_words()['second'])}"
        if _is_name(name) and others.isdisjoint(name.split()):
            return name


def owner(chance: Random, land: str) -> str:
    """Who owns a horse: a person, a couple, some partners or a club."""
    tongue = _TONGUES.get(land, "british")
    last = chance.choice(_words()[f"{tongue} last"])
    if tongue != "british":
        return f"{chance.choice(_words()[f'{tongue} first'])} {last}"
    letter = chance.choice("ABCDEFGHJKLMNPRSTW")
    club = f"The {chance.choice(_words()['race'])} Partnership"
    kinds = (f"Mr {letter} {last}", f"Mrs {letter} {last}", f"{last} Racing", f"{last} & Partners", club)
    return chance.choice(kinds)


@functools.lru_cache(maxsize=256)
def people(seed: int, kind: str, land: str, count: int) -> tuple[str, ...]:
    """So many people of a country, all with different names."""
    tongue = _TONGUES.get(land, "british")
    chance = seeds.stream(seed, kind, land)
    lasts = chance.sample(_words()[f"{tongue} last"], min(count, len(_words()[f"{tongue} last"])))
    firsts = _words()[f"{tongue} first"]
    return tuple(f"{chance.choice(firsts)} {lasts[n % len(lasts)]}" for n in range(count))


def race_title(land: str, level: int, fence: str, taken: Sequence[str], chance: Random) -> str:
    """The title of a race that no other race of the card has; `fence` is Hurdle, Chase or empty."""
    plain = _numbered_title(land, level)
    if plain is not None:
        return f"Race {len(taken) + 1}: {plain}"
    kind, form = _TITLES.get(land, ("race" if land in _ISLES else "overseas", "{}"))
    name = chance.choice(_words()[kind])
    while any(name in title for title in taken):
        name = chance.choice(_words()[kind])
    if fence:
        handicap = " Handicap" if level > 1 and land in _ISLES else ""
        return f"{form.format(name)}{handicap} {fence}"
    if land in _TITLES:
        return form.format(name)
    sort = chance.choice(_FLAT_KINDS[level])
    # Races for horses of little worth are British ones.
    return f"{name} {sort if level == 1 or land == 'United Kingdom' or 'Conditions' in sort else 'Handicap'}"


def _numbered_title(land: str, level: int) -> str | None:
    """What a race without a name is called behind its number; None where it has one."""
    if land in ("United States", "Canada") and level > 1:
        return _AMERICAN_KINDS.get(level, "Claiming")
    if land == "Japan":
        return _JAPANESE_KINDS.get(level, "1 Win Class")
    if land in _BY_CLASS:
        return f"Class {level} Handicap"
    if land in _UNNAMED:
        return "Handicap" if level > 1 else "Conditions Race"
    return None
