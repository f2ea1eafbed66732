"""Everything that has a symbol and a price: shares, indices, funds, futures, currency pairs and coins."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.world import series
from toolyard.world.faults import not_found
from toolyard.world.market_days import HOLIDAYS_KNOWN, is_closed_at_home, last_close
from toolyard.world.shared.companies import companies, company_or_none, prices
from toolyard.world.shared.geography import currencies, find_country, plain, read_table
from toolyard.world.shared.listed import Company, directory, has_known_price, listed, with_known_prices
from toolyard.world.state import World
from toolyard.world.types import CurrencyCode, ExchangeCode, Semantic
from toolyard.world.worlds.finance.bars import AROUND_THE_CLOCK, NEW_YORK, Session, session_in
from toolyard.world.worlds.finance.coins import Coin, coin_bars, coin_of, coins
from toolyard.world.worlds.finance.commodities import followed_by, future_bars
from toolyard.world.worlds.finance.rates import PAIRS_WITH_RANGES, pair_bars

Kind = Literal["EQUITY", "INDEX", "ETF", "MUTUALFUND", "FUTURE", "CURRENCY", "CRYPTOCURRENCY"]
Region = Annotated[
    Literal["US", "BR", "AU", "CA", "FR", "DE", "HK", "IN", "IT", "ES", "GB", "SG"], Semantic("market_region")
]
# Any symbol at all; a company's ticker is one, and so is that of a fund or an index.
QuoteSymbol = Annotated[str, Semantic("quote_symbol", accepts=("ticker", "fund_symbol", "index_symbol"))]
AnySymbol = Annotated[str, Semantic("quote_symbol")]
# A mixed list that a search for a company's name begins with that company's ticker.
FoundSymbol = Annotated[str, Semantic("quote_symbol", is_a=("ticker",))]
FundSymbol = Annotated[str, Semantic("fund_symbol")]
IndexSymbol = Annotated[str, Semantic("index_symbol")]
# Of coins nothing is told before.
_COINS_FROM = date(2014, 9, 17)
# Small and restless shares that are among those that move most on many days.
RESTLESS = ("GME", "AMC", "PLUG", "MARA", "MSTR", "SMCI", "RIVN", "NIO", "SOFI", "PTON", "CVNA", "BYND")
_PAIRS = ("EURUSD", "GBPUSD", "USDJPY", "AUDUSD", "USDCAD", "USDCNY", "USDINR", "EURGBP", "USDBRL", "USDHKD")
_REGION_OF_EXCHANGE = {"XETRA": "DE", "EURONEXT": "FR", "NSE": "IN", "ASX": "AU", "SGX": "SG", "BME": "ES",
                       "MIL": "IT", "HKEX": "HK", "LSE": "GB", "TSX": "CA", "B3": "BR", "TSE": "JP", "SIX": "CH",
                       "STO": "SE", "HEL": "FI", "KRX": "KR", "TWSE": "TW", "SSE": "CN", "SZSE": "CN", "BMV": "MX",
                       "JSE": "ZA", "TADAWUL": "SA", "CPH": "DK", "OSL": "NO", "VIE": "AT", "WSE": "PL",
                       "BIST": "TR"}  # fmt: skip


class Instrument(TypedDict):
    """Something with a price; `country` is where a company is at home, else the region of its market."""

    symbol: AnySymbol
    name: str
    kind: Kind
    region: str
    country: str
    exchange: ExchangeCode
    currency: CurrencyCode
    price: float
    volatility: float


@functools.cache
def instruments() -> tuple[Instrument, ...]:
    """All of them: companies first, then indices, funds and futures, pairs, coins."""
    shares = [share(row) for row in companies()]
    listed = [_listed(row) for row in read_table("instruments.tsv")]
    pairs = [_pair(pair[:3], pair[3:]) for pair in _PAIRS]
    return (*shares, *listed, *pairs, *(_coin(row) for row in coins() if row["status"] == "active"))


def _listed(row: Mapping[str, str]) -> Instrument:
    return Instrument(
        symbol=row["symbol"],
        name=row["name"],
        kind=row["kind"],  # type: ignore[typeddict-item]  # the table is checked by a test
        region=row["region"],
        country=row["region"],
        exchange=row["exchange"],
        currency=row["currency"],
        price=float(row["price"]),
        volatility=float(row["volatility"]),
    )


def _coin(coin: Coin) -> Instrument:
    row = _pair(coin["symbol"], "USD")
    symbol, name = f"{coin['symbol']}-USD", f"{coin['name']} USD"
    return {
        **row,
        "symbol": symbol,
        "name": name,
        "kind": "CRYPTOCURRENCY",
        "exchange": "CCC",
        "price": coin["price"],
    }


def _pair(source: str, target: str) -> Instrument:
    return Instrument(
        symbol=f"{source}{target}=X",
        name=f"{source}/{target}",
        kind="CURRENCY",
        region="US",
        country="US",
        exchange="CCY",
        currency=target,
        price=0.0,
        volatility=0.0,
    )


def share(row: Company) -> Instrument:
    """The share of a company."""
    return Instrument(
        symbol=row["ticker"],
        name=row["name"],
        kind="EQUITY",
        region=_REGION_OF_EXCHANGE.get(row["exchange"], "US"),
        country=find_country(row["country"])["code"],
        exchange=row["exchange"],
        currency=row["currency"],
        price=row["price"],
        volatility=0.0,
    )


@functools.cache
def more_instruments() -> tuple[Instrument, ...]:
    """Further indices, funds and futures, which can be found but are in no list."""
    return tuple(_listed(row) for row in read_table("more_instruments.tsv"))


@functools.cache
def _by_key() -> dict[str, Instrument]:
    found: dict[str, Instrument] = {}
    for row in (*instruments(), *more_instruments()):
        found.setdefault(plain(row["symbol"]), row)
        found.setdefault(plain(row["name"]), row)
    return found


def find_instrument(wanted: str) -> Instrument:
    """The instrument of a symbol or name ("EURUSD=X" and "Apple" will do); a not_found fault otherwise."""
    row = _by_key().get(plain(wanted))
    if row is not None:
        return row
    symbol = wanted.strip().upper()
    codes = {currency["code"] for currency in currencies()}
    if len(symbol) == 8 and symbol.endswith("=X") and {symbol[:3], symbol[3:6]} <= codes:
        return _pair(symbol[:3], symbol[3:6])
    if len(symbol) == 5 and symbol.endswith("=X") and symbol[:3] in codes - {"USD"}:
        return _pair("USD", symbol[:3])
    coin = coin_of(symbol.removesuffix("-USD")) if symbol.endswith("-USD") else None
    if coin is not None:
        return _coin(coin)
    company = company_or_none(wanted)
    if company is not None:
        return share(company)
    raise not_found(
        "symbol",
        wanted,
        known=[row["symbol"] for row in instruments()],
        count=len(instruments()) + len(more_instruments()) + len(directory().rows),
        listed_by="Finance/Yahoo_Finance_market/get_autocomplete",
    )


def in_region(region: str, whole: bool = False) -> list[Instrument]:
    """What is traded in a region, shares by market value: the best known, or, `whole`, all whose price is on record."""
    rows = [row for row in instruments() if row["region"] == region]
    known = {row["symbol"] for row in rows}
    abroad = _traded_abroad(region) if whole else _traded_abroad(region)[:25]
    rows += [row for row in abroad if row["symbol"] not in known]
    rows += [row for row in more_instruments() if whole and row["region"] == region]
    worth = _worth()
    return sorted(rows, key=lambda row: (row["kind"] != "EQUITY", -worth.get(row["symbol"], 0)))


@functools.cache
def _worth() -> Mapping[str, float]:
    """Ticker -> what all shares are worth, in millions of the currency in which they are traded."""
    large = [row for ticker in with_known_prices() if (row := company_or_none(ticker)) is not None]
    return {row["ticker"]: row["price"] * row["shares"] for row in (*large, *companies())}


def _is_at_home(row: Mapping[str, str], region: str) -> bool:
    """Whether a share is traded in a region; Euronext has several, of which only Paris is French."""
    if row["exchange"] == "EURONEXT" and not row["ticker"].endswith(".PA"):
        return False
    return _REGION_OF_EXCHANGE.get(row["exchange"]) == region


@functools.cache
def _traded_abroad(region: str) -> tuple[Instrument, ...]:
    """Large shares of another market than the American one, under the symbols that they have there."""
    if region == "US":
        return ()
    rows = {
        row["ticker"]: row
        for row in reversed(directory().rows)
        if _is_at_home(row, region) and has_known_price(row["ticker"])
    }
    return tuple(share(listed(row)) for row in reversed(rows.values()))


def history(
    world: World, row: Instrument, count: int, last: date | None = None, running: bool = False
) -> Sequence[series.Bar]:
    """The last `count` daily bars that are over (or, `running`, with that of today so far), oldest first.

    `last` is a day before today to end with. Coins and currencies are traded when New York is closed, too.
    """
    ceaseless = row["kind"] in ("CURRENCY", "CRYPTOCURRENCY")
    newest = world.today - timedelta(days=0 if running else 1) if ceaseless else last_day_of(world, row)
    day = min(last or newest, newest)
    if row["kind"] == "CURRENCY":
        return pair_bars(world.seed, row["symbol"][:3], row["symbol"][3:6], day, count)
    if row["kind"] == "EQUITY":
        bars = prices(world.seed, row["symbol"])
    elif row["kind"] == "CRYPTOCURRENCY":
        coin = coin_of(row["symbol"].removesuffix("-USD"))
        whole = coin_bars(world.seed, row["symbol"].removesuffix("-USD"))
        added = date.fromisoformat(coin["date_added"]) if coin else _COINS_FROM
        bars = whole.since(max(added, _COINS_FROM))
    else:
        commodity = followed_by(row["symbol"]) if row["kind"] == "FUTURE" else None
        if commodity is not None:
            return future_bars(world.seed, commodity, day, count)
        whole = series.bars(world.seed, row["symbol"], anchor=row["price"], volatility=row["volatility"])
        bars = whole.since(series.on_record(row["symbol"]))
    found = _at_home(row, bars.until(day), count)
    return [_valued_once(bar) for bar in found] if row["kind"] == "MUTUALFUND" else found


def _valued_once(bar: series.Bar) -> series.Bar:
    """A day of a fund that is valued once a day, and not traded."""
    value = bar["close"]
    return {**bar, "open": value, "high": value, "low": value, "volume": 0}


def last_day_of(world: World, row: Instrument) -> date:
    """The last day whose trading is over where something is traded."""
    abroad = series.calendar_of(row["symbol"]) == "elsewhere"
    return last_close(world.now, row["region"] if abroad else "")


def _at_home(row: Instrument, past: series.Bars, count: int) -> Sequence[series.Bar]:
    """The last bars without the holidays of the market where something is traded."""
    country = row["region"] if series.calendar_of(row["symbol"]) == "elsewhere" else ""
    if country not in HOLIDAYS_KNOWN:
        return past[max(0, len(past) - count) :]
    near = past[max(0, len(past) - count - count // 8 - 16) :]
    return [bar for bar in near if not is_closed_at_home(bar["date"], country)][-count:]


def last_year_of(world: World, row: Instrument) -> Sequence[series.Bar]:
    """The daily bars of the last 52 weeks, oldest first."""
    start = (world.today - timedelta(days=366)).isoformat()
    return [bar for bar in history(world, row, 370) if bar["date"] >= start]


def yearly_range(world: World, row: Instrument) -> tuple[float, float]:
    """The lowest and the highest price of the last 52 weeks, which are those of the daily bars."""
    bars = last_year_of(world, row)
    return min(bar["low"] for bar in bars), max(bar["high"] for bar in bars)


def is_range_known(row: Instrument) -> bool:
    """Whether the lowest and the highest price of the last 52 weeks are on record."""
    if row["kind"] == "CURRENCY":
        return row["symbol"][:6] in PAIRS_WITH_RANGES
    symbol = row["symbol"].removesuffix("-USD") if row["kind"] == "CRYPTOCURRENCY" else row["symbol"]
    habits = series.known_habits().get(f"COIN:{symbol}" if symbol != row["symbol"] else symbol)
    return habits is not None and habits.low > 0 and habits.high < math.inf


def hours_of(row: Instrument) -> Session:
    """The hours in which something is traded on a day."""
    if row["kind"] in ("CURRENCY", "CRYPTOCURRENCY"):
        return AROUND_THE_CLOCK
    return session_in(row["region"]) if series.calendar_of(row["symbol"]) == "elsewhere" else NEW_YORK


def hours_until_now(world: World, row: Instrument, day: str) -> Session:
    """The hours of a day: of today, where trade never rests, those up to now."""
    ceaseless = row["kind"] in ("CURRENCY", "CRYPTOCURRENCY")
    if ceaseless and day == world.today.isoformat():
        return Session(0, max(1, 60 * world.now.hour + world.now.minute))
    return hours_of(row)


class Quote(TypedDict):
    """The latest price against the close before it."""

    price: float
    previous_close: float
    change: float
    change_percent: float
    volume: int
    date: str


def quote(world: World, row: Instrument) -> Quote:
    """The quote of the last trading day up to today."""
    before, now = history(world, row, 2, running=True)
    digits = 5 if row["kind"] == "CURRENCY" else 2 if row["price"] >= 1 else 10
    return Quote(
        price=now["close"],
        previous_close=before["close"],
        change=round(now["close"] - before["close"], digits),
        change_percent=round(100 * (now["close"] / before["close"] - 1), 2) + 0.0 if before["close"] else 0.0,
        volume=now["volume"],
        date=now["date"],
    )


# What funds that everybody knows held most of in May 2024, in per cent.
_SP500 = "MSFT 6.9 AAPL 6.4 NVDA 5.2 AMZN 3.8 META 2.3 GOOGL 2.2 GOOG 1.9 BRK.B 1.7 LLY 1.4 AVGO 1.3"
_WHOLE_MARKET = "MSFT 6.0 AAPL 5.4 NVDA 4.5 AMZN 3.3 META 2.0 GOOGL 1.9 GOOG 1.6 BRK.B 1.5 LLY 1.2 AVGO 1.2"
_NASDAQ = "MSFT 8.6 AAPL 8.2 NVDA 6.8 AMZN 5.2 META 4.6 AVGO 4.4 GOOGL 2.8 GOOG 2.7 COST 2.5 TSLA 2.4"
_POSITIONS = {
    "SPY": _SP500, "VFIAX": _SP500, "FXAIX": _SP500, "VOO": _SP500, "IVV": _SP500, "VTI": _WHOLE_MARKET,
    "VTSAX": _WHOLE_MARKET, "ITOT": _WHOLE_MARKET, "QQQ": _NASDAQ, "QQQM": _NASDAQ,
    "XLK": "MSFT 22.0 AAPL 20.0 NVDA 6.0 AVGO 4.9 AMD 3.1 CRM 2.9 QCOM 2.7 ADBE 2.6 ORCL 2.4 CSCO 2.2",
    "VNQ": "PLD 6.9 AMT 5.8 EQIX 4.9 WELL 3.8 SPG 3.2 PSA 3.1 DLR 3.1 O 3.1 CCI 2.9 EXR 2.1",
    "FCNTX": "META 12.6 NVDA 8.8 BRK.B 8.4 MSFT 6.6 AMZN 6.0", "AGTHX": "MSFT 6.3 META 5.4 AMZN 4.3 NVDA 4.0",
    "IWM": "SMCI 1.7 MSTR 0.7 FIX 0.4 ONTO 0.4 WFRD 0.4 ELF 0.4",
    "SPLG": _SP500, "CSPX.L": _SP500, "VUSA.L": _SP500, "VFV.TO": _SP500, "SWPPX": _SP500,
    "VFINX": _SP500, "VTSMX": _WHOLE_MARKET, "FSKAX": _WHOLE_MARKET, "SCHB": _WHOLE_MARKET,
    "ARKK": "TSLA 9.8 COIN 9.3 ROKU 7.4 SQ 6.6 CRSP 5.6 RBLX 5.2 PATH 4.5 HOOD 4.2 SHOP 4.0 PLTR 3.9",
    "XLF": "BRK.B 12.9 JPM 10.2 V 7.5 MA 6.5 BAC 4.8 WFC 4.0 GS 2.7 SPGI 2.4 AXP 2.3 MS 2.2",
    "XLE": "XOM 23.4 CVX 17.2 COP 8.8 EOG 4.6 SLB 4.5 MPC 4.3 PSX 4.0 VLO 3.7 WMB 3.3 OKE 3.2",
    "XLV": "LLY 12.4 UNH 8.9 JNJ 6.9 MRK 6.2 ABBV 5.4 TMO 4.2 ABT 3.4 DHR 3.2 AMGN 3.1 PFE 3.0",
    "XLY": "AMZN 23.6 TSLA 13.9 HD 8.6 MCD 4.2 LOW 4.0 BKNG 3.9 TJX 3.5 NKE 3.3 SBUX 2.5 CMG 2.5",
    "XLP": "PG 14.6 COST 13.5 WMT 10.6 KO 8.9 PEP 8.6 PM 4.9 MDLZ 4.4 MO 3.9 CL 3.6 TGT 3.5",
    "XLI": "GE 4.6 CAT 4.1 UNP 3.7 RTX 3.4 HON 3.3 ETN 3.3 UPS 2.6 DE 2.6 BA 2.5 LMT 2.5",
    "XLU": "NEE 14.4 SO 7.9 DUK 7.4 CEG 6.6 AEP 4.8 SRE 4.6 D 4.4 PCG 3.7 EXC 3.7 PEG 3.6",
    "XLC": "META 23.6 GOOGL 13.2 GOOG 11.1 NFLX 4.8 TMUS 4.6 T 4.6 CMCSA 4.5 VZ 4.4 DIS 4.3 EA 4.1",
    "DIA": "UNH 8.7 GS 7.7 MSFT 7.1 CAT 6.0 HD 5.8 AMGN 5.3 CRM 4.7 V 4.7 MCD 4.6 AXP 4.1",
    "SMH": "NVDA 20.5 TSM 12.6 AVGO 7.8 TXN 5.2 QCOM 5.1 ASML 5.0 MU 4.7 AMD 4.5 LRCX 4.4 AMAT 4.4",
    "VGT": "MSFT 17.3 AAPL 15.6 NVDA 13.0 AVGO 4.4 CRM 2.0 AMD 1.9 ADBE 1.6 ORCL 1.5 CSCO 1.4 QCOM 1.4",
    "VUG": "MSFT 12.6 AAPL 10.7 NVDA 9.1 AMZN 6.8 META 4.4 GOOGL 3.7 GOOG 3.1 LLY 2.9 TSLA 1.9 V 1.7",
    "VTV": "BRK.B 3.7 JPM 2.8 XOM 2.4 AVGO 2.3 JNJ 2.0 PG 1.9 MRK 1.7 HD 1.7 ABBV 1.5 WMT 1.4",
    "SCHD": "TXN 4.6 AMGN 4.3 CVX 4.1 PFE 4.1 LMT 4.1 KO 4.1 PEP 4.0 CSCO 3.9 VZ 3.8 BLK 3.8",
    "VXUS": "2330.TW 1.9 NOVO-B.CO 1.3 ASML.AS 1.2 0700.HK 1.0 005930.KS 1.0 7203.T 1.0 NESN.SW 0.9 SHEL.L 0.8 AZN.L 0.8",
    "EWJ": "7203.T 5.8 8306.T 3.6 8035.T 3.1 6758.T 2.7 6501.T 2.6 6861.T 2.4 8058.T 2.3 4063.T 2.1 8316.T 2.1 7974.T 1.7",
    "VWO": "2330.TW 5.6 0700.HK 3.6 9988.HK 2.1 RELIANCE.NS 1.5",
    "EEM": "2330.TW 8.7 0700.HK 4.1 005930.KS 3.7 9988.HK 2.1 RELIANCE.NS 1.5",
    "IEMG": "2330.TW 7.4 0700.HK 3.5 005930.KS 3.2 9988.HK 1.8 RELIANCE.NS 1.3",
    "VYM": "AVGO 3.9 JPM 3.6 XOM 3.0 JNJ 2.5 PG 2.4 HD 2.2 MRK 2.1 ABBV 1.9 CVX 1.8 KO 1.6",
}  # fmt: skip


def largest_positions(symbol: str) -> list[tuple[str, float]]:
    """Ticker and per cent of the largest shares of a fund; none of bonds, metals and coins, or where they are not known."""
    parts = _POSITIONS.get(find_instrument(symbol)["symbol"], "").split()
    return [(ticker, float(percent)) for ticker, percent in zip(parts[::2], parts[1::2], strict=True)]
