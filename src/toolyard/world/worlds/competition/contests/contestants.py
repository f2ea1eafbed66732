"""Who takes part: some whom everybody knows, others that are made up or derived from a handle."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from toolyard.world import seeds
from toolyard.world.derived import derived, well_formed
from toolyard.world.faults import not_found
from toolyard.world.shared.geography import cities
from toolyard.world.shared.people import FEMALE, LAST, MALE
from toolyard.world.tables import fold

# Handle, name, country, rating of spring 2024 and best rating before (about), year of signing up, thousands of friends.
_FAMOUS: tuple[tuple[str, str | None, str, int, int, int, int], ...] = (
    ("tourist", "Gennady Korotkevich", "Belarus", 3640, 3979, 2010, 75),
    ("jiangly", "Lingyu Jiang", "China", 3740, 3844, 2017, 40),
    ("Benq", "Benjamin Qi", "United States", 3670, 3833, 2015, 30),
    ("Petr", "Petr Mitrichev", "Switzerland", 3280, 3553, 2010, 25), ("Um_nik", None, "Ukraine", 3450, 3663, 2012, 25),
    ("ksun48", "Kevin Sun", "Canada", 3480, 3654, 2013, 9), ("ecnerwala", "Andrew He", "United States", 3420, 3699, 2011, 8),
    ("maroonrk", None, "Japan", 3450, 3650, 2014, 7), ("Radewoosh", "Mateusz Radecki", "Poland", 3460, 3759, 2013, 14),
    ("rng_58", "Makoto Soejima", "Japan", 2900, 3100, 2010, 4),
    ("MikeMirzayanov", "Mike Mirzayanov", "Russia", 1800, 2100, 2010, 30),
    ("Errichto", None, "Poland", 2900, 3053, 2012, 35), ("neal", "Neal Wu", "United States", 3000, 3200, 2011, 12),
    ("SecondThread", None, "United States", 2450, 2600, 2016, 20),
    ("dario2994", "Federico Glaudo", "Italy", 2900, 3000, 2013, 4),
)  # fmt: skip
# Handles that are well known beside those of the table, with the countries of their owners.
_COUNTRIES = {
    handle.casefold(): (country, handle)
    for country, handles in {
        "Russia": "Egor Burunduk1 LHiC 300iq Merkurev Zlobober niyaznigmatul izban eatmore Endagorion pashka andrewzta",
        "China": "ACRush WJMZBMR xudyh TLE cgy4ever fateice skywalkert", "Poland": "mnbvmar Swistakk mareksom Marcin_smu",
        "United States": "scott_wu Lewin bqi343", "Canada": "SnapDragon", "Ukraine": "antontrygubO_o RomaWhite",
        "Japan": "yosupo snuke hos.lyric semiexp", "South Korea": "ainta ko_osaga cki86201", "Slovakia": "Xellos misof",
        "South Africa": "bmerry", "Malaysia": "zscoder", "Indonesia": "dolphinigle",
    }.items()
    for handle in handles.split()
}  # fmt: skip
_HANDLE = re.compile(r"[A-Za-z0-9][\w.]{1,22}[\w.]", re.ASCII)
UNKNOWN_BEST = 9999
_NEW_YEAR_2010, _YEAR = 1262304000, 31557600


@dataclass(frozen=True, slots=True, eq=False)
class User:
    """Somebody who takes part; ratings end near `skill` and are at most `best`; what is not known of real people is None."""

    handle: str
    name: str | None
    country: str
    city: str | None
    organization: str | None
    skill: int
    best: int
    registered: int
    contribution: int
    friends: int
    famous: bool = False


# Where those live who say so.
_HOMES = {"tourist": "Gomel", "Petr": "Zurich"}


def _famous(number: int, chance: Random) -> User:
    handle, name, country, skill, best, year, friends = _FAMOUS[number]
    registered = _NEW_YEAR_2010 + (year - 2010) * _YEAR + chance.randrange(86400 * 40)
    return User(
        handle, name, country, _HOMES.get(handle), None, skill, best, registered, chance.randrange(20, 190),
        friends * 1000 + chance.randrange(900), famous=True,
    )  # fmt: skip


def _made_up(number: int, chance: Random) -> User:
    first, last = chance.choice(MALE + FEMALE), chance.choice(LAST)
    home = chance.choice(cities()[:200])
    handle = f"{first.lower()}_{last.lower()}{number}"
    # Half of them were there when the site opened.
    registered = _NEW_YEAR_2010 + chance.randrange(3_000_000 if number % 2 else 400_000_000)
    skill = max(820, round(chance.gauss(1620, 400)))
    return User(
        handle if handle.isascii() else f"user_{number}", f"{first} {last}", home["country"], home["name"],
        f"{home['name']} University", skill, UNKNOWN_BEST, registered, chance.randrange(-20, 90), chance.randrange(3, 400),
    )  # fmt: skip


@seeds.table
def users(seed: int) -> tuple[User, ...]:
    """A hundred and forty users: some that everybody knows, the rest made up."""
    return tuple(
        (_famous if n < len(_FAMOUS) else _made_up)(n, seeds.stream(seed, "contestant", n))
        for n in range(140)
    )


def find_user(seed: int, handle: str) -> User:
    """The user of a handle (case aside); a not_found fault otherwise."""
    wanted = fold(handle)
    for user in users(seed):
        if user.handle.casefold() == wanted:
            return user
    if not _HANDLE.fullmatch(handle.strip()) or not (fold(handle) in _COUNTRIES or _pronounced(handle)):
        raise not_found("user", handle[:60], such_as=("tourist", "jiangly", "Petr"))
    return derived(seed, "contestant", handle, lambda chance: _further_user(handle.strip(), chance))


def _pronounced(handle: str) -> bool:
    return well_formed(re.sub(r"[\d_.]+", " ", handle).strip())


def _further_user(handle: str, chance: Random) -> User:
    """Somebody whose handle no table has; nothing but country and strength is said of those who are well known."""
    home = chance.choice(cities()[:200])
    strong = fold(handle) in _COUNTRIES
    country, spelled = _COUNTRIES.get(fold(handle), (home["country"], handle))
    name = f"{chance.choice(MALE + FEMALE)} {chance.choice(LAST)}"
    return User(
        spelled, None if strong else name, country, None if strong else home["name"],
        None if strong else f"{home['name']} University",
        round(chance.gauss(2850, 120) if strong else max(820, chance.gauss(1500, 350))), UNKNOWN_BEST,
        _NEW_YEAR_2010 + chance.randrange(4000000), chance.randrange(-20, 60), chance.randrange(3, 200),
    )  # fmt: skip
