"""Companies under stocks, news and jobs: public facts and prices.

{"ticker": "AAPL", "name": "Apple Inc.", "sector": "Technology", "industry": "Consumer Electronics",
 "country": "United States", "exchange": "NASDAQ", "city": "Cupertino", "price": 189.72, ...}
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import cast

from toolyard.world import seeds, series
from toolyard.world.faults import ToolFault, not_found
from toolyard.world.price_tables import listed_levels
from toolyard.world.search import words
from toolyard.world.shared.geography import countries
from toolyard.world.shared.listed import UNKNOWN_SECTOR, Company, directory, has_known_price, short_name
from toolyard.world.shared.sisters import IN_NEW_YORK, closes_of_sister
from toolyard.world.tables import plain, read_table

_TRADED_IN = {"XETRA": "EUR", "EURONEXT": "EUR", "BME": "EUR", "MIL": "EUR", "NSE": "INR", "ASX": "AUD",
              "SGX": "SGD", "HKEX": "HKD"}  # fmt: skip


def _website(name: str) -> str:
    words = plain(name).removeprefix("the walt ").removeprefix("the ").split()
    return f"{words[0].strip(',')}.example"


@functools.cache
def companies() -> tuple[Company, ...]:
    """All companies, in the order of the file (US ones first)."""
    by_code = {row["code"]: row for row in countries()}
    return tuple(
        Company(
            ticker=row["ticker"],
            name=row["name"],
            sector=row["sector"],
            industry=row["industry"],
            country=by_code[row["country"]]["name"],
            exchange=row["exchange"],
            city=row["head_office"] or row["city"],
            metropolis=row["city"],
            currency=_TRADED_IN.get(row["exchange"], "USD"),
            website=_website(row["name"]),
            price=float(row["price"]),
            shares=int(row["shares"]),
            employees=int(row["employees"]),
            founded=int(row["founded"]),
            sales=None,
            dividend=float(row["dividend"]),
        )
        for row in read_table("companies.tsv")
    )


@functools.cache
def doings() -> Mapping[str, str]:
    """Ticker -> what a company does, as the end of a sentence that begins with its name."""
    return {row["ticker"]: row["does"] for row in read_table("company_doings.tsv")}


# Names of old and of parts that people still say.
_ALIASES = {
    "fb": "meta", "facebook": "meta", "google": "googl", "brk-b": "brk.b", "square": "sq",
    "jp morgan": "jpm", "j.p. morgan": "jpm", "exxon": "xom", "exxonmobil": "xom", "h&m": "hm-b.st",
    "lg": "066570.ks", "samsung": "005930.ks", "hyundai": "005380.ks", "mitsubishi": "8058.t", "foxconn": "2317.tw",
    "pepsi": "pep", "coke": "ko", "rolls-royce": "rr.l", "rolls royce": "rr.l", "santander": "san.mc",
    "citibank": "c", "citi": "c", "maersk": "maersk-b.co", "volvo": "volv-b.st", "reliance": "reliance.ns",
    "vw": "vow3.de", "youtube": "googl", "instagram": "meta", "whatsapp": "meta", "raytheon": "rtx", "disney": "dis",
    "tesla motors": "tsla", "apple computer": "aapl", "google inc": "googl", "facebook inc": "meta",
}  # fmt: skip


@functools.cache
def _keys() -> dict[str, Company]:
    found: dict[str, Company] = {}
    for row in companies():
        short = plain(row["name"]).removeprefix("the ")
        first = short.split()[0].strip(",.")
        for key in (
            plain(row["ticker"]),
            plain(row["name"]),
            short,
            short_name(row["name"]),
            first,
            first.removesuffix(".com"),
        ):
            found.setdefault(key, row)
    return found


# Second classes of shares of the best known companies -> the first class, which tells what the company is and reports.
SECOND_CLASSES = {"GOOG": "GOOGL"}
# Closes of second classes on days on which they did not go along with the first one to the cent.
_CLOSES_OF_SECOND = {
    "GOOG": {"2023-05-31": 123.37, "2023-06-30": 120.97, "2023-07-31": 133.11, "2023-08-31": 137.35, "2023-09-29": 131.85,
             "2023-10-31": 125.30, "2023-11-30": 133.92, "2023-12-29": 140.93, "2024-01-31": 141.80, "2024-02-29": 139.78,
             "2024-03-28": 152.26, "2024-04-25": 157.95, "2024-04-26": 173.69, "2024-04-30": 164.64, "2024-05-03": 168.99,
             "2024-05-10": 170.29, "2024-05-13": 170.90, "2024-05-14": 171.93},
}  # fmt: skip


@functools.cache
def _second_class(ticker: str) -> Company | None:
    row, first = directory().find(ticker.lower()), _best_known()[SECOND_CLASSES[ticker]]
    return {**first, "ticker": ticker, "price": row["price"]} if row else None


_OF_THE_COMPANY = ("sector", "industry", "country", "city", "metropolis", "employees", "founded")


@functools.cache
def _at_home() -> dict[str, str]:
    """Symbol in New York -> symbol at home, of companies that are not among the best known."""
    pairs = ((abroad, home) for home, abroad in IN_NEW_YORK.items() if abroad not in _best_known())
    return dict(reversed(list(pairs)))


@functools.lru_cache(maxsize=256)
def _with_sister(ticker: str) -> Company | None:
    """A share that is traded at home and in New York: what the company is does not depend on the market."""
    row = directory().find(ticker.lower())
    abroad = IN_NEW_YORK.get(ticker, "")
    if abroad in _best_known() and row is not None:
        first: Mapping[str, object] = _best_known()[abroad]
        return cast("Company", {**row, **{field: first[field] for field in _OF_THE_COMPANY}})
    other = directory().find((abroad or _at_home().get(ticker, "")).lower())
    if row is None or other is None:
        return row
    new, old = (other, row) if abroad else (row, other)
    told = {
        "sector": new["sector"] if new["sector"] != UNKNOWN_SECTOR else old["sector"],
        "industry": new["industry"] if new["sector"] != UNKNOWN_SECTOR else old["industry"],
        "country": new["country"] if new["city"] else old["country"],
        "city": new["city"] or old["city"],
        "metropolis": new["metropolis"] or old["metropolis"],
        "employees": old["employees"] or new["employees"],
        "founded": old["founded"] or new["founded"],
        "website": old["website"] or new["website"],
    }
    return cast("Company", {**row, **told})


def company_or_none(wanted: str) -> Company | None:
    """The company of a ticker or name ("Apple" will do); None if there is none."""
    key = plain(wanted)
    key = _ALIASES.get(key, key)
    if key.upper() in SECOND_CLASSES:
        return _second_class(key.upper())
    for one in dict.fromkeys((key, key.removeprefix("the "), short_name(key))):
        row = _keys().get(one) or directory().find(one)
        if row is not None:
            return _with_sister(row["ticker"]) if _is_traded_twice(row["ticker"]) else row
    return None


def _is_traded_twice(ticker: str) -> bool:
    """Whether a share beyond the best known is one of two of the same company; Rio Tinto is two companies."""
    twice = ticker in IN_NEW_YORK or ticker in _at_home()
    return twice and ticker not in _best_known() and ticker != "RIO.AX"


def find_company(wanted: str) -> Company:
    """The company of a ticker or name; a not_found fault with the nearest ones otherwise."""
    row = company_or_none(wanted)
    if row is not None:
        return row
    if wanted.strip().upper() in listed_levels():
        raise ToolFault(
            "not_found",
            f"no company {wanted.strip()!r}: it is the symbol of a fund, an index or a future; try AAPL, IBM or SAP",
        )
    near = search_companies(wanted, 3) if len(wanted.strip()) > 3 else []
    known = [row["ticker"] for row in companies()]
    raise not_found(
        "company",
        wanted,
        known=known,
        nearest=[one["ticker"] for one in near],
        count=len(known) + len(directory().rows),
        listed_by="Finance/USStockRealTime/get_stock_symbol_search_endpoint",
    )


def ticker_begins(text: str, limit: int) -> list[Company]:
    """Companies whose ticker begins with a text; well-known and large ones first."""
    wanted = plain(text)
    known = [row for row in companies() if wanted and row["ticker"].lower().startswith(wanted)]
    return [*known, *(directory().beginning(wanted, limit) if wanted else ())][:limit]


def search_companies(text: str, limit: int) -> list[Company]:
    """Companies whose ticker or name fits a text: the one it names first, then well-known and large ones."""
    exact = company_or_none(text)
    stems = set(words(text))
    known = [row for row in companies() if stems and stems <= set(words(row["name"]))]
    others = [second for second, first in SECOND_CLASSES.items() if exact and first == exact["ticker"]]
    classes = [row for ticker in others if (row := company_or_none(ticker))]
    found = [*([exact] if exact else []), *classes, *known, *directory().search(text, limit)]
    rows: dict[str, Company] = {}
    for row in found:
        rows.setdefault(row["ticker"], _best_known().get(row["ticker"], row))
    return list(rows.values())[:limit]


# Yearly volatility of a sector's large shares.
_VOLATILITY = {"Consumer Defensive": 0.15, "Utilities": 0.16, "Healthcare": 0.19, "Financial Services": 0.2,
               "Industrials": 0.21, "Communication Services": 0.22, "Real Estate": 0.21, "Basic Materials": 0.23,
               "Energy": 0.24, "Technology": 0.26, "Consumer Cyclical": 0.25}  # fmt: skip
# That of shares that are wilder or calmer than their sector.
_OWN_VOLATILITY = {"TSLA": 0.5, "NVDA": 0.42, "AMD": 0.44, "COIN": 0.7, "MRNA": 0.48, "BILI": 0.5, "SOHU": 0.35,
         "NFLX": 0.33, "META": 0.34, "SHOP": 0.45, "SPOT": 0.38, "UBER": 0.34, "JD": 0.42, "BABA": 0.35, "PBR": 0.32,
         "GME": 0.9, "AMC": 0.9, "PLUG": 0.85, "MARA": 0.95, "RIOT": 0.9, "CLSK": 1.0, "MSTR": 0.6, "SMCI": 0.8, "RIVN": 0.7,
         "LCID": 0.65, "NIO": 0.6, "XPEV": 0.65, "SOFI": 0.55, "PTON": 0.75, "CVNA": 0.9, "BYND": 0.7, "PLTR": 0.55,
         "SNOW": 0.45, "ROKU": 0.55, "SNAP": 0.6, "PINS": 0.45, "RBLX": 0.5, "HOOD": 0.55, "AFRM": 0.75, "UPST": 0.85,
         "DKNG": 0.42, "W": 0.65, "CHWY": 0.5, "DDOG": 0.42, "ZS": 0.42, "CRWD": 0.4, "PANW": 0.4, "NET": 0.5, "MDB": 0.5,
         "OKTA": 0.45, "TWLO": 0.42, "ENPH": 0.6, "SEDG": 0.7, "FSLR": 0.48, "LYFT": 0.55, "SQ": 0.48, "ARM": 0.6,
         "MU": 0.38, "INTC": 0.36, "SPCE": 0.9, "NVAX": 0.95, "F": 0.33, "GM": 0.32, "BA": 0.3, "PYPL": 0.34,
         "CCL": 0.42, "DASH": 0.42, "NU": 0.38, "PDD": 0.42,
         "MCD": 0.15, "YUM": 0.17, "HD": 0.2, "LOW": 0.21, "TJX": 0.16, "HLT": 0.18, "MAR": 0.21, "SBUX": 0.22, "MA": 0.16,
         "V": 0.16, "BRK.B": 0.12, "KO": 0.12, "PG": 0.14, "JNJ": 0.14, "MRK": 0.17, "IBM": 0.17, "CSCO": 0.17, "LMT": 0.17,
         "AAPL": 0.2, "MSFT": 0.2, "TXN": 0.22, "LIN": 0.16, "SO": 0.15, "XOM": 0.2, "CVX": 0.19, "TM": 0.2, "HMC": 0.2,
         "SAP": 0.21, "AMZN": 0.25}  # fmt: skip


@functools.cache
def _best_known() -> dict[str, Company]:
    return {row["ticker"]: row for row in companies()}


# Where large parts of the shares are in firm hands: what is traded a day against what is in New York.
_TRADED_LESS = {
    "NSE": 0.2,
    "HKEX": 0.3,
    "SSE": 0.3,
    "SZSE": 0.4,
    "LSE": 0.5,
    "EURONEXT": 0.5,
    "SIX": 0.6,
    "B3": 0.6,
}


_CALM = 0.6
# Suffixes of the markets of Asia and Australia.
_CLOSED_WHEN_NEW_YORK_OPENS = (".HK", ".T", ".TW", ".KS", ".AX", ".NS")


def has_price(ticker: str) -> bool:
    """Whether it is on record what a share costs."""
    return ticker in _best_known() or ticker in SECOND_CLASSES or has_known_price(ticker)


def _priced_sister(company: Company) -> str:
    """That another share of the same company has a price on record, if one has."""
    name = short_name(company["name"])
    for row in search_companies(name, 20):
        if has_price(row["ticker"]) and short_name(row["name"]) == name:
            return f"that of another share of the company is: {row['ticker']}"
    return ""


def prices(seed: int, ticker: str) -> series.Bars:
    """The company's daily bars as far as they are on record, to 2025, oldest first; show only those up to the last close.

    A not_found fault where nothing is on record of what the share costs.
    """
    company = find_company(ticker)
    symbol, value = company["ticker"], company["price"] * company["shares"]
    if not has_price(symbol):
        raise ToolFault(
            "not_found",
            f"no price of the shares of {company['name']} ({symbol}) is on record; "
            f"{_priced_sister(company) or 'those of large companies are, such as AAPL, IBM or SAP'}",
        )
    small = 1.0 if value > 20_000 else 1.35 if value > 2_000 else 1.8
    volatility = _OWN_VOLATILITY.get(symbol) or _VOLATILITY.get(company["sector"], 0.25) * small
    # Of which only the present is known stays near it.
    volatility *= 1.0 if symbol in series.known_prices() or symbol in IN_NEW_YORK else _CALM
    turnover = 0.003 + 0.004 * seeds.unit("turnover", symbol)
    turnover *= 1.0 if symbol in _best_known() else _TRADED_LESS.get(company["exchange"], 1.0)
    sister = company_or_none(IN_NEW_YORK.get(symbol, "")) if symbol in IN_NEW_YORK else None
    closes = (
        closes_of_sister(
            company["price"],
            (company["currency"], sister["currency"]),
            prices(seed, sister["ticker"]),
            before_new_york=symbol.endswith(_CLOSED_WHEN_NEW_YORK_OPENS),
        )
        if sister
        else ()
    )
    return series.bars(
        seed,
        symbol,
        anchor=company["price"],
        volatility=volatility,
        volume=company["shares"] * 1e6 * turnover,
        closes=tuple({**dict(closes), **_CLOSES_OF_SECOND.get(symbol, {})}.items()),
    ).since(series.on_record(symbol))
