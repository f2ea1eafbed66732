"""Films from 1940 to 2014 and the people who made them: the table `films`.

alien	Alien	1979	117	Horror;Science fiction	Ridley Scott	Sigourney Weaver;...	United States	1
"""

import functools
import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toolyard.world.kernel.tables import plain
from toolyard.world.reference.packed_tables import Fields, packed_table

_DIRECTORS, _CAST = 5, 6


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


def _split_names(text: str) -> tuple[str, ...]:
    return tuple(text.split(";")) if text else ()


def film_by_number(number: int) -> Film | None:
    """The film with this number; None where there is none."""
    return _read_film(number, packed_table("films")[number]) if number < len(packed_table("films")) else None


def film_people() -> list[str]:
    """Everyone who directed a film or plays in some."""
    names = (
        name
        for column in (_DIRECTORS, _CAST)
        for row in packed_table("films")
        for name in row[column].split(";")
    )
    return list({plain(name): name for name in reversed(tuple(names)) if name}.values())


def _read_film(number: int, row: Fields) -> Film:
    _, title, year, minutes, genres, directors, cast, countries, oscars = row
    return Film(
        number,
        title,
        int(year),
        int(minutes) if minutes else None,
        _split_names(genres),
        _split_names(directors),
        _split_names(cast),
        _split_names(countries),
        int(oscars or 0),
    )


def films_called(title: str) -> list[Film]:
    """The films with this title, the oldest first."""
    wanted, table = plain(title), packed_table("films")
    rows = table.with_key(wanted)
    start = table.place(wanted) if rows else 0
    return [_read_film(start + n, row) for n, row in enumerate(rows)]


# So many names are looked for in the text; who asks for more has the index, which takes as long to make as all of them.
_FEW = 100
_asked = itertools.count()


@functools.cache
def _films_by_name() -> Mapping[str, list[tuple[int, int]]]:
    """Plain name -> the films and columns in which it stands."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, line in enumerate(packed_table("films").plain_text().decode().split("\n")[:-1]):
        row = line.split("\t")
        for column in (_DIRECTORS, _CAST):
            for name in row[column].split(";") if row[column] else ():
                found.setdefault(name, []).append((number, column))
    return found


@functools.cache
def _people_lines() -> bytes:
    """A line of plain text for each film, with its people alone."""
    rows = (line.split(b"\t") for line in packed_table("films").plain_text().split(b"\n")[:-1])
    return b"".join(b"\t%b\t%b\t\n" % (row[_DIRECTORS], row[_CAST]) for row in rows)


def _films_naming(name: str) -> Iterator[tuple[int, int]]:
    """The films in whose rows a plain name stands between marks, with the number of the column."""
    text, sought, number, start = _people_lines(), name.encode(), 0, 0
    while sought and (place := text.find(sought, start)) >= 0:
        number += text.count(b"\n", start, place)
        start = place + len(sought)
        if text[place - 1] in b"\t;" and text[start : start + 1] in (b"\t", b";"):
            yield number, _DIRECTORS - 1 + text.count(b"\t", text.rfind(b"\n", 0, place) + 1, place)


class Credits(NamedTuple):
    """Someone's films."""

    name: str
    directed: tuple[Film, ...]
    played: tuple[Film, ...]


def film_credits(name: str) -> Credits | None:
    """The films that someone directed and plays in, the oldest first; None for names without any."""
    wanted = plain(name)
    rows = list(_films_naming(wanted)) if next(_asked) < _FEW else _films_by_name().get(wanted, [])
    directed, played = (
        tuple(
            sorted(
                (_read_film(number, packed_table("films")[number]) for number, at in rows if at == column),
                key=_release_year,
            )
        )
        for column in (_DIRECTORS, _CAST)
    )
    spelt = (
        (one for film in directed for one in film.directors),
        (one for film in played for one in film.cast),
    )
    shown = next((one for names in spelt for one in names if plain(one) == wanted), None)
    return Credits(shown, directed, played) if shown else None


def _release_year(film: Film) -> int:
    return film.year
