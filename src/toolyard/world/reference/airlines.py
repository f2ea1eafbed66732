"""Airlines with a two-letter code: the packed table, with those that were founded or renamed since it was made.

airlines_now.tsv: FJ	FJI	Fiji Airways	FJ
"""

import functools
from typing import NamedTuple

from toolyard.world.kernel.tables import read_table
from toolyard.world.reference.packed_tables import packed_table

# Codes that stand for no airline; nor does any of two digits.
_PLACEHOLDERS = ("ZZ", "XX", "YY", "QQ")


class ListedAirline(NamedTuple):
    """IATA and ICAO code, name and country code of an airline."""

    iata: str
    icao: str
    name: str
    country: str


@functools.cache
def listed_airlines() -> tuple[ListedAirline, ...]:
    """All airlines, one for each code, in the order of the table and then those that it does not have."""
    now = {row["iata"]: ListedAirline(**row) for row in read_table("airlines_now.tsv")}
    listed = [
        # Some codes of three letters are cut off in the table.
        now.pop(iata, ListedAirline(iata, icao if len(icao) == 3 else "", name, country))
        for iata, icao, name, country in packed_table("airlines")
        if iata not in _PLACEHOLDERS and not iata.isdigit()
    ]
    return (*listed, *now.values())
