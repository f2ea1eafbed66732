"""Trading hours of the world's markets and whether they are open at a moment; every weekday is a trading day."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypedDict

from toolyard.world.faults import not_found
from toolyard.world.shared.days import zone
from toolyard.world.shared.geography import plain
from toolyard.world.types import ClockTime, Semantic, TimeZoneName

MarketRegion = Annotated[str, Semantic("market_region_name")]
_ROWS = (
    ("Equity", "United States", "US", "NASDAQ, NYSE, AMEX", "09:30", "16:00", "America/New_York"),
    ("Equity", "Canada", "CA", "Toronto, Toronto Ventures", "09:30", "16:00", "America/Toronto"),
    ("Equity", "Mexico", "MX", "Mexico", "08:30", "15:00", "America/Mexico_City"),
    ("Equity", "Brazil", "BR", "B3 Sao Paulo", "10:00", "17:30", "America/Sao_Paulo"),
    ("Equity", "United Kingdom", "GB", "London", "08:00", "16:30", "Europe/London"),
    ("Equity", "Germany", "DE", "XETRA, Frankfurt", "09:00", "17:30", "Europe/Berlin"),
    ("Equity", "France", "FR", "Euronext Paris", "09:00", "17:30", "Europe/Paris"),
    ("Equity", "Spain", "ES", "Madrid", "09:00", "17:30", "Europe/Madrid"),
    ("Equity", "Italy", "IT", "Borsa Italiana", "09:00", "17:30", "Europe/Rome"),
    ("Equity", "Switzerland", "CH", "SIX Zurich", "09:00", "17:30", "Europe/Zurich"),
    ("Equity", "South Africa", "ZA", "Johannesburg", "09:00", "17:00", "Africa/Johannesburg"),
    ("Equity", "India", "IN", "NSE, BSE", "09:15", "15:30", "Asia/Kolkata"),
    ("Equity", "China", "CN", "Shanghai, Shenzhen", "09:30", "15:00", "Asia/Shanghai"),
    ("Equity", "Hong Kong", "HK", "Hong Kong", "09:30", "16:00", "Asia/Hong_Kong"),
    ("Equity", "Singapore", "SG", "SGX", "09:00", "17:00", "Asia/Singapore"),
    ("Equity", "Japan", "JP", "Tokyo", "09:00", "15:00", "Asia/Tokyo"),
    ("Equity", "South Korea", "KR", "Korea Exchange", "09:00", "15:30", "Asia/Seoul"),
    ("Equity", "Australia", "AU", "ASX", "10:00", "16:00", "Australia/Sydney"),
    ("Forex", "Global", "FX", "Global", "00:00", "23:59", "UTC"),
    ("Cryptocurrency", "Global crypto", "CRYPTO", "Global", "00:00", "23:59", "UTC"),
)
_ALIASES = {"usa": "us", "america": "us", "uk": "gb", "england": "gb", "forex": "fx", "currency": "fx", "korea": "kr",
            "coins": "crypto", "cryptocurrency": "crypto", "frankfurt": "de", "london": "gb", "tokyo": "jp",
            "new york": "us", "shanghai": "cn", "mumbai": "in", "u.s.": "us", "united states of america": "us"}  # fmt: skip


class MarketHours(TypedDict):
    """One market with its hours and whether it is open."""

    market_type: str
    region: MarketRegion
    code: str
    exchanges: str
    opens: ClockTime
    closes: ClockTime
    time_zone: TimeZoneName
    local_time: str
    is_open: bool


def market_hours(now: datetime) -> list[MarketHours]:
    """All markets as they are at a moment."""
    return [_at(row, now) for row in _ROWS]


def _at(row: tuple[str, str, str, str, str, str, str], now: datetime) -> MarketHours:
    kind, region, code, exchanges, opens, closes, zone_name = row
    local = now.astimezone(zone(zone_name))
    trading = local.weekday() < 5 or kind == "Cryptocurrency"
    return MarketHours(
        market_type=kind,
        region=region,
        code=code,
        exchanges=exchanges,
        opens=opens,
        closes=closes,
        time_zone=zone_name,
        local_time=local.isoformat(sep=" ", timespec="minutes")[:16],
        is_open=trading and opens <= local.strftime("%H:%M") < closes,
    )


def find_market(wanted: str, now: datetime) -> MarketHours:
    """The market of a country name, code or exchange; a not_found fault otherwise."""
    key = plain(wanted)
    key = _ALIASES.get(key, key)
    for row in market_hours(now):
        if key in (
            plain(row["region"]),
            plain(row["code"]),
            *(plain(part) for part in row["exchanges"].split(", ")),
        ):
            return row
    raise not_found("market", wanted, known=[row["region"] for row in market_hours(now)])
