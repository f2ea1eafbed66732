"""Symbols that a beginning or some words fit, for both searches of Yahoo Finance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from toolyard.world.faults import invalid
from toolyard.world.search import words
from toolyard.world.shared.companies import has_price, search_companies, ticker_begins
from toolyard.world.shared.geography import plain
from toolyard.world.shared.listed import short_name
from toolyard.world.types import Semantic
from toolyard.world.worlds.finance.instruments import Instrument, Kind, instruments, more_instruments, share

# What is shorter may be the beginning of a ticker.
_SHORT = 5
# So many that fit are compared.
_LOOKED_AT = 200
# How many suggestions there are, and how many places of them those of other markets may take.
_MOST, _LATE = 10, 3
SearchTerm = Annotated[str, Semantic("finance_term", accepts=("company", "ticker"))]


def _matches(row: Instrument, wanted: str, stems: set[str]) -> bool:
    symbol, name = plain(row["symbol"]), plain(row["name"])
    return symbol.startswith(wanted) or name.startswith(wanted) or (bool(stems) and stems <= set(words(name)))


def _holds(row: Instrument, wanted: str) -> bool:
    """Whether every word, small ones too, is the beginning of a word of the name or symbol."""
    inside = [plain(row["symbol"]), *plain(row["name"]).replace("-", " ").split()]
    return all(any(one.startswith(word) for one in inside) for word in wanted.replace("-", " ").split())


def _worth_telling(
    shares: Sequence[Instrument], found: Sequence[Instrument], wanted: str
) -> Sequence[Instrument]:
    """Those with a price on record; without one that is called so, others that are; else all, or the listed ones of them."""
    priced = [row for row in shares if has_price(row["symbol"])]
    if any(_is_called(row, wanted) for row in (*found, *priced)):
        return [*priced, *(row for row in shares if row not in priced and plain(row["symbol"]) == wanted)]
    priced += [row for row in shares if row not in priced and _is_called(row, wanted)]
    return priced if found or priced else [row for row in shares if row["exchange"] != "OTC"] or shares


def suggestions(q: str, region: str, kinds: Sequence[Kind] | None = None) -> list[Instrument]:
    """Instruments whose symbol or name begins with or holds the words; those of the region first, at most ten.

    Shares whose price is not on record are there only when the words are their symbol or name, or fit nothing else.
    """
    wanted, stems = plain(q), set(words(q))
    if not wanted:
        raise invalid("q", q, "want the beginning of a symbol or name, or words of a name, e.g. tesla")
    found = [row for row in (*instruments(), *more_instruments()) if (kinds is None or row["kind"] in kinds)]
    found = [row for row in found if _matches(row, wanted, stems)]
    if kinds is None or "EQUITY" in kinds:
        known = {row["symbol"] for row in found}
        near = ticker_begins(wanted, 10) if len(wanted) < _SHORT and wanted.isalnum() else []
        near += search_companies(q, _LOOKED_AT)
        shares = {row["ticker"]: share(row) for row in near if row["ticker"] not in known}
        found += _worth_telling(list(shares.values()), found, wanted)
    if len(stems) < len(wanted.split()):
        found = [row for row in found if _holds(row, wanted)] or found
    found.sort(
        key=lambda row: (
            row["region"] != region,
            not _is_called(row, wanted),
            region not in (row["region"], row["country"]),
            len(wanted) >= _SHORT or row["exchange"] == "OTC" or not plain(row["symbol"]).startswith(wanted),
            " " in wanted and not plain(row["name"]).removeprefix("the ").startswith(wanted),
        )
    )
    return _first(found, wanted)


def _is_called(row: Instrument, wanted: str) -> bool:
    """Whether the words are the whole symbol or name."""
    return wanted in (plain(row["symbol"]), plain(row["name"]), short_name(row["name"]))


def _first(found: Sequence[Instrument], wanted: str) -> list[Instrument]:
    """The first ten; what is called so and stands further back takes the last places."""
    behind = [row for row in found[_MOST:] if _is_called(row, wanted)][:_LATE]
    return [*found[: _MOST - len(behind)], *behind]
