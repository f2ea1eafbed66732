"""Social/Open_Collective: collectives whose income, balances and donations add up from their transactions."""

from bisect import bisect_right
from datetime import date, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import find, page
from toolyard.world.kernel.types import (
    Amount,
    CityName,
    CurrencyCode,
    IsoDate,
    Page,
    Prose,
    Range,
    Url,
    Within,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import parse_date
from toolyard.world.reference.people import person
from toolyard.world.simulated.collectives import (
    PAID_BY,
    TIERS,
    CollectiveSlug,
    EventDetails,
    EventSlug,
    Member,
    TierSlug,
    all_members,
    collective_events,
    donations_by_member,
    filter_transactions,
    find_collective,
    is_local,
    money_sums,
    text_slug,
)

GROUP = Group("Social/Open_Collective")
Limit = Annotated[int, Range(1, 50)]
Offset = Annotated[int, Range(0)]
MemberType = Literal["all", "users", "organizations"]


class CollectiveInfo(TypedDict):
    slug: CollectiveSlug
    name: str
    description: Prose
    website: Url
    founded: IsoDate
    currency: CurrencyCode
    balance: Amount
    yearlyIncome: Amount
    total_raised: Amount
    backersCount: int
    organizationsCount: int
    tiers: list[TierSlug]


class MemberRow(TypedDict):
    member_id: int
    name: str
    slug: str
    type: str
    role: str
    tier: TierSlug | None
    since: IsoDate
    total_donated: Amount
    currency: CurrencyCode
    last_donation: IsoDate | None


class TierMember(TypedDict):
    name: str
    slug: str
    type: str
    tier: TierSlug
    monthly_amount: Amount
    months_given: int
    total_donated: Amount


class TransactionRow(TypedDict):
    id: str
    type: str
    date: IsoDate
    amount: Amount
    currency: CurrencyCode
    description: str
    counterparty: str
    virtual_card: bool


TRANSACTION = View[TransactionRow](
    {
        "id": "id",
        "type": lambda one: "CREDIT" if one.amount > 0 else "DEBIT",
        "date": lambda one: one.day.isoformat(),
        "amount": "amount",
        "description": "description",
        "counterparty": "member.slug",
        "virtual_card": "card",
    }
)


class EventRow(TypedDict):
    collective: CollectiveSlug
    slug: EventSlug
    name: str
    starts: IsoDate
    city: CityName


class Attendee(TypedDict):
    name: str
    slug: str
    role: str
    registered: IsoDate


@GROUP.tool(
    examples=[{"collectiveSlug": "webpack"}],
    phrase=(
        "get the balance, income and supporter figures of the Open Collective project whose short name is "
        "{collectiveSlug}"
    ),
    noun="the collective's key figures",
)
def get_collective_info(world: World, *, collectiveSlug: CollectiveSlug) -> CollectiveInfo:
    """A collective in figures: balance, income of the last twelve months, all money raised, and its supporters.

    collectiveSlug: Short name of the collective, e.g. webpack.
    """
    row = find_collective(collectiveSlug)
    members = all_members(world.seed, row["slug"])
    balance, income, raised = money_sums(world.seed, row["slug"], world.today - timedelta(days=365))
    return {
        "slug": row["slug"],
        "name": row["name"],
        "description": f"{row['description']}. {PAID_BY[is_local(row)]}",
        "website": row["website"],
        "founded": row["founded"],
        "currency": row["currency"],
        "balance": balance,
        "yearlyIncome": income,
        "total_raised": raised,
        "backersCount": sum(one.kind == "USER" and one.role == "BACKER" for one in members),
        "organizationsCount": sum(one.kind == "ORGANIZATION" for one in members),
        "tiers": list(TIERS),
    }


def _members_of_type(seed: int, slug: str, kind: MemberType) -> list[Member]:
    wanted = {"users": "USER", "organizations": "ORGANIZATION"}.get(kind)
    return [member for member in all_members(seed, slug) if wanted in (None, member.kind)]


@GROUP.tool(
    examples=[{"collectiveSlug": "webpack"}, {"collectiveSlug": "babel", "memberType": "organizations"}],
    phrase=(
        "list on Open Collective the members with their roles in the collective whose short name is "
        "{collectiveSlug}[, with the member type set to {memberType}][, with a limit of {limit}][, skipping "
        "the first {offset}]"
    ),
    noun="the list of the collective's members",
)
def get_members(
    world: World,
    *,
    collectiveSlug: CollectiveSlug,
    memberType: MemberType = "all",
    limit: Limit = 15,
    offset: Offset = 0,
) -> Page[MemberRow]:
    """Members of a collective with role, tier and what each has given so far.

    collectiveSlug: Short name of the collective.
    memberType: Only people or only organizations.
    limit: How many to return.
    offset: How many to skip.
    """
    collective = find_collective(collectiveSlug)
    slug = collective["slug"]
    given = donations_by_member(world.seed, slug)
    found = _members_of_type(world.seed, slug, memberType)
    rows: list[MemberRow] = [
        {
            "member_id": one.id,
            "name": one.name,
            "slug": one.slug,
            "type": one.kind,
            "role": one.role,
            "tier": one.tier,
            "since": one.since.isoformat(),
            "total_donated": sum(row.amount for row in given.get(one, ())),
            "currency": collective["currency"],
            "last_donation": given[one][0].day.isoformat() if one in given else None,
        }
        for one in found[offset : offset + limit]
    ]
    return {"total": len(found), "offset": offset, "items": rows}


@GROUP.tool(
    examples=[{"collectiveSlug": "webpack", "tierSlug": "sponsors"}],
    phrase=(
        "list the Open Collective members who belong to the tier whose short name is {tierSlug} in the "
        "collective whose short name is {collectiveSlug}[, with the member type set to {memberType}][, with "
        "a limit of {limit}][, skipping the first {offset}]"
    ),
    noun="the list of the tier's members",
)
def get_members_per_tier(
    world: World,
    *,
    collectiveSlug: CollectiveSlug,
    tierSlug: TierSlug,
    memberType: MemberType = "all",
    limit: Limit = 15,
    offset: Offset = 0,
) -> Page[TierMember]:
    """Members of one tier of a collective with what they give each month and for how many months they did.

    collectiveSlug: Short name of the collective.
    tierSlug: Short name of the tier, e.g. sponsors.
    memberType: Only people or only organizations.
    limit: How many to return.
    offset: How many to skip.
    """
    slug, tier = find_collective(collectiveSlug)["slug"], tierSlug.strip().casefold()
    if tier not in TIERS:
        raise not_found("tier", tierSlug, known=TIERS)
    given = donations_by_member(world.seed, slug)
    rows = [
        TierMember(name=one.name, slug=one.slug, type=one.kind, tier=tier, monthly_amount=one.monthly,
                   months_given=len(given.get(one, ())), total_donated=sum(row.amount for row in given.get(one, ())))
        for one in _members_of_type(world.seed, slug, memberType)
        if one.tier == tier
    ]  # fmt: skip
    return page(rows, limit, offset)


@GROUP.tool(
    examples=[
        {"collectiveSlug": "webpack", "limit": 5},
        {"collectiveSlug": "webpack", "type": "DEBIT", "dateFrom": "2024-01-01", "includeVirtualCards": True},
    ],
    phrase=(
        "list on Open Collective the transactions of the collective whose short name is {collectiveSlug}[, "
        "with the transaction type set to {type}][, starting from {dateFrom}][, with including virtual cards "
        "set to {includeVirtualCards}][, with a limit of {limit}][, skipping the first {offset}]"
    ),
    noun="the list of the collective's transactions",
)
def get_transactions(
    world: World,
    *,
    collectiveSlug: CollectiveSlug,
    limit: Limit = 15,
    offset: Offset = 0,
    type_: Literal["DEBIT", "CREDIT"] | None = None,
    dateFrom: IsoDate | None = None,
    includeVirtualCards: bool = False,
) -> Page[TransactionRow]:
    """Money that a collective received and spent, latest first.

    collectiveSlug: Short name of the collective.
    limit: How many to return.
    offset: How many to skip.
    type: Only money spent (DEBIT) or received (CREDIT).
    dateFrom: Only transactions on or after this day.
    includeVirtualCards: Also what was paid with virtual cards.
    """
    first = parse_date(dateFrom, "dateFrom") if dateFrom is not None else date.min
    collective = find_collective(collectiveSlug)
    slug = collective["slug"]
    chosen = filter_transactions(world.seed, slug, type_, includeVirtualCards)
    count = bisect_right(chosen, -first.toordinal(), key=lambda one: -one.day.toordinal())
    rows = [
        {**TRANSACTION.row(one), "currency": collective["currency"]}
        for one in chosen[offset : min(count, offset + limit)]
    ]
    return {"total": count, "offset": offset, "items": rows}  # type: ignore[typeddict-item]


def _find_event(seed: int, slug: str, event: str) -> EventDetails:
    return find(collective_events(seed, slug), event, "slug", "event")


@GROUP.tool(
    examples=[{"collectiveSlug": "webpack"}],
    phrase=(
        "list on Open Collective the events of the collective whose short name is {collectiveSlug}[, with a "
        "limit of {limit}][, skipping the first {offset}]"
    ),
    noun="the list of the collective's events",
)
def list_events(
    world: World, *, collectiveSlug: CollectiveSlug, limit: Limit = 10, offset: Offset = 0
) -> Page[EventRow]:
    """Events of a collective with day and city, latest first.

    collectiveSlug: Short name of the collective, e.g. webpack or riverbank-repair-cafe.
    limit: How many to return.
    offset: How many to skip.
    """
    slug = find_collective(collectiveSlug)["slug"]
    rows = View[EventRow].of(EventRow).rows(collective_events(world.seed, slug))
    return page(rows, limit, offset)


@GROUP.tool(
    examples=[{"collectiveSlug": "webpack", "eventSlug": "webpack-contributors-summit-2017"}],
    phrase=(
        "get the description, city and price of the Open Collective event whose short name is {eventSlug}, "
        "held by the collective whose short name is {collectiveSlug}"
    ),
    noun="the event information",
)
def get_event_info(
    world: World,
    *,
    collectiveSlug: CollectiveSlug,
    eventSlug: Annotated[EventSlug, Within("collectiveSlug")],
) -> EventDetails:
    """One event of a collective with description, days, city, price and the number of people who registered.

    collectiveSlug: Short name of the collective.
    eventSlug: Short name of the event, as list_events returns it.
    """
    return _find_event(world.seed, find_collective(collectiveSlug)["slug"], eventSlug)


@GROUP.tool(
    examples=[{"collectiveSlug": "webpack", "eventSlug": "webpack-contributors-summit-2017"}],
    phrase=(
        "list the people registered for the Open Collective event whose short name is {eventSlug}, held by "
        "the collective whose short name is {collectiveSlug}[, with a limit of {limit}][, skipping the first "
        "{offset}]"
    ),
    noun="the list of event attendees",
)
def get_attendees_list(
    world: World,
    *,
    collectiveSlug: CollectiveSlug,
    eventSlug: Annotated[EventSlug, Within("collectiveSlug")],
    limit: Limit = 20,
    offset: Offset = 0,
) -> Page[Attendee]:
    """People who registered for an event of a collective, in the order in which they did.

    collectiveSlug: Short name of the collective.
    eventSlug: Short name of the event, as list_events returns it.
    limit: How many to return.
    offset: How many to skip.
    """
    slug = find_collective(collectiveSlug)["slug"]
    event = _find_event(world.seed, slug, eventSlug)
    last = min(date.fromisoformat(event["starts"]), world.today)
    chance = seeds.stream(world.seed, "attendees", event["slug"])
    days = sorted((chance.randrange(1, 60) for _ in range(event["attendees"])), reverse=True)
    rows: list[Attendee] = []
    hosts = all_members(world.seed, slug)[:1]
    for n, before in enumerate(days):
        name = hosts[n].name if n < len(hosts) else person(world.seed, "attendee", event["slug"], n)["name"]
        rows.append(
            {
                "name": name,
                "slug": f"{text_slug(name)}-{n}",
                "role": "ORGANIZER" if n < len(hosts) else "ATTENDEE",
                "registered": (last - timedelta(days=before)).isoformat(),
            }
        )
    return page(rows, limit, offset)
