"""Trading hours of the world's markets, which exchanges they have, and whether they are open at a moment."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain, read_record, read_table
from toolyard.world.kernel.types import Semantic
from toolyard.world.kernel.views import Row, View
from toolyard.world.reference.days import zone

MarketRegion = Annotated[str, Semantic("market_region_name")]
DAY_MINUTES = 1440


@dataclass(frozen=True, slots=True)
class Market:
    """One market with its local hours, the weekdays on which it rests, and the codes of its exchanges."""

    kind: str
    region: str
    code: str
    exchanges: str
    opens: str
    closes: str
    time_zone: str
    large: bool
    rests: tuple[str, ...]
    exchange_codes: tuple[str, ...]
    aliases: tuple[str, ...]

    @property
    def hours(self) -> tuple[int, int]:
        """Minutes after midnight at which it opens and closes."""
        first, last = (int(text[:2]) * 60 + int(text[3:]) for text in (self.opens, self.closes))
        return first, DAY_MINUTES if last == DAY_MINUTES - 1 else last


@functools.cache
def all_markets() -> tuple[Market, ...]:
    """All markets, large ones first."""
    return tuple(
        read_record(
            Market,
            row,
            large=bool(row["large"]),
            rests=tuple(row["rests"].split()),
            exchange_codes=tuple(row["exchange_codes"].split()),
        )
        for row in read_table("markets.tsv")
    )


@functools.cache
def region_of_exchange() -> Mapping[str, str]:
    """Code of an exchange outside the United States -> code of its country."""
    return {code: row.code for row in all_markets() for code in row.exchange_codes}


def region_session(region: str) -> tuple[int, int]:
    """The hours of a region's market; New York's where none of its own are known."""
    return next((row.hours for row in all_markets() if row.code == region), all_markets()[0].hours)


def is_market_open(row: Market, now: datetime) -> bool:
    """Whether a market trades at a moment."""
    local = now.astimezone(zone(row.time_zone))
    return local.strftime("%a").lower() not in row.rests and row.opens <= local.strftime("%H:%M") < row.closes


def hours_view(now: datetime, row: type[Row], **others: str) -> View[Row]:
    """Markets as they are at a moment: `is_open`, `status`, `local_time` and fields of the table, some under other names."""
    computed = {
        "is_open": lambda row: is_market_open(row, now),
        "status": lambda row: "open" if is_market_open(row, now) else "closed",
        "local_time": lambda row: now.astimezone(zone(row.time_zone)).strftime("%Y-%m-%d %H:%M"),
    }
    renamed = {name: computed.get(field, field) for name, field in others.items()}
    return View.of(row, **computed, **renamed)


def find_market(wanted: str) -> Market:
    """The market of a country name, code or exchange; a not_found fault otherwise."""
    key = plain(wanted)
    for row in all_markets():
        names = (row.region, row.code, *row.exchanges.split(", "), *row.aliases)
        if key in map(plain, names):
            return row
    raise not_found("market", wanted, known=[row.region for row in all_markets()])
