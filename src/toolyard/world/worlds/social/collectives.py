"""Collectives, their members, transactions and events: the tables under Open Collective."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.geography import cities, plain, read_table
from toolyard.world.shared.people import person
from toolyard.world.state import EPOCH
from toolyard.world.tables import find
from toolyard.world.types import Amount, CityName, CurrencyCode, IsoDate, Prose, Semantic

CollectiveSlug = Annotated[str, Semantic("collective_slug")]
TierSlug = Annotated[str, Semantic("collective_tier")]
EventSlug = Annotated[str, Semantic("collective_event")]
# City of a collective -> what it counts in; all others count in dollars.
_MONEY = {"Leeds": "GBP", "Bristol": "GBP", "Dublin": "EUR", "Galway": "EUR", "Halifax": "CAD"}
# tier: what is given each month
TIERS: dict[str, int] = {"backers": 5, "supporters": 25, "sponsors": 100, "gold-sponsors": 500}
# What contractors are paid for, each for work of one kind.
_EXPENSES = ("Development", "Development", "Documentation", "Triage of issues", "Design work")
# What is paid by card, and the second word in the name of who is paid for it.
_SMALL_EXPENSES = {
    "Hosting": "Hosting",
    "Domain names": "Domains",
    "Travel to a conference": "Travel",
    "Stickers": "Print",
}
_EVENTS = (
    "Contributors' Summit",
    "Release Party",
    "Community Meetup",
    "Maintainers' Week",
    "Documentation Sprint",
)


def money_of(row: Mapping[str, str]) -> str:
    """The currency of a collective."""
    return _MONEY.get(row["city"], "USD")


PAID_BY = {
    False: "The project is paid for by the people and companies that use it.",
    True: "It lives on gifts of its neighbours and friends.",
}
# An event of a collective of this world -> weekday on which it begins (Monday is 0), and for how many days it lasts.
_LOCAL_EVENTS = {
    "Open Day": (5, 1),
    "Neighbours' Meetup": (6, 1),
    "Workshop Weekend": (5, 2),
    "Volunteers' Evening": (3, 1),
    "Annual Gathering": (5, 1),
}
_EVENT_TEXTS = {
    "Open Day": "Come and see what we do, from ten to four, with tea and cake.",
    "Neighbours' Meetup": "An afternoon for those who live nearby and those who would like to help.",
    "Workshop Weekend": "Two days of learning by doing; tools are there, lunch as well.",
    "Volunteers' Evening": "A thank-you for all who gave their time, with soup and a short look back.",
    "Annual Gathering": "The accounts of the year, the plans for the next one, and time to talk.",
}
# What a local group pays every month, and what besides.
_LOCAL_EXPENSES = (
    "Rent of rooms",
    "Materials",
    "Printing",
    "Travel of volunteers",
    "Insurance",
    "Tools",
    "Tea and biscuits",
)
# The one event of a collective of the real world that is on record; those of this world hold two a year.
_ON_RECORD = frozenset({"webpack-contributors-summit-2017"})
# From and to these days people did not come together.
_APART = ("2020-03-14", "2021-07-31")
_FIRM_NAMES = ("Bluepine", "Northgate", "Kitewell", "Lumenfield", "Oakmere", "Redwharf", "Silverline", "Tallgrass",
               "Umberton", "Westerly", "Ironbrook", "Larkspur", "Mossgate", "Pinehurst", "Quarrystone", "Brackenfield",
               "Coldharbour", "Dunmere", "Eastholm", "Fernleigh", "Greywater", "Hazelmoor", "Juniper Row",
               "Kestrelby", "Alderbank", "Birchlow", "Cloverfold", "Driftwater", "Elmstead", "Foxholt", "Gorseland",
               "Harrowgate", "Inkwell", "Jackdaw", "Knapwood", "Linnet", "Merrow", "Nettlecombe", "Orchard Nine",
               "Plainsong", "Quillon", "Rookery", "Saltmarsh", "Thornbury Nine", "Upstream", "Vetchling", "Wrenfield",
               "Yarrowby", "Amberlea", "Bellfounder", "Cinderpath", "Dovetail Row", "Evenlode", "Flintlock", "Gannet",
               "Hollowell", "Ivybridge Nine", "Kingcup", "Lodestar Row", "Millrace", "Northing", "Osprey Nine",
               "Pebblecrest", "Ravenscar", "Sorrel", "Teasel", "Undercliff", "Windrow")  # fmt: skip
_FIRM_KINDS = ("Labs", "Software", "Studio", "Hosting", "Systems", "Digital", "Analytics", "Media")


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """Somebody who gives or works for a collective."""

    id: int
    name: str
    slug: str
    kind: str
    role: str
    tier: str | None
    since: date
    monthly: int
    work: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Transaction:
    """Money that came in (positive) or went out (negative)."""

    id: str
    day: date
    amount: int
    description: str
    member: Member
    card: bool


# Day, amount, purpose, who gave it or got it, and whether by card.
_Row = tuple[date, int, str, Member, bool]


class EventDetails(TypedDict):
    collective: CollectiveSlug
    slug: EventSlug
    name: str
    description: Prose
    starts: IsoDate
    ends: IsoDate
    city: CityName
    ticket_price: Amount
    currency: CurrencyCode
    attendees: int


@functools.cache
def collectives() -> tuple[dict[str, str], ...]:
    """All collectives."""
    return tuple(read_table("collectives.tsv"))


def find_collective(slug: str) -> dict[str, str]:
    """The collective of a slug; a not_found fault otherwise."""
    return find(collectives(), slug, "slug", "collective")


def _firm(place: int) -> str:
    return (
        f"{_FIRM_NAMES[place % len(_FIRM_NAMES)]} {_FIRM_KINDS[place // len(_FIRM_NAMES) % len(_FIRM_KINDS)]}"
    )


def is_local(row: dict[str, str]) -> bool:
    """Whether a collective is one of this world only."""
    return row["website"].endswith(".example")


def slug_of(text: str) -> str:
    """Text as part of an address."""
    return "-".join(part for part in "".join(c if c.isalnum() else " " for c in plain(text)).split())


@seeds.remembered(128)
def members_of(seed: int, slug: str) -> tuple[Member, ...]:
    """The admins, backers, and companies of this world as sponsors."""
    row = find_collective(slug)
    admins = [name for name in row["admins"].split(";") if name]
    chance = seeds.stream(seed, "members", slug)
    founded, people = date.fromisoformat(row["founded"]), int(row["backers"]) + (len(admins) or 3)
    sponsors = [
        _firm(place) for place in chance.sample(range(len(_FIRM_NAMES) * 3), int(row["organizations"]))
    ]
    levels = ("sponsors",) if is_local(row) else ("sponsors", "sponsors", "gold-sponsors")
    found: list[Member] = []
    first_id = 10_000 + 1000 * collectives().index(row)
    for n in range(people + len(sponsors)):
        since = founded + timedelta(days=int((EPOCH.date() - founded).days * chance.random() * 0.98))
        company = n - people
        if company >= 0:
            name, tier = sponsors[company], chance.choice(levels)
            found.append(Member(n, name, slug_of(name), "ORGANIZATION", "BACKER", tier, since, TIERS[tier]))
            continue
        core = n < (len(admins) or 3)
        name = admins[n] if core and admins else person(seed, "collective", slug, n)["name"]
        level = None if core else chance.choice(("backers", "backers", "supporters"))
        found.append(
            Member(n, name, f"{slug_of(name)}-{n}", "USER", "ADMIN" if core else "BACKER", level,
                   founded if core else since, TIERS[level] if level else 0)
        )  # fmt: skip
    found.sort(key=lambda member: (member.role != "ADMIN", member.since))
    return tuple(replace(member, id=first_id + place) for place, member in enumerate(found))


@seeds.remembered(128)
def transactions_of(seed: int, slug: str) -> tuple[Transaction, ...]:
    """All money in and out, latest first: gifts each month, and expenses of most of them."""
    chance = seeds.stream(seed, "transactions", slug)
    rows = [row for member in members_of(seed, slug) if member.monthly for row in _gifts(chance, member)]
    local, paid = is_local(find_collective(slug)), _paid(seed, slug)
    by_month: dict[tuple[int, int], int] = {}
    for day, amount, *_ in rows:
        by_month[day.year, day.month] = by_month.get((day.year, day.month), 0) + amount
    for (year, month), income in by_month.items():
        for amount, what, card in _expenses(chance, income, local):
            day = date(year, month, chance.randrange(2, 28))
            if amount and day <= EPOCH.date():
                rows.append(
                    (day, -amount, what, chance.choice([one for one in paid if what in one.work]), card)
                )
    rows = _within_means(rows)
    rows.sort(key=lambda row: (row[0], row[1], row[3].id), reverse=True)
    return tuple(Transaction(seeds.token(12, seed, slug, n), *row) for n, row in enumerate(rows))


def _within_means(rows: list[_Row]) -> list[_Row]:
    """The same rows; all expenses smaller where less would be left than came in within six weeks of the last year."""
    raised = sum(row[1] for row in rows if row[1] > 0)
    spent = -sum(row[1] for row in rows if row[1] < 0)
    year_ago = EPOCH.date() - timedelta(days=365)
    reserve = sum(row[1] for row in rows if row[1] > 0 and row[0] > year_ago) // 8
    if not spent or raised - spent >= reserve:
        return rows
    part = max(0, raised - reserve) / spent
    return [
        (day, amount if amount > 0 else -max(1, int(-amount * part)), what, member, card)
        for day, amount, what, member, card in rows
    ]


def _gifts(chance: Random, member: Member) -> list[_Row]:
    """What a member gave: every month since the first one, for some months only, or (half of the people) once or twice."""
    months = (EPOCH.date() - member.since).days // 30
    if member.kind == "USER" and chance.random() < 0.5:
        given, told = min(months + 1, chance.choice((1, 1, 2))), "Contribution"
    else:
        given, told = (
            months + 1 if chance.random() < 0.6 else chance.randrange(1, months + 2),
            "Monthly contribution",
        )
    days = (member.since + timedelta(days=30 * n + 1) for n in range(given))
    return [
        (day, member.monthly, f"{told} ({member.tier})", member, False) for day in days if day <= EPOCH.date()
    ]


def _expenses(chance: Random, income: int, local: bool) -> list[tuple[int, str, bool]]:
    """Amount, purpose and whether it was paid by card, of what is spent in a month: more payments where more comes in."""
    if local:
        rent = (round(income * 0.5 * chance.uniform(0.8, 1.0)), _LOCAL_EXPENSES[0], False)
        other = round(income * 0.3 * chance.uniform(0.2, 1.1))
        return [rent, (other, chance.choice(_LOCAL_EXPENSES[1:]), chance.random() < 0.4)]
    count = 1 + min(9, income // 2500)
    sizes = [income * chance.uniform(0.8, 1.05) * chance.uniform(0.7, 1.3) / count for _ in range(count)]
    small = (min(income // 10, chance.randrange(12, 180)), chance.choice(tuple(_SMALL_EXPENSES)), True)
    return [*((round(size), chance.choice(_EXPENSES), False) for size in sizes), small]


def _paid(seed: int, slug: str) -> list[Member]:
    """Who is paid: the admins of a local group, who laid it out; else contractors and shops that do not exist."""
    row = find_collective(slug)
    if is_local(row):
        admins = [member for member in members_of(seed, slug) if member.role == "ADMIN"]
        return [replace(member, work=_LOCAL_EXPENSES) for member in admins]
    founded = date.fromisoformat(row["founded"])
    names = [person(seed, "contractor", slug, n)["name"] for n in range(len(_EXPENSES))]
    shops = [f"{seeds.pick(_FIRM_NAMES, seed, slug, trade)} {trade}" for trade in _SMALL_EXPENSES.values()]
    return [
        Member(n, name, slug_of(name), "USER", "CONTRIBUTOR", None, founded, 0, (what,))
        for n, (name, what) in enumerate(zip([*names, *shops], [*_EXPENSES, *_SMALL_EXPENSES], strict=True))
    ]


@seeds.remembered(128)
def donated(seed: int, slug: str) -> dict[Member, list[Transaction]]:
    """Member -> gifts, latest first."""
    found: dict[Member, list[Transaction]] = {}
    for row in transactions_of(seed, slug):
        if row.amount > 0:
            found.setdefault(row.member, []).append(row)
    return found


@seeds.remembered(128)
def sums_of(seed: int, slug: str, year_ago: date) -> tuple[int, int, int]:
    """What is left, what came in since a day, and what came in at all."""
    rows = transactions_of(seed, slug)
    gifts = [one for one in rows if one.amount > 0]
    return (
        sum(one.amount for one in rows),
        sum(one.amount for one in gifts if one.day > year_ago),
        sum(one.amount for one in gifts),
    )


@seeds.remembered(128)
def transactions_kept(seed: int, slug: str, kind: str | None, cards: bool) -> tuple[Transaction, ...]:
    """The transactions of a kind, latest first, with or without those by card."""
    return tuple(
        one
        for one in transactions_of(seed, slug)
        if (cards or not one.card) and kind in (None, "CREDIT" if one.amount > 0 else "DEBIT")
    )


def _local_event(seed: int, row: dict[str, str], n: int, year: int) -> EventDetails:
    chance = seeds.stream(seed, "event", row["slug"], n)
    kind, (weekday, days) = [*_LOCAL_EVENTS.items()][n % len(_LOCAL_EVENTS)]
    name = f"{row['name']} {kind} {year}"
    start = date(year, 3 if n % 2 == 0 else 9, chance.randrange(1, 22))
    start += timedelta(days=(weekday - start.weekday()) % 7)
    city = row["city"]
    told = (
        "It took place in {}, and everybody was"
        if start < EPOCH.date()
        else "It takes place in {}, and everybody is"
    )
    text = f"{_EVENT_TEXTS[kind]} {told.format(city)} welcome."
    return EventDetails(
        collective=row["slug"], slug=slug_of(name), name=name, description=text,
        starts=start.isoformat(), ends=(start + timedelta(days=days - 1)).isoformat(), city=city,
        ticket_price=chance.choice((0, 0, 0, 5)), currency=money_of(row), attendees=chance.randrange(8, 41),
    )  # fmt: skip


def _recorded_event(seed: int, row: dict[str, str], n: int, year: int) -> EventDetails:
    chance = seeds.stream(seed, "event", row["slug"], n)
    name = f"{row['name']} {_EVENTS[n % len(_EVENTS)]} {year}"
    start = date(year, 3 if n % 2 == 0 else 9, chance.randrange(1, 28))
    city = chance.choice(cities()[:60])["name"]
    return EventDetails(
        collective=row["slug"], slug=slug_of(name), name=name,
        description=f"{name} took place in {city}. Everybody who works on {row['name']} or uses it was welcome.",
        starts=start.isoformat(), ends=(start + timedelta(days=chance.randrange(0, 3))).isoformat(), city=city,
        ticket_price=chance.choice((0, 0, 10, 25)), currency="USD", attendees=chance.randrange(8, 41),
    )  # fmt: skip


@seeds.remembered(128)
def events_of(seed: int, slug: str) -> tuple[EventDetails, ...]:
    """Two events a year of a collective of this world, none in the pandemic, one to come; of others what is on record."""
    row = find_collective(slug)
    build = _local_event if is_local(row) else _recorded_event
    years = sorted([*range(int(row["founded"][:4]) + 1, 2025)] * 2)
    found = [build(seed, row, n, year) for n, year in enumerate(years)]
    if not is_local(row):
        found = [event for event in found if event["slug"] in _ON_RECORD]
    found = [event for event in found if not _APART[0] <= event["starts"] <= _APART[1]]
    return tuple(sorted(found, key=lambda event: event["starts"], reverse=True))
