"""What happened in the world from January 2023 on, as the invented outlets report it; the events are true."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from toolyard.world import seeds
from toolyard.world.search import Index, words
from toolyard.world.shared.articles import Article, Category, Source, sources
from toolyard.world.shared.geography import countries
from toolyard.world.shared.people import name_of
from toolyard.world.tables import read_table

# Articles of the table of invented stories end below this number.
FIRST_EVENT = 5001
_CATEGORIES: tuple[Category, ...] = (
    "business", "entertainment", "general", "health", "science", "sports", "technology",
)  # fmt: skip


class Happening(Article):
    """An article about something that happened, with the codes and the names of the countries where it did."""

    places: list[str]
    where: str


@functools.cache
def country_names() -> Mapping[str, str]:
    """Code -> name of every country."""
    return {row["code"]: row["name"] for row in countries()}


@seeds.table
def happenings(seed: int) -> tuple[Happening, ...]:
    """One article about each event, oldest first."""
    rows = sorted(enumerate(read_table("news_events.tsv"), start=FIRST_EVENT), key=lambda row: row[1]["date"])
    return tuple(_told(seed, number, row) for number, row in rows)


@functools.cache
def _outlets(category: Category) -> tuple[Source, ...]:
    return tuple(
        row for row in sources() if row["language"] == "en" and row["category"] in (category, "general")
    )


def _outlet(category: Category, number: int, places: list[str]) -> Source:
    fitting = _outlets(category)
    near = [row for row in fitting if row["country"] in places]
    return seeds.pick(near if near and number % 2 else fitting, "told by", number)


def _told(seed: int, number: int, row: Mapping[str, str]) -> Happening:
    category = next(name for name in _CATEGORIES if name == row["category"])
    places = row["countries"].split(",")
    source = _outlet(category, number, places)
    chance = seeds.stream("happened", number)
    day = row["date"].replace("-", "/")
    return Happening(
        id=number,
        source_id=source["id"],
        source=source["name"],
        domain=source["domain"],
        author=name_of(seed, "journalist", source["id"], chance.randrange(6)),
        title=row["headline"],
        description=row["description"],
        content=f"{row['headline']}. {row['description']}",
        url=f"https://{source['domain']}/{day}/{number}",
        image=f"https://images.{source['domain']}/{number}.jpg",
        published_at=f"{row['date']}T{chance.randrange(4, 9):02d}:{chance.randrange(60):02d}:00Z",
        category=category,
        language=source["language"],
        country=source["country"],
        popularity=int(10 ** (4 + 1.5 * chance.random())),
        places=places,
        where=f"{_where(places)} {_subjects(row)}",
    )


def _where(places: list[str]) -> str:
    return ", ".join(name for code, name in country_names().items() if code in places)


# What people call the subject of events whose headlines name only who was there.
_SUBJECTS = (
    ("artificial intelligence AI", r"\bAI\b|OpenAI|GPT|Llama|DeepMind|Gemini|AlphaFold|machine learning|chatbot"),
    ("football soccer", r"Champions League|Premier League|Real Madrid|Barcelona win|Scudetto|Bundesliga|Leverkusen|Mbapp|"
     r"Messi|Paris Saint-Germain|champions of (?:Spain|France|Germany|England)|Manchester (?:City|United)|FA Cup|"
     r"Europa League|Dortmund|Bayern|Xavi"),
    ("basketball", r"\bNBA\b|WNBA|college basketball|UConn|Nuggets|Celtics|South Carolina beat"),
    ("tennis", r"Wimbledon|Madrid Open|Australian Open|US Open|Roland|Djokovic|Świątek|Sinner|Alcaraz|Rublev"),
    ("motor racing Formula 1 F1", r"Grand Prix|Formula 1|Verstappen|Norris"), ("cricket", r"\bIPL\b|[Cc]ricket"),
    ("golf", r"Masters|PGA|Scheffler|McIlroy|Ryder Cup"), ("cycling", r"Tour de France|Giro|Poga"),
    ("climate change warming", r"record heat|warming|emission|corals|COP28|[Cc]limate|hottest|heatwave"),
    ("space spaceflight", r"Moon\b|NASA|Starliner|astronaut|Chang'e|Starship|spacecraft|Voyager|satellite|Shenzhou|rocket|"
     r"Webb|Chandrayaan|asteroid"),
    ("stock market stocks shares", r"shares|Wall Street|Nasdaq|Dow Jones|S&P"),
    ("economy", r"inflation|interest rate|rates? at|recession|economy|tariffs|Federal Reserve|Central Bank"),
    ("electric cars vehicles EV", r"Tesla|BYD|electric car"), ("smartphones phones", r"iPhone|Samsung|Pixel|smartphone"),
    ("cryptocurrency crypto", r"Bitcoin|bitcoin|FTX|Binance|crypto|Bankman"),
    ("war conflict", r"Gaza|Rafah|Ukrain|Kharkiv|Hamas|missiles|Israel|Sudan"),
    ("weather", r"[Ff]lood|[Ss]torm|[Hh]urricane|[Cc]yclone|heat|rain\b|wildfire"),
    ("film films movies cinema", r"Oscar|film|cinema|Cannes|Golden Globes|Barbie|Oppenheimer"),
    ("music", r"album|Grammy|Eurovision|song|concert|Swift|Madonna|singer"),
    ("election elections", r"[Ee]lect(?:ion|ed)|\b[Pp]olls\b|[Vv]oters|[Bb]allot|constituenc|primar(?:y|ies)\b|run-off|"
     r"referendum"),
    ("politics", r"election|president|prime minister|parliament|vote"),
    ("health medicine", r"^(?!.* dies at ).*(?:flu\b|vaccine|Covid|dengue|kidney|cancer|virus|marijuana)"),
    ("earnings results profit quarter quarterly report", r"revenue|[Pp]rofit|before its results|quarterly|earnings"),
    ("ceasefire cease fire truce", r"[Tt]ruce|[Cc]easefire"),
    ("Fed FOMC interest rate decision monetary policy", r"Federal Reserve"),
    ("ECB interest rate decision monetary policy", r"European Central Bank"),
    ("interest rate rates", r"\b(?:holds?|cuts?|raises?|ends?) (?:key |interest )*rates?\b|\brates? (?:at|to|by)\b"),
    ("title race champions", r"lead the Premier League|[Cc]hampions|title\b|Scudetto"),
    ("safety aviation aircraft plane airline", r"Boeing|Airbus|\b[Pp]lane|aircraft|airline"),
    ("climate summit conference", r"COP2[0-9]"),
    ("Middle East", r"Gaza|Rafah|Israel|Hamas|Houthi|Iran\b|Lebanon|Syria"),
)  # fmt: skip


@functools.cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((names, re.compile(pattern)) for names, pattern in _SUBJECTS)


def _subjects(row: Mapping[str, str]) -> str:
    """The subjects of an event in the words of searches, with its category."""
    told = f"{row['headline']} {row['description']}"
    named = [names for names, pattern in _patterns() if pattern.search(told)]
    return " ".join((row["category"], row["date"][:4], *named))


@seeds.table
def _index(seed: int) -> Index[Happening]:
    return Index(happenings(seed), ("title", "title", "description", "where"))


@seeds.table
def happenings_by_url(seed: int) -> Mapping[str, Happening]:
    """The articles by their address without scheme."""
    return {row["url"].removeprefix("https://"): row for row in happenings(seed)}


def happened(seed: int, query: str) -> list[Happening]:
    """Articles about events that have all words of a query, the best first and of equal ones the newest."""
    wanted = set(words(query))
    found = _index(seed).search(query, bound=1.0)
    titled = [row for row in found if wanted <= set(words(row["title"]))]
    rest = [row for row in found if row not in titled]
    return [*sorted(titled, key=_newest, reverse=True), *sorted(rest, key=_newest, reverse=True)]


# What a search for news says beside its subject.
_ASIDE = frozenset(
    words(
        "news latest breaking today yesterday week month year update updates headline headlines story stories article "
        "articles report recent now new current live 2023 2024 about after before during over its his her their"
    )
)
# Fewer articles with all words of a query are followed by those with some of them.
_FEW = 3


_CAPITAL = re.compile(r"\b[A-ZÀ-Ý][\w'’-]+")
_NAME = re.compile(r"(?<=[^.] )[A-ZÀ-Ý][\w'’-]+")


@seeds.table
def _names(seed: int) -> frozenset[str]:
    """Words that name who and where events are about: countries, and what the articles write with a capital."""
    told = [name for row in happenings(seed) for name in _NAME.findall(row["content"])]
    inside = {term for name in told for term in words(name)}
    return frozenset(inside | set(words(" ".join(country_names().values()))))


def happened_near(seed: int, query: str) -> list[Happening]:
    """Articles with at least half of a query's words, and of its names; the nearest first and of equal ones the newest.

    Where a query has no name, more than half of its words must be there: housing market is more than market.
    """
    wanted = set(words(query)) - _ASIDE
    names = wanted & _names(seed)
    if not wanted or len(query.split()) < 2:
        return []
    lands = (
        names & set(words(" ".join(country_names().values()))) & set(words(" ".join(_CAPITAL.findall(query))))
    )
    found: list[tuple[int, str, Happening]] = []
    for row in _index(seed).search(" ".join(sorted(names or wanted))):
        held = wanted & set(words(f"{row['content']} {row['where']}"))
        if wanted != lands and held <= lands:
            continue  # what happened in a country is no answer to more than its name
        enough = len(held) * (3 if lands & held else 2) - len(wanted)
        if enough >= (0 if names else 1) and len(held & names) * 2 >= len(names):
            found.append((len(held), row["published_at"], row))
    return [row for _, _, row in sorted(found, key=lambda one: one[:2], reverse=True)]


def events_on(seed: int, query: str) -> list[Happening]:
    """Articles about events for a query: those with all its words, and where these are few those with most of them."""
    whole = happened(seed, query)
    if len(whole) >= _FEW:
        return whole
    return [*whole, *(row for row in happened_near(seed, query) if row not in whole)]


def _newest(row: Happening) -> str:
    return row["published_at"]
