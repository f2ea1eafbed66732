"""Listed companies as they were in May 2024: the packages are of 2026, and of all that their filers have listed.

`listed_companies.py` calls `in_2024`. The tables beside this file say what the packages do not: companies that are gone or
came later, trades, homes and facts, large companies of other markets, and the sizes of 2024 by which rows are ordered.
"""

from __future__ import annotations

import csv
import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from toolyard.world.kernel.tables import read_table as read_world_table
from toolyard.world.reference.listed_companies import short_name


def read_table(name: str) -> Iterator[dict[str, str]]:
    """Rows of a table beside this file."""
    text = (Path(__file__).parent / name).read_text("utf-8")
    yield from csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)


# Shares that were not traded yet, beside those of companies_later.tsv.
_LISTED_LATER = frozenset(
    [
        "INGM",
        "AMBQ",
        "SW",
        "SNDK",
        "Q",
        "SARO",
        "LINE",
        "CRCL",
        "FIG",
        "CRWV",
        "KLAR",
        "CHYM",
        "ETOR",
        "SAIL",
        "VG",
        "AMTM",
        "WAY",
        "TEM",
        "STUB",
        "GEMI",
        "BLSH",
        "NTSK",
        "FIGR",
        "VIA",
        "LGN",
        "WLTH",
        "MDLN",
        "BTGO",
        "KRMN",
        "HNGE",
        "OMDA",
        "MNTN",
        "SLDE",
        "AMRZ",
        "GLXY",
        "SOLS",
        "SFD",
        "TTAN",
        "CON",
        "WRD",
        "PONY",
        "FLOC",
        "AAUC",
        "RAL",
        "VSNT",
        "CURB",
        "MRP",
        "ECG",
        "SOBO",
        "SUNB",
        "GRAL",
        "LIFE",
        "EZET",
        "FETH",
        "ETHA",
        "ETHW",
        "CETH",
        "ETHV",
        "QETH",
        "LB",
        "BOW",
        "KDLY",
        "ALMS",
        "RAPP",
        "BKV",
        "KLC",
        "CAI",
        "VOYG",
        "AIRO",
        "MIAX",
        "FRMI",
        "BIOA",
        "MBX",
        "CBLL",
        "UPB",
        "ZENA",
        "ACTU",
        "ARDT",
        "OS",
        "FVR",
        "BETA",
        "CBRS",
        "NIQ",
        "HTFL",
        "STRD",
        "STRK",
        "STRF",
        "STRC",
        "SBET",
        "BMNR",
        "CEP",
        "XXI",
        "TOYO",
        "TOYWF",
        "ISTKF",
        "AGNT",
        "AHRT",
        "FLYYQ",
        "BULL",
        "KYIV",
        "INFQ",
        "BRUN",
        "KDK",
        "CSHR",
        "STRZ",
        "GLIBA",
        "JBS",
        "MTLN.L",
        "KALMAR.HE",
    ]
)
# Companies that are listed to buy another one live two years or so: those of 2026 are not those of May 2024.
# Nor are trusts that hold a bank's notes companies.
_SHELL = re.compile(r"\bacquisition\b.*\bcorp|^lehman abs\b|^strats\b", re.IGNORECASE)
# Funds and trusts of bonds that file as companies do.
_FUNDS = frozenset(
    [
        "QQQ",
        "GLD",
        "IAU",
        "SLV",
        "GSG",
        "GLDM",
        "BAR",
        "IAUM",
        "FXE",
        "FXB",
        "FXC",
        "FXY",
        "FXA",
        "FXF",
        "IPB",
        "PYT",
        "ISMCF",
    ]
)
# Banks whose further securities are all notes that follow an index.
_LENDERS = frozenset({"Barclays Bank plc", "Ubs AG", "Credit Suisse AG", "Deutsche Bank Aktiengesellschaft"})
# Symbols of companies that have gone bankrupt since -> symbols of then.
_BANKRUPT = {
    "AMBIQ": "AMBI",
    "BTMCQ": "BTM",
    "CLSDQ": "CLSD",
    "FATAQ": "FAT",
    "IOBTQ": "IOBT",
    "MAXNQ": "MAXN",
    "SOPAQ": "SOPA",
    "TPICQ": "TPIC",
    "TSEOQ": "TSE",
}
# Symbols of today -> symbols of then.
_SYMBOL_THEN = {
    "MTVA": "NRBO",
    "AIFU": "FANH",
    "XYZ": "SQ",
    "FISV": "FI",
    "MRSH": "MMC",
    "EXE": "CHK",
    "PSKY": "PARA",
    "GOLD": "AMRK",
    "B": "GOLD",
    "FFAI": "FFIE",
    "BNY": "BK",
    "LTM": "LTMAY",
    "MSPR": "LIFW",
    "KWY": "KFS",
    "ONC": "BGNE",
    "CNH": "CNHI",
    "AXIA": "EBR",
    "ADAM": "NYMT",
    "CTEV": "MPLN",
    "AD": "USM",
    "GTM": "ZI",
    "P": "PSTG",
    "FLG": "NYCB",
    "BBBY": "BYON",
    "TLN": "TLNE",
    "QXO": "SSNT",
    "GAP": "GPS",
    "ABTC": "GRYP",
    "BRSL": "IGT",
    "CMBT": "EURN",
    "CMRC": "BIGC",
    "CNR": "CEIX",
    "CSW": "CSWI",
    "DFTX": "MNMD",
    "GPGI": "CMPO",
    "LUXE": "MYTE",
    "NBP": "IMAB",
    "OPTU": "ATUS",
    "PENG": "SGH",
    "PRMB": "PRMW",
    "SEI": "SOI",
    "SRTA": "BLDE",
    "TE": "FREY",
    "UCB": "UCBI",
    "XIFR": "NEP",
    "LAR": "LAAC",
    "HIAB.HE": "CGCBV.HE",
    "BTRW.L": "BDEV.L",
    "ALW.L": "ATST.L",
    **_BANKRUPT,
}


# Symbols of then -> names of then, of companies that have another name today.
_NAME_THEN = {
    **dict.fromkeys(("PTXKY", "PTXAF"), "PT XL Axiata Tbk"),
    "NRBO": "NeuroBo Pharmaceuticals, Inc.",
    "MGX": "Metagenomi, Inc.",
    "AIRJ": "Montana Technologies Corporation",
    "FANH": "Fanhua Inc.",
    "AMRK": "A-Mark Precious Metals, Inc.",
    "GOLD": "Barrick Gold Corporation",
    "MSTR": "MicroStrategy Incorporated",
    "PARA": "Paramount Global",
    "DOW": "Dow Inc.",
    "SLB": "Schlumberger Limited",
    "APO": "Apollo Global Management, Inc.",
    "GPS": "The Gap, Inc.",
    "CHK": "Chesapeake Energy Corporation",
    "BK": "The Bank of New York Mellon Corporation",
    "LTMAY": "LATAM Airlines Group S.A.",
    "LIFW": "MSP Recovery, Inc.",
    "KFS": "Kingsway Financial Services Inc.",
    "BGNE": "BeiGene, Ltd.",
    "CNHI": "CNH Industrial N.V.",
    "EBR": "Centrais Elétricas Brasileiras S.A. (Eletrobras)",
    "NYMT": "New York Mortgage Trust, Inc.",
    "MPLN": "MultiPlan Corporation",
    "USM": "United States Cellular Corporation",
    "ZI": "ZoomInfo Technologies Inc.",
    "PSTG": "Pure Storage, Inc.",
    "NYCB": "New York Community Bancorp, Inc.",
    "BYON": "Beyond, Inc.",
    "TLNE": "Talen Energy Corporation",
    "SSNT": "SilverSun Technologies, Inc.",
    "IREN": "Iris Energy Limited",
    "RILY": "B. Riley Financial, Inc.",
    "4506.T": "Sumitomo Pharma",
    "GRYP": "Gryphon Digital Mining, Inc.",
    "IGT": "International Game Technology PLC",
    "EURN": "Euronav NV",
    "BIGC": "BigCommerce Holdings, Inc.",
    "CEIX": "CONSOL Energy Inc.",
    "MNMD": "Mind Medicine (MindMed) Inc.",
    "CMPO": "CompoSecure, Inc.",
    "MYTE": "MYT Netherlands Parent B.V.",
    "IMAB": "I-Mab",
    "ATUS": "Altice USA, Inc.",
    "SGH": "SMART Global Holdings, Inc.",
    "PRMW": "Primo Water Corporation",
    "SOI": "Solaris Oilfield Infrastructure, Inc.",
    "BLDE": "Blade Air Mobility, Inc.",
    "FREY": "FREYR Battery, Inc.",
    "NEP": "NextEra Energy Partners, LP",
    "NXT": "Nextracker Inc.",
    "CIFR": "Cipher Mining Inc.",
    "RKLB": "Rocket Lab USA, Inc.",
    "OR": "Osisko Gold Royalties Ltd",
    "FUN": "Cedar Fair, L.P.",
    "CIB": "Bancolombia S.A.",
    "ATAI": "ATAI Life Sciences N.V.",
    "RNA": "Avidity Biosciences, Inc.",
    "SPWR": "SunPower Corporation",
    "LAAC": "Lithium Americas (Argentina) Corp.",
    "ZPTA": "Zapata Computing Holdings Inc.",
    "CGCBV.HE": "Cargotec",
    "BDEV.L": "Barratt Developments",
    "ATST.L": "Alliance Trust",
    "ICG.L": "Intermediate Capital Group",
    "AUTO.L": "Auto Trader Group",
    "SMIN.L": "Smiths Group",
    "HEI.DE": "Heidelberg Materials",
    "RDC.DE": "Redcare Pharmacy",
    "FPE3.DE": "Fuchs",
    "2502.T": "Asahi Group Holdings",
    "2501.T": "Sapporo Holdings",
    "STMPA.PA": "STMicroelectronics",
    "UCBI": "United Community Banks, Inc.",
    "7186.T": "Concordia Financial Group",
    "VOW.DE": "Volkswagen AG",
    # Names as the companies write them.
    "AMC": "AMC Entertainment Holdings, Inc.",
    "BBVA": "Banco Bilbao Vizcaya Argentaria, S.A.",
    "E": "Eni S.p.A.",
    "ING": "ING Groep N.V.",
    "ABEV": "Ambev S.A.",
    "BCE": "BCE Inc.",
    "EQNR": "Equinor ASA",
    "LOGI": "Logitech International S.A.",
    "BWA": "BorgWarner Inc.",
    "HOG": "Harley-Davidson, Inc.",
    "FICO": "Fair Isaac Corporation",
    "BIO": "Bio-Rad Laboratories, Inc.",
    "BB": "BlackBerry Limited",
    "DOCU": "DocuSign, Inc.",
    "IBN": "ICICI Bank Limited",
    "MUFG": "Mitsubishi UFJ Financial Group, Inc.",
    "UPST": "Upstart Holdings, Inc.",
}
# What else was different then.
_FACTS_THEN = {
    "LTM": {"exchange": "OTC", "country": "CL", "city": "Santiago"},
    "MSPR": {"exchange": "NASDAQ"},
    **{ticker: {"exchange": "NASDAQ"} for ticker in _BANKRUPT if ticker not in ("AMBIQ", "TSEOQ")},
    **{ticker: {"exchange": "NYSE"} for ticker in ("AMBIQ", "TSEOQ")},
    "TLN": {"exchange": "OTC"},
    "UCB": {"exchange": "NASDAQ"},
    "RTX": {"founded": "1922", "employees": "185000"},
    "DELL": {"founded": "1984"},
    **{ticker: {"exchange": "NYSE"} for ticker in ("KMB", "CPB", "TRI", "FISV")},
    "GAP": {
        "sector": "Consumer Cyclical",
        "industry": "Apparel Retail",
        "country": "US",
        "city": "San Francisco",
    },
    "PLTR": {"exchange": "NYSE", "city": "Denver", "employees": "3735", "industry": "Software"},
    "PSKY": {"city": "New York", "founded": "2019", "employees": "21900", "industry": "Entertainment"},
}


@functools.cache
def _trades_and_homes() -> Mapping[str, dict[str, str]]:
    """Ticker -> what the large table does not know of companies, or less well: trade, home, age, size and site."""
    found: dict[str, dict[str, str]] = {}
    for table in ("company_trades.tsv", "company_homes.tsv", "company_facts.tsv"):
        for row in read_table(table):
            told = {name: value for name, value in row.items() if name != "tickers" and value}
            for ticker in row["tickers"].split():
                found.setdefault(ticker, {}).update(told)
    return found


def _as_of_2024(row: dict[str, str]) -> dict[str, str]:
    then = _SYMBOL_THEN.get(row["ticker"])
    row = {**row, **_trades_and_homes().get(then or row["ticker"], {}), **_FACTS_THEN.get(row["ticker"], {})}
    if then is None:
        return {**row, "name": _NAME_THEN[row["ticker"]]} if row["ticker"] in _NAME_THEN else row
    if then in _NAME_THEN and row["ticker"] != "PSKY":
        return {**row, "ticker": then, "name": _NAME_THEN[then]}
    row = {**row, "name": _NAME_THEN.get(then, row["name"])}
    return {**row, "ticker": then, "others": ";".join(filter(None, (row["others"], row["ticker"])))}


# Places by market value end here; what the table numbers from here on are the further securities of its filers: notes,
# preferred shares, warrants and units, but also second classes of shares and shares of companies of unknown value.
_FURTHER = 7481
_SECOND_SHARES = frozenset(
    [
        "GOOG",
        "FOX",
        "NWS",
        "UA",
        "Z",
        "BBDO",
        "FISK",
        "OGCP",
        "RUSHB",
        "WLYB",
        "SLNO",
        "FORA",
        "PRTC",
        "MCW",
        "CENTA",
        "FWONK",
        "FWONB",
        "LBRDK",
        "LBRDB",
        "LBTYB",
        "LBTYK",
        "BATRK",
        "BATRB",
        "LILAK",
        "LILAB",
        "LLYVK",
        "LLYVB",
        "BELFB",
        "DGICB",
        "KELYB",
        "FCNCB",
    ]
)
_CLASS = re.compile(r"\.[A-OQ-Z]$")
# Four letters, and a Q while the company is bankrupt.
_PLAIN = re.compile(r"[A-Z]{1,4}Q?$")


def _is_share(row: Mapping[str, str]) -> bool:
    """Whether a row is of a share and not of what else its company has listed."""
    if int(row["rank"] or 0) < _FURTHER or row["indices"]:
        return True
    return row["ticker"] in _SECOND_SHARES or _CLASS.search(row["ticker"]) is not None


def _over_the_counter(rows: Iterable[Mapping[str, str]]) -> frozenset[str]:
    """Shares that are traded by dealers: of foreign companies the first of each kind (F and Y), and those of small ones."""
    rows = tuple(rows)
    count = Counter(row["name"] for row in rows)
    first: dict[tuple[str, str], str] = {}
    for row in sorted(rows, key=lambda row: int(row["rank"] or 0)):
        if row["exchange"] == "OTC" and row["ticker"][-1] in "FY" and row["name"] not in _LENDERS:
            first.setdefault((row["name"], row["ticker"][-1]), row["ticker"])
        elif row["exchange"] == "OTC" and count[row["name"]] == 1 and _PLAIN.match(row["ticker"]):
            first[row["name"], ""] = row["ticker"]
    return frozenset(first.values())


def _gone_since() -> list[dict[str, str]]:
    """American companies that were listed then and are no more."""
    unknown = dict.fromkeys(("website", "founded", "employees", "revenue", "isin", "rank"), "")
    home = {"country": "US", "currency": "USD", "indices": "then"}
    return [{**unknown, **home, **row} for row in read_table("companies_gone.tsv")]


@functools.cache
def _later() -> frozenset[str]:
    """Shares of companies that were not listed yet, most of which had not filed anything."""
    rows = read_table("companies_later.tsv")
    return _LISTED_LATER.union(*(row["tickers"].split() for row in rows))


def as_of_2024(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The shares among some rows, under the symbols and names of then, without those that came later, with those gone."""
    dealt, later = _over_the_counter(rows), _later()
    return _gone_since() + [
        _as_of_2024(row)
        for row in rows
        if row["ticker"] not in later
        and row["ticker"] not in _FUNDS
        and not _SHELL.search(row["name"])
        and (_is_share(row) or row["ticker"] in dealt)
    ]


_TOLD = ("sector", "industry", "country", "city")
# Shares whose company only has the name of another one.
_NAMESAKES = frozenset({"COMP", "NNBR", "CBDY", "SGBAF"})
# Names in the lists of dealers -> names at home, where more than the legal form is different.
_ALSO_CALLED = {
    "deutsche lufthansa a g": "lufthansa",
    "toyota motor corp/": "toyota motor",
    "heineken holding n v": "heineken",
    "wolters kluwer n v": "wolters kluwer",
    "fresenius se & co. kgaa": "fresenius",
    "kongsberg gruppen asa": "kongsberg gruppen",
    "telenor asa": "telenor",
    "yara international asa": "yara international",
    "great-west lifeco": "great-west lifeco",
}


def _best_known() -> list[dict[str, str]]:
    return [{**row, "city": row["head_office"] or row["city"]} for row in read_world_table("companies.tsv")]


def with_what_sisters_tell(
    rows: Iterable[dict[str, str]], abroad: Iterable[dict[str, str]], named: Callable[[str], str]
) -> list[dict[str, str]]:
    """Rows of listed companies; what one does not say of trade and home is that of another share."""
    rows = list(rows)
    known: dict[str, dict[str, str]] = {}
    for row in (*_best_known(), *abroad, *rows):
        if row["sector"] and row["country"]:
            known.setdefault(named(row["name"]), row)
    found = []
    for row in rows:
        open_ = row["ticker"] not in _NAMESAKES and not (row["sector"] and row["country"])
        name = named(row["name"]) if open_ else ""
        sister = known.get(name) or known.get(_ALSO_CALLED.get(name, ""))
        if sister and not row["sector"]:
            row = {**row, **{field: sister[field] for field in _TOLD}}
        elif sister:
            row = {**row, "country": sister["country"], "city": row["city"] or sister["city"]}
        found.append(row)
    return found


# The state that filings add to a name: "Rivian Automotive, Inc. / DE".
_STATE = re.compile(r"\s*/\s*(?:[A-Z]{2,4}\s*/?)?$")


# What an encyclopedia adds to tell a company from other things of its name.
_MEANT = re.compile(
    r" \((?:brand|company|airline|business|corporation|automobile|retailer|bank|software company|American company|"
    r"pharmaceutical company|publisher|clothing retailer|Ohio|de|\d{4}[^)]*)\)$"
)


# Legal forms that the table writes as if they were words: Latam Airlines Group S.a.
_FORM = re.compile(r"\b(?:S\.a\.(?:[a-z]\.)*|N\.v\.|L\.p\.|A\.s\.|Se$)")


def _written(name: str) -> str:
    """A name without the state of its filing and without what an encyclopedia adds, its legal form in capitals."""
    return _FORM.sub(lambda form: form[0].upper(), _MEANT.sub("", _STATE.sub("", name)))


# Legal forms that only companies of one country have, at the end of a name.
_FORM_OF = {
    "IT": r"S\.?p\.?A\.?",
    "DK": r"A/S",
    "SE": r"AB(?: \(publ\))?",
    "NO": r"ASA",
    "FI": r"Oyj",
    "NL": r"N\.?V\.?",
    "MX": r"(?:S\.?A\.?B\.? )?de C\.?V\.?",
    "DE": r"(?:SE|AG|KGaA)",
    "GB": r"PLC",
    "MY": r"(?:Berhad|Bhd)",
    "ID": r"Tbk",
}


def _home_by_form(name: str) -> str:
    """Code of the country whose companies have the legal form of a name; nothing where it does not tell."""
    return next(
        (code for code, form in _FORM_OF.items() if re.search(rf" {form}\.?$", name, re.IGNORECASE)), ""
    )


# What companies are called in full that the table has by the name of every day.
_IN_FULL = {
    "ADP": "Automatic Data Processing",
    "BDX": "Becton Dickinson",
    "BEN": "Franklin Resources",
    "CPB": "Campbell Soup",
    "DE": "Deere & Company",
    "ON": "ON Semiconductor",
    "SMCI": "Super Micro Computer",
}


def _importance(row: Mapping[str, str], values: Mapping[str, float]) -> tuple[int, float, int]:
    # Where sales are not known, a third of the value stands for them.
    worth = values.get(row["ticker"], 0.0) / 3 if row["currency"] == "USD" else 0.0
    large = row["indices"] or row["ticker"] in values
    return (0 if large else 1, -(float(row["revenue"] or 0) or worth), int(row["rank"] or 99_999))


COLUMNS = ("ticker", "name", "sector", "industry", "country", "exchange", "currency", "city", "website", "founded",
           "employees", "others")  # fmt: skip


def in_2024(found: Iterable[dict[str, str]]) -> Iterator[list[str]]:
    """The rows of the table: large companies of other markets, then all others, important ones first."""
    abroad = list(read_table("companies_abroad.tsv"))
    values = {
        row["ticker"]: float(row["price"]) * float(row["shares"]) for row in read_table("listed_prices.tsv")
    }
    rows = with_what_sisters_tell(as_of_2024(list(found)), abroad, short_name)
    rows.sort(key=lambda row: _importance(row, values))
    for row in (*abroad, *rows):
        name = _written(row["name"])
        home = row["country"] or (_home_by_form(name) if row["exchange"] == "OTC" else "") or "US"
        others = ";".join(filter(None, (row.get("others"), _IN_FULL.get(row["ticker"]))))
        yield [{**row, "name": name, "country": home, "others": others}.get(key) or "" for key in COLUMNS]
