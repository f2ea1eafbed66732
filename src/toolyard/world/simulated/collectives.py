"""Collectives, their members, transactions and events: the tables under Open Collective."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Annotated, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import find, plain, read_table, table_texts, table_words, values_of
from toolyard.world.kernel.types import Amount, CityName, CurrencyCode, IsoDate, Prose, Semantic
from toolyard.world.reference.people import person
from toolyard.world.reference.places.geography import cities

CollectiveSlug = Annotated[str, Semantic("collective_slug")]
TierSlug = Annotated[str, Semantic("collective_tier")]
EventSlug = Annotated[str, Semantic("collective_event")]
ADMINS = 3
# tier: what is given each month
TIERS: dict[str, int] = {"backers": 5, "supporters": 25, "sponsors": 100, "gold-sponsors": 500}
# What contractors are paid for, each for work of one kind.
_EXPENSES = ("Development", "Development", "Documentation", "Triage of issues", "Design work")
# What is paid by card, and the second word in the name of who is paid for it.
_SMALL_EXPENSES = table_texts("collectives.small_expenses")
PAID_BY = {
    False: "The project is paid for by the people and companies that use it.",
    True: "It lives on gifts of its neighbours and friends.",
}
# An event -> for how many days it lasts, and what it is: of software projects, and of local groups.
_EVENTS: Mapping[str, tuple[int, str]] = values_of("collectives.events")
_LOCAL_EVENTS: Mapping[str, tuple[int, str]] = values_of("collectives.local_events")
# What a local group pays every month, and what besides.
_LOCAL_EXPENSES = table_words("collectives.local_expenses")
_FIRM_NAMES = table_words("collectives.firm_names")
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
def all_collectives() -> tuple[dict[str, str], ...]:
    """All collectives."""
    return tuple(read_table("collectives.tsv"))


def find_collective(slug: str) -> dict[str, str]:
    """The collective of a slug; a not_found fault otherwise."""
    return find(all_collectives(), slug, "slug", "collective")


def _firm_name(place: int) -> str:
    return (
        f"{_FIRM_NAMES[place % len(_FIRM_NAMES)]} {_FIRM_KINDS[place // len(_FIRM_NAMES) % len(_FIRM_KINDS)]}"
    )


def is_local(row: dict[str, str]) -> bool:
    """Whether a collective is one of this world only."""
    return row["website"].endswith(".example")


def text_slug(text: str) -> str:
    """Text as part of an address."""
    return "-".join(part for part in "".join(c if c.isalnum() else " " for c in plain(text)).split())


@seeds.cache_by_seed(128)
def all_members(seed: int, slug: str) -> tuple[Member, ...]:
    """The admins, backers, and companies of this world as sponsors."""
    row = find_collective(slug)
    chance = seeds.stream(seed, "members", slug)
    founded = date.fromisoformat(row["founded"])
    people = ADMINS + round(int(row["backers"]) * chance.uniform(0.6, 1.4))
    firms = round(int(row["organizations"]) * chance.uniform(0.6, 1.4))
    sponsors = [_firm_name(place) for place in chance.sample(range(len(_FIRM_NAMES) * 3), firms)]
    levels = ("sponsors",) if is_local(row) else ("sponsors", "sponsors", "gold-sponsors")
    found: list[Member] = []
    first_id = 10_000 + 1000 * all_collectives().index(row)
    for n in range(people + len(sponsors)):
        since = founded + timedelta(days=int((EPOCH.date() - founded).days * chance.random() * 0.98))
        company = n - people
        if company >= 0:
            name, tier = sponsors[company], chance.choice(levels)
            found.append(Member(n, name, text_slug(name), "ORGANIZATION", "BACKER", tier, since, TIERS[tier]))
            continue
        name, core = person(seed, "collective", slug, n)["name"], n < ADMINS
        level = None if core else chance.choice(("backers", "backers", "supporters"))
        found.append(
            Member(n, name, f"{text_slug(name)}-{n}", "USER", "ADMIN" if core else "BACKER", level,
                   founded if core else since, TIERS[level] if level else 0)
        )  # fmt: skip
    found.sort(key=lambda member: (member.role != "ADMIN", member.since))
    return tuple(replace(member, id=first_id + place) for place, member in enumerate(found))


@seeds.cache_by_seed(128)
def all_transactions(seed: int, slug: str) -> tuple[Transaction, ...]:
    """All money in and out, latest first: gifts each month, and expenses of most of them."""
    chance = seeds.stream(seed, "transactions", slug)
    rows = [row for member in all_members(seed, slug) if member.monthly for row in _all_gifts(chance, member)]
    local, paid = is_local(find_collective(slug)), _paid_members(seed, slug)
    by_month: dict[tuple[int, int], int] = {}
    for day, amount, *_ in rows:
        by_month[day.year, day.month] = by_month.get((day.year, day.month), 0) + amount
    for (year, month), income in by_month.items():
        for amount, what, card in _monthly_expenses(chance, income, local):
            day = date(year, month, chance.randrange(2, 28))
            if amount and day <= EPOCH.date():
                rows.append(
                    (day, -amount, what, chance.choice([one for one in paid if what in one.work]), card)
                )
    rows = _limit_expenses(rows)
    rows.sort(key=lambda row: (row[0], row[1], row[3].id), reverse=True)
    return tuple(Transaction(seeds.token(12, seed, slug, n), *row) for n, row in enumerate(rows))


def _limit_expenses(rows: list[_Row]) -> list[_Row]:
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


def _all_gifts(chance: Random, member: Member) -> list[_Row]:
    """What a member gave: every month since the first one, for some months only, or (half of the people) once or twice."""
    months = (EPOCH.date() - member.since).days // 30
    if member.kind == "USER" and chance.random() < 0.5:
        given, told = min(months + 1, chance.choice((1, 1, 2))), "Contribution"
    else:
        given, told = (
            months + 1 if chance.random() < 0.6 else chance.randrange(1, months + 2),
            "Monthly contribution",
        )
    what = f"{told} ({member.tier})"
    days = (member.since + timedelta(days=30 * n + 1) for n in range(given))
    return [(day, member.monthly, what, member, False) for day in days if day <= EPOCH.date()]


def _monthly_expenses(chance: Random, income: int, local: bool) -> list[tuple[int, str, bool]]:
    """Amount, purpose and whether it was paid by card, of what is spent in a month: more payments where more comes in."""
    if local:
        rent = (round(income * 0.5 * chance.uniform(0.8, 1.0)), _LOCAL_EXPENSES[0], False)
        other = round(income * 0.3 * chance.uniform(0.2, 1.1))
        return [rent, (other, chance.choice(_LOCAL_EXPENSES[1:]), chance.random() < 0.4)]
    count = 1 + min(9, income // 2500)
    sizes = [income * chance.uniform(0.8, 1.05) * chance.uniform(0.7, 1.3) / count for _ in range(count)]
    small = (min(income // 10, chance.randrange(12, 180)), chance.choice(tuple(_SMALL_EXPENSES)), True)
    return [*((round(size), chance.choice(_EXPENSES), False) for size in sizes), small]


def _paid_members(seed: int, slug: str) -> list[Member]:
    """Who is paid: the admins of a local group, who laid it out; else contractors and shops that do not exist."""
    row = find_collective(slug)
    if is_local(row):
        admins = [member for member in all_members(seed, slug) if member.role == "ADMIN"]
        return [replace(member, work=_LOCAL_EXPENSES) for member in admins]
    founded = date.fromisoformat(row["founded"])
    names = [person(seed, "contractor", slug, n)["name"] for n in range(len(_EXPENSES))]
    shops = [f"{seeds.pick(_FIRM_NAMES, seed, slug, trade)} {trade}" for trade in _SMALL_EXPENSES.values()]
    return [
        Member(n, name, text_slug(name), "USER", "CONTRIBUTOR", None, founded, 0, (what,))
        for n, (name, what) in enumerate(zip([*names, *shops], [*_EXPENSES, *_SMALL_EXPENSES], strict=True))
    ]


@seeds.cache_by_seed(128)
def donations_by_member(seed: int, slug: str) -> dict[Member, list[Transaction]]:
    """Member -> gifts, latest first."""
    found: dict[Member, list[Transaction]] = {}
    for row in all_transactions(seed, slug):
        if row.amount > 0:
            found.setdefault(row.member, []).append(row)
    return found


@seeds.cache_by_seed(128)
def money_sums(seed: int, slug: str, year_ago: date) -> tuple[int, int, int]:
    """What is left, what came in since a day, and what came in at all."""
    rows = all_transactions(seed, slug)
    gifts = [one for one in rows if one.amount > 0]
    return (
        sum(one.amount for one in rows),
        sum(one.amount for one in gifts if one.day > year_ago),
        sum(one.amount for one in gifts),
    )


@seeds.cache_by_seed(128)
def filter_transactions(seed: int, slug: str, kind: str | None, cards: bool) -> tuple[Transaction, ...]:
    """The transactions of a kind, latest first, with or without those by card."""
    return tuple(
        one
        for one in all_transactions(seed, slug)
        if (cards or not one.card) and kind in (None, "CREDIT" if one.amount > 0 else "DEBIT")
    )


def _make_event(seed: int, row: dict[str, str], n: int, year: int) -> EventDetails:
    """The event of a collective in one half of a year; which one it is belongs to the reference, the rest is drawn."""
    chance = seeds.stream(seed, "event", row["slug"], n)
    kinds = _LOCAL_EVENTS if is_local(row) else _EVENTS
    kind = list(kinds)[n % len(kinds)]
    days, text = kinds[kind]
    name = f"{row['name']} {kind} {year}"
    start = date(year, 3 if n % 2 == 0 else 9, chance.randrange(1, 28))
    city = row["city"] or chance.choice(cities()[:60])["name"]
    return EventDetails(
        collective=row["slug"], slug=text_slug(name), name=name, description=f"{text} Everybody is welcome.",
        starts=start.isoformat(), ends=(start + timedelta(days=days - 1)).isoformat(), city=city,
        ticket_price=chance.choice((0, 0, 5, 10, 25)), currency=row["currency"], attendees=chance.randrange(8, 60),
    )  # fmt: skip


@seeds.cache_by_seed(128)
def collective_events(seed: int, slug: str) -> tuple[EventDetails, ...]:
    """Two events a year of a collective since the year after it began, the latest first."""
    row = find_collective(slug)
    years = [*sorted([*range(int(row["founded"][:4]) + 1, EPOCH.year)] * 2), EPOCH.year]
    found = [_make_event(seed, row, n, year) for n, year in enumerate(years)]
    return tuple(sorted(found, key=lambda event: event["starts"], reverse=True))
