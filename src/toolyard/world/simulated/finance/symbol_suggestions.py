"""Symbols that a beginning or some words fit, and shares of the same business."""

from collections.abc import Sequence
from typing import Annotated

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.companies import companies, find_company, search_companies
from toolyard.world.reference.listed_companies import Company, company_by_index, short_name
from toolyard.world.simulated.finance.instruments import Instrument, all_instruments, share
from toolyard.world.simulated.prices import Kind

SearchTerm = Annotated[str, Semantic("finance_term", accepts=("company", "ticker"))]
_MOST, _LOOKED_AT, _LARGE = 10, 60, 1500


def _fit(row: Instrument, wanted: str, stems: set[str]) -> int:
    """How well something fits: 0 it is called so, 1 symbol or name begins so, 2 it has all the words, 3 not at all."""
    symbol, name = plain(row.symbol), plain(row.name)
    if wanted in (symbol, name, short_name(row.name)):
        return 0
    if symbol.startswith(wanted) or name.removeprefix("the ").startswith(wanted):
        return 1
    return 2 if stems and stems <= set(words(f"{row.symbol} {row.name}")) else 3


def suggest_symbols(q: str, region: str, kinds: Sequence[Kind] | None = None) -> list[Instrument]:
    """Instruments whose symbol or name fits some words, exact ones first, then those of the region; at most ten."""
    wanted, stems = plain(q)[:100], set(words(q))
    if not wanted:
        raise invalid("q", q, "want the beginning of a symbol or name, or words of a name, e.g. tesla")
    shares = {row["ticker"]: share(row) for row in search_companies(wanted, _LOOKED_AT)}
    others = [row for row in all_instruments() if row.symbol not in shares and _fit(row, wanted, stems) < 3]
    found = [row for row in (*shares.values(), *others) if kinds is None or row.kind in kinds]
    if not found:
        near = [row.symbol for row in all_instruments() if kinds is None or row.kind in kinds]
        raise not_found("symbol or name that fits", q[:60], known=near)
    # A name that fits more than one market: that of the region, then the others.
    found.sort(key=lambda row: (_fit(row, wanted, stems) > 0, row.region != region, row.exchange == "OTC"))
    return found[:_MOST]


def similar_companies(seed: int, ticker: str) -> list[Company]:
    """Other companies of the same industry, else of the sector; each once, as its ticker finds it."""
    own = find_company(ticker)
    known = [*companies(), *(company_by_index(place) for place in range(_LARGE))]
    rows: dict[str, Company] = {}
    for row in known:
        if row["sector"] == own["sector"] and "." not in row["ticker"]:
            rows.setdefault(short_name(row["name"]), row)
    rows.pop(short_name(own["name"]), None)
    near = sorted(
        rows.values(),
        key=lambda row: (
            row["industry"] != own["industry"],
            seeds.unit(seed, "similar", own["ticker"], row["ticker"]),
        ),
    )
    return [find_company(each) for each in dict.fromkeys(row["ticker"] for row in near)]
