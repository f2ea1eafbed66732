"""Free books in languages that the catalogue has none in: translations of the most read ones, derived."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeVar, cast

from toolyard.world.derived import derived

Row = TypeVar("Row", bound=Mapping[str, Any])
# Numbers of translations begin here; those of the catalogue are smaller.
FIRST = 900_000
_EACH = 3


@functools.cache
def _languages() -> tuple[tuple[str, str], ...]:
    """Code and English name of all languages, by code."""
    from babel import Locale

    return tuple(sorted((code, name) for code, name in Locale("en").languages.items() if len(code) <= 3))


def translations(code: str, books: Sequence[Row]) -> list[Row]:
    """The most read books in a language; none where nobody speaks it."""
    place = next((number for number, row in enumerate(_languages()) if row[0] == code), None)
    if place is None:
        return []
    name = _languages()[place][1]
    read = sorted(
        (row for row in books if row["languages"] == ["en"]), key=lambda row: -row["download_count"]
    )[:_EACH]

    def built(chance: Random) -> list[Row]:
        return [
            cast(
                "Row",
                {**row, "id": FIRST + _EACH * place + turn, "title": f"{row['title']} ({name} translation)",
                 "languages": [code], "download_count": chance.randrange(20, 900)},
            )
            for turn, row in enumerate(read)
        ]  # fmt: skip

    return derived(0, "free books", code, built)


def translation_at(number: int, books: Sequence[Row]) -> Row | None:
    """The translation with a number; None where there is none."""
    place = (number - FIRST) // _EACH
    if not 0 <= place < len(_languages()):
        return None
    return next((row for row in translations(_languages()[place][0], books) if row["id"] == number), None)
