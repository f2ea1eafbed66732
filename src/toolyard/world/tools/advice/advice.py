"""Advice/Advice_slip and Advice/Bored: slips of advice and things to do, out of our own tables."""

import functools
from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, Literal, TypedDict

from toolyard.world.index import Index, words
from toolyard.world.kernel.faults import ToolFault, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import filter_rows, find, read_record, read_table, rows_between, table_words
from toolyard.world.kernel.types import Named, Prose, Range, Semantic, Topic

SLIPS = Group("Advice/Advice_slip")
BORED = Group("Advice/Bored")
FIRST_ACTIVITIES = 47
SlipId = Annotated[int, Semantic("slip_id")]
ActivityKey = Annotated[int, Semantic("activity_key"), Range(1000000, 9999999)]
Kind = Literal[
    "education", "recreational", "social", "diy", "charity", "cooking", "relaxation", "music", "busywork"
]
Factor = Annotated[float, Range(0, 1)]
Price = Annotated[float, Semantic("activity_price"), Range(0, 1)]
Access = Annotated[float, Semantic("activity_accessibility"), Range(0, 1)]
People = Annotated[int, Semantic("activity_participants"), Range(1, 100)]
_Measure = Literal["participants", "price", "accessibility"]


class Slip(TypedDict):
    slip_id: SlipId
    advice: Prose
    topic: Topic


class FoundSlips(TypedDict):
    query: str
    total_results: int
    slips: list[Slip]


class Activity(TypedDict):
    key: ActivityKey
    activity: Prose
    type: Annotated[str, Semantic("activity_type")]
    participants: People
    price: Price
    accessibility: Access


@functools.cache
def slip_index() -> Index[Slip]:
    """All slips, searchable."""
    rows = [
        Slip(slip_id=int(row["id"]), advice=row["advice"], topic=row["topic"])
        for row in read_table("advice.tsv")
    ]
    return Index(rows, ["advice", "topic", "topic"])


# Words of a question that tell nothing about its subject.
_EMPTY = frozenset(table_words("advice.empty"))


@functools.cache
def _topics_by_word() -> dict[str, list[str]]:
    """Words that people use -> topics of slips under which they belong."""
    return {
        word: row["topics"].split(";")
        for row in read_table("advice_words.tsv")
        for word in words(row["words"])
    }


def _word_root(word: str) -> str:
    """What saving, saved and save have in common."""
    bare = next(
        (word[: -len(end)] for end in ("ing", "ed") if word.endswith(end) and len(word) > len(end) + 2), word
    )
    bare = bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] and bare != word else bare
    return bare[:-1] if len(bare) > 3 and bare.endswith("e") else bare


@functools.cache
def _words_by_root() -> dict[str, dict[str, None]]:
    """Root -> words of the slips that have it."""
    found: dict[str, dict[str, None]] = {}
    for row in slip_index().rows:
        for word in words(f"{row['advice']} {row['topic']}"):
            found.setdefault(_word_root(word), {})[word] = None
    return found


def _written_forms(word: str) -> list[str]:
    """A word as the slips have it: itself, or other forms of it where no slip has this one."""
    own = _words_by_root().get(_word_root(word), {})
    return [word] if word in own or not own else list(own)


def _names_topic(topic: str, told: Collection[str], kindred: Iterable[str]) -> bool:
    """Whether a question names a topic, and its other words do not make it a narrower one."""
    own = set(words(topic))
    return own <= set(told) and not any(own < set(words(other)) for other in kindred)


def find_slips(query: str) -> list[Slip]:
    """The slips of the topics that words of a question belong to, then others that share words with it."""
    told = [word for word in words(query) if word not in _EMPTY]
    found = slip_index().search(" ".join(form for word in told for form in _written_forms(word)) or query)
    topics = dict.fromkeys(topic for word in told for topic in _topics_by_word().get(word, ()))
    kindred = [row for topic in topics for row in slip_index().rows if row["topic"] == topic]
    named = [row for row in found if topics and _names_topic(row["topic"], told, topics)]
    both = [*named, *(row for row in found if row in kindred and row not in named)]
    return [*both, *(row for row in kindred if row not in both), *(row for row in found if row not in both)]


@functools.cache
def activities() -> tuple[Activity, ...]:
    """All activities."""
    return tuple(read_record(Activity, row) for row in read_table("bored_activities.tsv"))


@SLIPS.tool(phrase="give me a random slip of advice", noun="the random slip of advice")
def random_advice(world: World) -> Slip:
    """A slip of advice drawn by chance, another one each time."""
    return world.draw_anew(slip_index().rows, "advice", opening=80)


@SLIPS.tool(
    examples=[{"slip_id": 234}],
    phrase="show me the slip of advice whose number is {slip_id}",
    noun="the numbered slip of advice",
)
def advice_by_id(*, slip_id: SlipId) -> Slip:
    """The slip of advice with this number.

    slip_id: Number of the slip, as a search or a draw returns it; slips are numbered in steps of six (6, 12, 18 ...).
    """
    return find(slip_index().rows, slip_id, "slip_id", "slip")


@SLIPS.tool(
    examples=[{"query": "stress management"}],
    phrase="search the advice slips for advice about {query}",
    noun="the list of matching advice slips",
)
def search_advice(*, query: Annotated[Topic, Range(1, 200)]) -> FoundSlips:
    """The slips of advice that fit some words best, at most ten of them.

    query: Words that the advice should be about.
    """
    found = find_slips(query)
    return {"query": query, "total_results": len(found), "slips": found[:10]}


def _draw_activity(
    world: World, rows: Sequence[Activity], key: _Measure = "price", wanted: str = ""
) -> Activity:
    if not rows:
        values = sorted({row[key] for row in activities()})
        known = ", ".join(f"{value:g}" for value in values)
        raise ToolFault(
            "not_found", f"no activity with {key} {wanted}; there are activities with {key} {known}"
        )
    first = [row for row in rows if row["key"] in {one["key"] for one in activities()[:FIRST_ACTIVITIES]}]
    return world.draw_anew(
        [*first, *(row for row in rows if row not in first)], "activity", opening=len(first)
    )


@BORED.tool(
    phrase="suggest any random activity against boredom",
    noun="the random activity",
    jobs=("something to do",),
    listed_as="RandomActivity",
)
def get_random_event(world: World) -> Activity:
    """Something to do, drawn by chance from all activities."""
    return _draw_activity(world, activities())


@BORED.tool(
    examples=[{"key": 5906325}],
    phrase="look up the activity whose key is {key}",
    noun="the activity found by its key",
    jobs=("something to do",),
    not_credentials=("key",),
)
def get_activity_by_key(*, key: ActivityKey) -> Activity:
    """The activity with this key.

    key: Seven-digit number of the activity.
    """
    return find(activities(), key, "key", "activity")


@BORED.tool(
    examples=[{"type": "cooking"}],
    phrase="suggest an activity whose type is {type}",
    noun="the activity chosen by type",
    jobs=("something to do",),
)
def get_activity_by_type(
    world: World, *, kind: Annotated[Kind, Named("type"), Semantic("activity_type")]
) -> Activity:
    """An activity of one kind, drawn by chance, another one each time.

    type: Kind of activity.
    """
    return _draw_activity(world, filter_rows(activities(), type=kind))


@BORED.tool(
    examples=[{"participants": 2}],
    phrase="suggest an activity where the number of people taking part is {participants}",
    noun="the activity chosen by group size",
    jobs=("something to do",),
    described_as="Draws an activity for a number of people by chance.",
)
def get_activity_by_participants(world: World, *, participants: People) -> Activity:
    """An activity for so many people, drawn by chance.

    participants: Number of people that take part.
    """
    rows = filter_rows(activities(), participants=participants)
    return _draw_activity(world, rows, "participants", str(participants))


@BORED.tool(
    examples=[{"price": 0.1}],
    phrase="suggest an activity whose price level is exactly {price}",
    noun="the activity chosen by price",
    jobs=("something to do",),
    described_as="Draws an activity of exactly one price level by chance.",
)
def get_activity_by_price(world: World, *, price: Price) -> Activity:
    """An activity that costs exactly so much, drawn by chance.

    price: Cost from 0 (free) to 1 (expensive).
    """
    return _draw_activity(world, rows_between(activities(), "price", price, price), "price", f"{price:g}")


def _draw_in_range(world: World, key: _Measure, low: float, high: float) -> Activity:
    if low > high:
        raise out_of_range(f"min{key}", low, f"must not be above max{key}={high:g}")
    return _draw_activity(world, rows_between(activities(), key, low, high), key, f"from {low:g} to {high:g}")


@BORED.tool(
    examples=[{"minprice": 0.0, "maxprice": 0.2}],
    phrase=(
        "suggest an activity whose price level lies between a minimum of {minprice} and a maximum of "
        "{maxprice}"
    ),
    noun="the activity from the price range",
    jobs=("something to do",),
)
def get_activity_by_price_range(world: World, *, minprice: Factor, maxprice: Factor) -> Activity:
    """An activity whose cost lies within bounds, drawn by chance.

    minprice: Lowest cost, 0 being free.
    maxprice: Highest cost, at most 1.
    """
    return _draw_in_range(world, "price", minprice, maxprice)


@BORED.tool(
    examples=[{"accessibility": 0.1}],
    phrase="suggest an activity whose accessibility is exactly {accessibility}",
    noun="the activity chosen by accessibility",
    jobs=("something to do",),
    described_as="Draws an activity of exactly one accessibility by chance.",
)
def get_activity_by_accessibility(world: World, *, accessibility: Access) -> Activity:
    """An activity that is exactly so hard to get at, drawn by chance.

    accessibility: From 0 (anybody can do it at once) to 1 (hardly anybody can).
    """
    rows = rows_between(activities(), "accessibility", accessibility, accessibility)
    return _draw_activity(world, rows, "accessibility", f"{accessibility:g}")


@BORED.tool(
    examples=[{"minaccessibility": 0.2, "maxaccessibility": 0.5}],
    phrase=(
        "suggest an activity whose accessibility lies between a minimum of {minaccessibility} and a maximum "
        "of {maxaccessibility}"
    ),
    noun="the activity from the accessibility range",
    jobs=("something to do",),
)
def get_activity_by_accessibility_range(
    world: World, *, minaccessibility: Factor, maxaccessibility: Factor
) -> Activity:
    """An activity whose accessibility lies within bounds, drawn by chance.

    minaccessibility: Lowest value, 0 being the easiest.
    maxaccessibility: Highest value, at most 1.
    """
    return _draw_in_range(world, "accessibility", minaccessibility, maxaccessibility)
