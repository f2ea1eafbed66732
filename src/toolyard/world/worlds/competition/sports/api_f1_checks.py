"""Competition/API_F1: what is known by number and by name, and the refusal of what is not."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from toolyard.world.faults import invalid, not_found
from toolyard.world.shared.atlas import known_city
from toolyard.world.tables import plain
from toolyard.world.worlds.competition.sports import grand_prix as f1
from toolyard.world.worlds.competition.sports.api_f1_shapes import GROUP

# Which tool lists what.
_LISTS = {
    "team": f"{GROUP}/drivers_2",
    "driver": f"{GROUP}/drivers",
    "circuit": f"{GROUP}/circuits",
    "competition": f"{GROUP}/competition",
}


@functools.cache
def competition_names() -> tuple[str, ...]:
    """Names of the Grands Prix; the place of a name, from 1, is its number."""
    renamed = dict.fromkeys(name for _, _, name in f1.RENAMED.values())
    usual = (race.circuit.race if race.name in renamed else race.name for race in f1.races())
    return tuple(dict.fromkeys([*usual, *renamed]))


def need_known(
    *,
    team: int | None = None,
    driver: int | None = None,
    circuit: int | None = None,
    competition: int | None = None,
    search: str | None = None,
) -> None:
    """Refuses numbers that nobody and nothing has, and a search for nothing."""
    tables = (
        ("team", team, [one.number for one in f1.constructors().values()]),
        ("driver", driver, [one.number for one in f1.drivers().values()]),
        (
            "circuit",
            circuit,
            [one.number for key, one in f1.circuits().items() if key in f1.raced()["circuit_id"]],
        ),
        ("competition", competition, [*range(1, len(competition_names()) + 1)]),
    )
    for what, number, known in tables:
        if number is not None and number not in known:
            raise not_found(what, number, known=known, listed_by=_LISTS[what])
    if search is not None and not search.strip():
        raise invalid("search", search, "want a part of a name, or leave it out")


def need_name(what: str, name: str | None, known: Iterable[str]) -> None:
    """Refuses a full name that nobody and nothing has; those that hold it are named."""
    names = list(known)
    if name is None or plain(name) in {plain(one) for one in names}:
        return
    near = [one for one in names if name.strip() and plain(name) in plain(one)]
    raise not_found(what, name[:60], known=names, nearest=near, listed_by=_LISTS[what])


def need_city(name: str | None) -> None:
    """Refuses a city that is on no map and has no circuit."""
    own = {plain(one.city) for one in f1.circuits().values()}
    if name is None or plain(name) in own or known_city([plain(part) for part in name.split(",")]):
        return
    raise not_found("city", name[:60], such_as=("Melbourne", "Monza"), listed_by=_LISTS["competition"])
