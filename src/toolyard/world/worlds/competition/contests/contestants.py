"""Who takes part: some whom everybody knows, and others that are made up."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.shared.geography import cities
from toolyard.world.shared.people import FEMALE, LAST, MALE
from toolyard.world.tables import fold

# Handle, name, country, rating of spring 2024 and best rating before (about), year of signing up.
_FAMOUS: tuple[tuple[str, str | None, str, int, int, int], ...] = (
    ("tourist", "Gennady Korotkevich", "Belarus", 3640, 3979, 2010),
    ("jiangly", "Lingyu Jiang", "China", 3740, 3844, 2017),
    ("Benq", "Benjamin Qi", "United States", 3670, 3833, 2015),
    ("Petr", "Petr Mitrichev", "Switzerland", 3280, 3553, 2010), ("Um_nik", None, "Ukraine", 3450, 3663, 2012),
    ("ksun48", "Kevin Sun", "Canada", 3480, 3654, 2013), ("ecnerwala", "Andrew He", "United States", 3420, 3699, 2011),
    ("maroonrk", None, "Japan", 3450, 3650, 2014), ("Radewoosh", "Mateusz Radecki", "Poland", 3460, 3759, 2013),
    ("rng_58", "Makoto Soejima", "Japan", 2900, 3100, 2010),
    ("MikeMirzayanov", "Mike Mirzayanov", "Russia", 1800, 2100, 2010),
    ("Errichto", None, "Poland", 2900, 3053, 2012), ("neal", "Neal Wu", "United States", 3000, 3200, 2011),
    ("SecondThread", None, "United States", 2450, 2600, 2016),
    ("dario2994", "Federico Glaudo", "Italy", 2900, 3000, 2013),
)  # fmt: skip
UNKNOWN_BEST = 9999
# Others of renown, of whom the best rating is not on record: handle, name, country, rating (about), year of signing up.
_RENOWNED: tuple[tuple[str, str | None, str, int, int], ...] = (
    ("mnbvmar", "Marek Sokołowski", "Poland", 3120, 2012), ("scott_wu", "Scott Wu", "United States", 3200, 2011),
    ("ainta", None, "South Korea", 3080, 2011), ("V--o_o--V", None, "China", 3220, 2012),
    ("Egor", "Egor Kulikov", "Russia", 2780, 2010), ("Burunduk1", "Sergey Kopeliovich", "Russia", 2700, 2010),
    ("SergeyRogulenko", "Sergey Rogulenko", "Russia", 2750, 2010), ("vepifanov", "Vladimir Epifanov", "Russia", 2980, 2010),
    ("peter50216", None, "Taiwan", 2850, 2010), ("LHiC", "Mikhail Ipatov", "Russia", 3280, 2012),
    ("yosupo", "Kohei Morita", "Japan", 3200, 2011), ("snuke", None, "Japan", 2900, 2010),
    ("mango_lassi", None, "Finland", 3100, 2016), ("Swistakk", "Wojciech Nadara", "Poland", 2950, 2010),
    ("antontrygubO_o", "Anton Trygub", "Ukraine", 3000, 2015), ("300iq", "Ildar Gainullin", "Russia", 3250, 2015),
    ("isaf27", "Ivan Safonov", "Russia", 3050, 2014), ("adamant", "Oleksandr Kulkov", "Ukraine", 2700, 2012),
    ("ko_osaga", "Jaehyun Koo", "South Korea", 3050, 2013), ("zscoder", "Zi Song Yeoh", "Malaysia", 2900, 2014),
    ("Endagorion", "Mikhail Tikhomirov", "Russia", 3020, 2010), ("eatmore", "Evgeny Kapun", "Russia", 3100, 2010),
    ("ACRush", "Tiancheng Lou", "China", 2850, 2010),
)  # fmt: skip
_NEW_YEAR_2010, _YEAR = 1262304000, 31557600


@dataclass(frozen=True, slots=True, eq=False)
class User:
    """Somebody who takes part; ratings end near `skill` and are at most `best`; what is not known of real people is None."""

    handle: str
    name: str | None
    country: str
    skill: int
    best: int
    registered: int
    famous: bool = False


def _famous(number: int, chance: Random) -> User:
    handle, name, country, skill, best, year = _FAMOUS[number]
    registered = _NEW_YEAR_2010 + (year - 2010) * _YEAR + chance.randrange(86400 * 40)
    return User(
        handle, name, country, skill, best, registered, famous=True,
    )  # fmt: skip


def _renowned(number: int, chance: Random) -> User:
    handle, name, country, skill, year = _RENOWNED[number]
    registered = _NEW_YEAR_2010 + (year - 2010) * _YEAR + chance.randrange(86400 * 40)
    return User(handle, name, country, skill, UNKNOWN_BEST, registered, famous=True)


# How people make a handle out of their names.
_HANDLES = (
    "{last}{initial}{number}",
    "{last}.{first}{number}",
    "{initial}_{last}{number}",
    "{first}_{last}{number}",
    "{first}{number}",
)


def _made_up(number: int, chance: Random) -> User:
    first, last = chance.choice(MALE + FEMALE), chance.choice(LAST)
    home = chance.choice(cities()[:200])
    handle = _HANDLES[number % len(_HANDLES)].format(
        first=first.lower(),
        last=last.lower(),
        initial=first[0].lower(),
        number=number,
        year=1990 + number % 17,
    )
    # Half of them were there when the site opened.
    registered = _NEW_YEAR_2010 + chance.randrange(3_000_000 if number % 2 else 400_000_000)
    skill = max(820, round(chance.gauss(1620, 400)))
    return User(
        handle if handle.isascii() else f"user_{number}", f"{first} {last}", home["country"],
        skill, UNKNOWN_BEST, registered,
    )  # fmt: skip


@seeds.table
def users(seed: int) -> tuple[User, ...]:
    """Some that everybody knows, others of renown, and those that are made up."""
    known = tuple(
        (_famous if n < len(_FAMOUS) else _made_up)(n, seeds.stream(seed, "contestant", n))
        for n in range(140)
    )
    return known + tuple(_renowned(n, seeds.stream(seed, "renowned", n)) for n in range(len(_RENOWNED)))


_LIST = "Competition/Codeforces/user_rated_list"
# The founder runs the site and takes part in nothing.
ORGANIZER = "MikeMirzayanov"


def find_user(seed: int, handle: str) -> User:
    """The user of a handle (case aside); a not_found fault otherwise."""
    wanted = fold(handle)
    for user in users(seed):
        if user.handle.casefold() == wanted:
            return user
    known = [user.handle for user in users(seed)]
    near = [one for one in known if wanted and wanted in one.casefold()]
    raise not_found("user on record", handle[:60], known=known, nearest=near, listed_by=_LIST)
