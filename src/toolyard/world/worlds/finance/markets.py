"""Trading hours of the world's markets and whether they are open at a moment; every day of the working week is a trading
day."""

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
    ("Equity", "Mexico", "MX", "Mexico", "07:30", "14:00", "America/Mexico_City"),
    ("Equity", "Brazil", "BR", "B3 Sao Paulo", "10:00", "17:00", "America/Sao_Paulo"),
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
# Smaller ones, which can be asked for but are in no list.
_SMALLER = (
    ("Equity", "Netherlands", "NL", "Euronext Amsterdam", "09:00", "17:30", "Europe/Amsterdam"),
    ("Equity", "Belgium", "BE", "Euronext Brussels", "09:00", "17:30", "Europe/Brussels"),
    ("Equity", "Portugal", "PT", "Euronext Lisbon", "08:00", "16:30", "Europe/Lisbon"),
    ("Equity", "Ireland", "IE", "Euronext Dublin", "08:00", "16:30", "Europe/Dublin"),
    ("Equity", "Austria", "AT", "Vienna", "09:00", "17:30", "Europe/Vienna"),
    ("Equity", "Sweden", "SE", "Nasdaq Stockholm", "09:00", "17:30", "Europe/Stockholm"),
    ("Equity", "Norway", "NO", "Oslo Bors", "09:00", "16:25", "Europe/Oslo"),
    ("Equity", "Denmark", "DK", "Nasdaq Copenhagen", "09:00", "17:00", "Europe/Copenhagen"),
    ("Equity", "Finland", "FI", "Nasdaq Helsinki", "10:00", "18:30", "Europe/Helsinki"),
    ("Equity", "Iceland", "IS", "Nasdaq Iceland", "09:30", "15:30", "Atlantic/Reykjavik"),
    ("Equity", "Poland", "PL", "Warsaw", "09:00", "17:05", "Europe/Warsaw"),
    ("Equity", "Czechia", "CZ", "Prague", "09:00", "16:30", "Europe/Prague"),
    ("Equity", "Hungary", "HU", "Budapest", "09:00", "17:10", "Europe/Budapest"),
    ("Equity", "Romania", "RO", "Bucharest", "10:00", "17:45", "Europe/Bucharest"),
    ("Equity", "Greece", "GR", "Athens", "10:15", "17:20", "Europe/Athens"),
    ("Equity", "Turkey", "TR", "Borsa Istanbul", "10:00", "18:00", "Europe/Istanbul"),
    ("Equity", "Russia", "RU", "Moscow", "09:50", "18:50", "Europe/Moscow"),
    ("Equity", "Ukraine", "UA", "Ukrainian Exchange", "10:00", "17:30", "Europe/Kyiv"),
    ("Equity", "Israel", "IL", "Tel Aviv", "09:59", "17:25", "Asia/Jerusalem"),
    ("Equity", "Saudi Arabia", "SA", "Tadawul", "10:00", "15:00", "Asia/Riyadh"),
    ("Equity", "United Arab Emirates", "AE", "Dubai, Abu Dhabi", "10:00", "15:00", "Asia/Dubai"),
    ("Equity", "Qatar", "QA", "Qatar", "09:30", "13:10", "Asia/Qatar"),
    ("Equity", "Kuwait", "KW", "Boursa Kuwait", "09:00", "12:40", "Asia/Kuwait"),
    ("Equity", "Egypt", "EG", "Cairo", "10:00", "14:30", "Africa/Cairo"),
    ("Equity", "Morocco", "MA", "Casablanca", "09:30", "15:30", "Africa/Casablanca"),
    ("Equity", "Nigeria", "NG", "Lagos", "10:00", "14:30", "Africa/Lagos"),
    ("Equity", "Kenya", "KE", "Nairobi", "09:00", "15:00", "Africa/Nairobi"),
    ("Equity", "Pakistan", "PK", "Karachi", "09:32", "15:30", "Asia/Karachi"),
    ("Equity", "Bangladesh", "BD", "Dhaka", "10:00", "14:30", "Asia/Dhaka"),
    ("Equity", "Sri Lanka", "LK", "Colombo", "09:30", "14:30", "Asia/Colombo"),
    ("Equity", "Taiwan", "TW", "Taiwan Stock Exchange", "09:00", "13:30", "Asia/Taipei"),
    ("Equity", "Malaysia", "MY", "Bursa Malaysia", "09:00", "17:00", "Asia/Kuala_Lumpur"),
    ("Equity", "Thailand", "TH", "Stock Exchange of Thailand", "10:00", "16:30", "Asia/Bangkok"),
    ("Equity", "Indonesia", "ID", "Jakarta", "09:00", "16:00", "Asia/Jakarta"),
    ("Equity", "Philippines", "PH", "Manila", "09:30", "15:00", "Asia/Manila"),
    ("Equity", "Vietnam", "VN", "Ho Chi Minh", "09:00", "15:00", "Asia/Ho_Chi_Minh"),
    ("Equity", "New Zealand", "NZ", "NZX", "10:00", "16:45", "Pacific/Auckland"),
    ("Equity", "Argentina", "AR", "Buenos Aires", "11:00", "17:00", "America/Argentina/Buenos_Aires"),
    ("Equity", "Chile", "CL", "Santiago", "09:30", "16:00", "America/Santiago"),
    ("Equity", "Colombia", "CO", "Bogota", "08:30", "15:00", "America/Bogota"),
    ("Equity", "Peru", "PE", "Lima", "08:30", "15:00", "America/Lima"),
    ("Equity", "Kazakhstan", "KZ", "Kazakhstan Stock Exchange", "11:20", "17:00", "Asia/Almaty"),
    ("Equity", "Croatia", "HR", "Zagreb", "09:00", "16:00", "Europe/Zagreb"),
    ("Equity", "Bulgaria", "BG", "Sofia", "10:10", "16:55", "Europe/Sofia"),
    ("Equity", "Serbia", "RS", "Belgrade", "10:00", "14:00", "Europe/Belgrade"),
    ("Equity", "Slovenia", "SI", "Ljubljana", "09:15", "13:00", "Europe/Ljubljana"),
    ("Equity", "Luxembourg", "LU", "Luxembourg", "09:00", "17:35", "Europe/Luxembourg"),
    ("Equity", "Jamaica", "JM", "Jamaica", "09:30", "13:00", "America/Jamaica"),
)
# Those that follow New York; the tables hold their hours while summer time runs there, and these are the other ones.
_IN_WINTER = {"MX": ("08:30", "15:00"), "BR": ("10:00", "18:00"), "CO": ("09:30", "16:00"), "PE": ("09:30", "16:00"),
              "CL": ("09:30", "17:00")}  # fmt: skip
# Where the week of the exchange goes from Sunday to Thursday.
_FROM_SUNDAY = ("SA", "QA", "KW", "EG", "IL", "BD")
_FRIDAY, _SATURDAY, _SUNDAY = 4, 5, 6
_ALIASES = {"usa": "us", "america": "us", "uk": "gb", "england": "gb", "forex": "fx", "currency": "fx", "korea": "kr",
            "coins": "crypto", "cryptocurrency": "crypto", "frankfurt": "de", "london": "gb", "tokyo": "jp",
            "new york": "us", "shanghai": "cn", "mumbai": "in", "u.s.": "us", "united states of america": "us",
            "mainland china": "cn", "great britain": "gb", "holland": "nl", "uae": "ae", "czech republic": "cz",
            "turkiye": "tr", "ksa": "sa", "republic of ireland": "ie", "south korea": "kr",
            "hongkong": "hk", "viet nam": "vn"}  # fmt: skip


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
    """The large markets as they are at a moment."""
    return [_at(row, now) for row in _ROWS]


def _at(row: tuple[str, str, str, str, str, str, str], now: datetime) -> MarketHours:
    kind, region, code, exchanges, opens, closes, zone_name = row
    local = now.astimezone(zone(zone_name))
    if not now.astimezone(zone("America/New_York")).dst():
        opens, closes = _IN_WINTER.get(code, (opens, closes))
    idle = (_FRIDAY, _SATURDAY) if code in _FROM_SUNDAY else (_SATURDAY, _SUNDAY)
    trading = local.weekday() not in idle or kind == "Cryptocurrency"
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
    for row in (_at(row, now) for row in (*_ROWS, *_SMALLER)):
        if key in (
            plain(row["region"]),
            plain(row["code"]),
            *(plain(part) for part in row["exchanges"].split(", ")),
        ):
            return row
    raise not_found("market", wanted, known=[row[1] for row in (*_ROWS, *_SMALLER)])
