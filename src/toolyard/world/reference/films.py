"""Films from 1940 to 2014 and the people who made them: the table `films`.

alien	Alien	1979	117	Horror;Science fiction	Ridley Scott	Sigourney Weaver;...	United States	1
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from toolyard.world.reference.packed import Fields, packed
from toolyard.world.tables import plain


class Film(NamedTuple):
    """A film; people, genres and countries are lists of names."""

    number: int
    title: str
    year: int
    minutes: int | None
    genres: tuple[str, ...]
    directors: tuple[str, ...]
    cast: tuple[str, ...]
    countries: tuple[str, ...]
    oscars: int


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(";")) if text else ()


def film_at(number: int) -> Film | None:
    """The film with this number; None where there is none."""
    return _film(number, packed("films")[number]) if number < len(packed("films")) else None


def film_people() -> list[str]:
    """Everyone who directed a film or plays in some."""
    return [name for name, _, _ in _credits().values()]


def _film(number: int, row: Fields) -> Film:
    _, title, year, minutes, genres, directors, cast, countries, oscars = row
    return Film(
        number,
        title,
        int(year),
        int(minutes) if minutes else None,
        _names(genres),
        _names(directors),
        _names(cast),
        _names(countries),
        int(oscars or 0),
    )


def films_called(title: str) -> list[Film]:
    """The films with this title, the oldest first."""
    wanted, table = plain(title), packed("films")
    start = table.place(wanted)
    return [_film(start + n, row) for n, row in enumerate(table.under(wanted))]


@functools.cache
def _credits() -> Mapping[str, tuple[str, list[int], list[int]]]:
    """Plain name -> name, numbers of the films that this person directed, and of those he or she plays in."""
    directed: dict[str, list[int]] = {}
    played: dict[str, list[int]] = {}
    for number, row in enumerate(packed("films")):
        for roles, names in ((directed, row[5]), (played, row[6])):
            for name in names.split(";") if names else ():
                roles.setdefault(name, []).append(number)
    found: dict[str, tuple[str, list[int], list[int]]] = {}
    for name in {**directed, **played}:
        known = found.setdefault(plain(name), (name, [], []))
        known[1].extend(directed.get(name, ()))
        known[2].extend(played.get(name, ()))
    return found


class Credits(NamedTuple):
    """Someone's films."""

    name: str
    directed: tuple[Film, ...]
    played: tuple[Film, ...]


def credits_of(name: str) -> Credits | None:
    """The films that someone directed and plays in, the oldest first; None for names without any."""
    found = _credits().get(plain(name))
    if found is None:
        return None
    shown, directed, played = found

    def films(numbers: list[int]) -> tuple[Film, ...]:
        return tuple(
            sorted((_film(number, packed("films")[number]) for number in numbers), key=lambda film: film.year)
        )

    return Credits(shown, films(directed), films(played))
