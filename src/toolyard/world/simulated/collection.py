"""The art collection: objects and everything that describes them, as resources of 23 types with ids of their own.

{"res_type": "object", "id": 299843, "title": "Self-Portrait Dedicated to Paul Gauguin", "person": ["Vincent van Gogh"],
 "dated": "1888", "century": "19th century", "culture": "Dutch", "medium": "Oil", "support": "Canvas", ...}

Works, artists, shows and terms are reference. Where a work hangs, what is shown when, and how often people looked at it is
drawn from the seed; so are the years, colours and techniques of works without a known maker.
"""

import functools
from collections.abc import Iterator, Mapping
from datetime import timedelta
from random import Random
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import read_record, read_table, table_rows
from toolyard.world.kernel.types import IsoDate, PersonName, Semantic, Topic, Url
from toolyard.world.reference.encyclopaedia.catalogue import entries_by_kind
from toolyard.world.reference.encyclopaedia.entries import entries_named

ResourceType = Literal["object", "person", "exhibition", "publication", "gallery", "spectrum", "classification", "century",
                       "color", "culture", "group", "medium", "support", "period", "place", "technique", "worktype",
                       "activity", "site", "video", "image", "audio", "annotation"]  # fmt: skip
ResourceKind = Annotated[str, Semantic("art_resource_type")]
ResourceId = Annotated[int, Semantic("art_resource_id")]
_ACTIONS = ("edits", "pageviews", "uniquepageviews", "moves", "conservation", "studycenterviews")
_RECORDED = {
    "spectrum": ("XRF spectrum", "Measured by X-ray fluorescence at one point of the surface."),
    "video": ("Video", "A curator speaks in front of the work."),
    "audio": ("Audio guide", "Two minutes for visitors of the gallery."),
}
_SUBJECTS = ("Landscape with River", "Portrait of a Lady", "Still Life with Fruit", "The Bridge", "Harbour at Dawn",
             "Dancers", "Study of Hands", "Boats at Sea", "Figures by a Road", "View of a Garden", "Winter Morning",
             "Seated Figure", "Horses", "The Old Mill", "Bathers")  # fmt: skip
_KINDS = (("Paintings", "Oil", "Canvas"), ("Prints", "Ink", "Paper"), ("Drawings", "Graphite", "Paper"))
_WORKTYPES = {"Paintings": "painting", "Prints": "print", "Drawings": "drawing", "Sculpture": "sculpture",
              "Photographs": "photograph", "Vessels": "vessel", "Coins": "coin", "Textile Arts": "textile"}  # fmt: skip
_UNNAMED, _SCHOOLS = 180, 20


class Resource(TypedDict, total=False):
    """A resource; which fields it has depends on its type."""

    res_type: ResourceKind
    id: ResourceId
    title: Topic
    person: list[PersonName]
    dated: str
    yearmade: int
    century: str
    classification: str
    worktype: str
    culture: str
    medium: str
    support: str
    technique: str
    period: str
    place: str
    color: list[str]
    objectnumber: str
    gallery: str
    floor: int
    level: int
    parent: str
    exhibition: list[str]
    publication: list[str]
    venue: str
    status: str
    begindate: IsoDate
    enddate: IsoDate
    type: str
    object_id: ResourceId
    image_id: ResourceId
    image_url: Url | None
    description: str
    hex: str
    objectcount: int
    birth_year: int
    death_year: int


class Term(TypedDict):
    """Reference: a word of the museum's lists."""

    kind: str
    name: str
    parent: str
    hex: str


@functools.cache
def museum_terms(kind: str) -> tuple[Term, ...]:
    """The words of one list of the museum."""
    return tuple(read_record(Term, row) for row in read_table("museum_terms.tsv") if row["kind"] == kind)


class Work(TypedDict):
    """Reference: a work of the collection; "" where it is drawn."""

    id: str
    title: str
    artist: str
    culture: str
    year: str
    number: str
    place: str
    colors: str
    kind: str
    medium: str
    support: str
    period: str
    technique: str


@functools.cache
def _museum_works() -> tuple[Work, ...]:
    """The known works, then those of schools, then prints after well-known works that other houses keep."""
    return (*(Work(**row) for row in read_table("museum_works.tsv")), *_works_of_schools(), *_print_works())  # type: ignore[typeddict-item]


def _works_of_schools() -> Iterator[Work]:
    for number in range(_UNNAMED):
        artist = table_rows("museum_artists.tsv")[number % _SCHOOLS]
        kind, medium, support = seeds.pick(_KINDS, "kind of work", number)
        yield Work(
            id=str(300_000 + number), title=seeds.pick(_SUBJECTS, "subject", number), artist=f"School of {artist['name']}",
            culture=artist["culture"], year="", number=f"{1900 + number % 90}.{number + 1}", place="", colors="", kind=kind,
            medium=medium, support=support, period=artist["period"], technique="",
        )  # fmt: skip


def _print_works() -> Iterator[Work]:
    for number, entry in enumerate(entries_by_kind()["work of art"]):
        artist = (entry["properties"].get("P170") or ["Unidentified Artist"])[0]
        yield Work(
            id=str(400_000 + number), title=f"{entry['title']} (print after {artist})", artist=artist, culture="", year="",
            number=f"G{number + 1}", place="", colors="", kind="Prints", medium="Ink", support="Paper", period="Modern",
            technique="",
        )  # fmt: skip


def _possible_years(work: Work) -> tuple[int, int]:
    """The years in which a work without a known year can have been made."""
    name = work["artist"].removeprefix("School of ")
    artist = next((row for row in table_rows("museum_artists.tsv") if row["name"] == name), None)
    if work["title"].endswith(")") or artist is None:
        return 1850, 1930
    return int(artist["born"]) + 20, int(artist["died"])


def _make_object(seed: int, work: Work) -> Resource:
    chance = seeds.stream(seed, "object", work["id"])
    year = int(work["year"]) if work["year"] else chance.randint(*_possible_years(work))
    technique = work["technique"] or (
        chance.choice(("Etching", "Woodcut", "Engraving")) if work["kind"] == "Prints" else ""
    )
    on = f" on {work['support'].lower()}" if work["support"] else ""
    shown = {kind: _fitting_occasions(kind, work, year, chance) for kind in ("exhibition", "publication")}
    row: Resource = {
        "res_type": "object",
        "id": int(work["id"]),
        "title": work["title"],
        "person": [work["artist"]],
        "dated": str(year),
        "yearmade": year,
        "century": f"{(year - 1) // 100 + 1}th century",
        "classification": work["kind"],
        "worktype": _WORKTYPES[work["kind"]],
        "medium": work["medium"],
        "period": work["period"],
        "place": work["place"] or chance.choice(museum_terms("place"))["name"],
        "color": work["colors"].split(";")
        if work["colors"]
        else [row["name"] for row in chance.sample(museum_terms("color"), 2)],
        "objectnumber": work["number"],
        "gallery": str(1100 + 100 * chance.randrange(3) + chance.randrange(8)),
        "exhibition": shown["exhibition"],
        "publication": shown["publication"],
        "image_url": f"https://art.example/images/{work['id']}.jpg",
        "description": f"{work['title']}, {work['medium'].lower()}{on}, by {work['artist']}, {year}.",
    }
    told: Resource = {key: work[key] for key in ("culture", "support") if work[key]}  # type: ignore[assignment]
    return {**row, **told, **({"technique": technique} if technique else {})}


def _fitting_occasions(kind: str, work: Work, year: int, chance: Random) -> list[str]:
    """One of the shows or books that have works like this one, for most works."""
    told = f"{work['title']} {work['culture']} {work['kind']} {work['period']} {work['culture']} {year}"
    rows = [row for row in table_rows("museum_shows.tsv") if row["kind"] == kind and row["works"] != "-"]
    found = [row["title"] for row in rows if any(sign in told for sign in row["works"].split(";"))]
    return [chance.choice(found)] if found and chance.random() < 0.7 else []


def _person_resources(objects: list[Resource]) -> Iterator[Resource]:
    counts: dict[str, int] = {}
    for row in objects:
        counts[row["person"][0]] = counts.get(row["person"][0], 0) + 1
    known = {row["name"]: row for row in table_rows("museum_artists.tsv")}
    others = [
        name for name in counts if name not in known and not name.startswith(("School", "Unidentified"))
    ]
    for number, name in enumerate((*known, *others)):
        person: Resource = {
            "res_type": "person",
            "id": 28_000 + number,
            "title": name,
            "objectcount": counts.get(name, 0),
        }
        yield {**person, **(_artist_life(name) if name in others else _life_from_table(known[name]))}


def _life_from_table(row: Mapping[str, str]) -> Resource:
    return {"culture": row["culture"], "birth_year": int(row["born"]), "death_year": int(row["died"])}


def _artist_life(name: str) -> Resource:
    """Country and years of somebody in the encyclopaedia."""
    known = next((one["properties"] for one in entries_named(name) if one["kind"] == "person"), {})
    found: Resource = {"culture": known["P27"][0]} if known.get("P27") else {}
    years = {"birth_year": known.get("P569"), "death_year": known.get("P570")}
    return found | {key: int(text[0][:4]) for key, text in years.items() if text and text[0][:4].isdigit()}  # type: ignore[return-value]


def _term_resources(objects: list[Resource]) -> Iterator[Resource]:
    kinds = list(dict.fromkeys(row["kind"] for row in read_table("museum_terms.tsv")))
    for place, kind in enumerate(kinds):
        uses = [value for row in objects for value in field_values(row, kind)]
        for number, term in enumerate(museum_terms(kind)):
            row: Resource = {"res_type": kind, "id": 10_000 * (place + 40) + number, "title": term["name"]}
            if kind not in ("group", "site"):
                row["objectcount"] = uses.count(term["name"])
            if kind in ("group", "medium", "place", "site"):
                row["level"], row["parent"] = (1 if term["parent"] else 0), term["parent"]
            if kind == "color":
                row["hex"] = term["hex"]
            yield row


def _occasion_resources(seed: int) -> Iterator[Resource]:
    """Shows one after the other, each of some weeks, one of them open on the day of the world; books and galleries."""
    chance = seeds.stream(seed, "shows")
    shows = [row for row in table_rows("museum_shows.tsv") if row["kind"] == "exhibition"]
    order = chance.sample(range(len(shows)), len(shows))
    for number, row in enumerate(shows):
        # The last but one is open, the last one comes.
        turn = order[number] - (len(shows) - 2)
        start = EPOCH.date() + timedelta(days=170 * turn - chance.randrange(10, 60))
        end = start + timedelta(days=chance.randrange(70, 105))
        status = "past" if turn < 0 else "current" if turn == 0 else "upcoming"
        yield {"res_type": "exhibition", "id": 6000 + number, "title": row["title"],
               "venue": chance.choice(("HAM", "City Museum")), "status": status, "begindate": start.isoformat(),
               "enddate": end.isoformat(), "person": [row["person"]],
               "image_url": f"https://art.example/images/show{number}.jpg", "description": row["told"]}  # fmt: skip
    for number, row in enumerate(
        row for row in table_rows("museum_shows.tsv") if row["kind"] == "publication"
    ):
        yield {"res_type": "publication", "id": 7000 + number, "title": row["title"],
               "yearmade": chance.randrange(1985, EPOCH.year), "person": [row["person"]], "image_url": None,
               "description": row["told"]}  # fmt: skip
    for room in (1000 + 100 * floor + room for floor in range(1, 4) for room in range(8)):
        yield {"res_type": "gallery", "id": room, "title": f"Gallery {room}", "gallery": str(room),
               "floor": room // 100 - 10}  # fmt: skip


def _activity_resources(seed: int, objects: list[Resource]) -> Iterator[Resource]:
    chance = seeds.stream(seed, "traces of works")
    for number, row in enumerate(objects[:60]):
        title, day = row["title"], EPOCH.date() - timedelta(days=chance.randrange(1, 400))
        yield {"res_type": "activity", "id": 800_000 + number, "title": f"Activity of {title}", "type": _ACTIONS[number % 6],
               "objectcount": chance.randrange(3, 900), "begindate": day.isoformat(), "object_id": row["id"]}  # fmt: skip
        yield {"res_type": "image", "id": 810_000 + number, "title": title, "image_url": row["image_url"],
               "object_id": row["id"]}  # fmt: skip
        yield {"res_type": "annotation", "id": 820_000 + number, "title": f"Detail of {title}", "image_id": 810_000 + number,
               "description": f"{'A corner' if number % 2 else 'The middle'} of the image, enlarged."}  # fmt: skip
        for place, (kind, (name, told)) in enumerate(_RECORDED.items() if number < 12 else ()):
            yield {"res_type": kind, "id": 830_000 + 10_000 * place + number, "title": f"{name} of {title}",
                   "object_id": row["id"], "description": told}  # fmt: skip


def field_values(row: Resource, field: str) -> list[str]:
    """The values of a field as they are written."""
    value: object = row.get(field)
    return [
        str(item) for item in (value if isinstance(value, list) else [value] if value is not None else [])
    ]


@seeds.table
def resources(seed: int) -> Mapping[str, tuple[Resource, ...]]:
    """All resources by type."""
    objects = [_make_object(seed, work) for work in _museum_works()]
    found: dict[str, list[Resource]] = {}
    rows = (
        *objects,
        *_person_resources(objects),
        *_term_resources(objects),
        *_occasion_resources(seed),
        *_activity_resources(seed, objects),
    )
    for row in rows:
        found.setdefault(row["res_type"], []).append(row)
    return {kind: tuple(rows) for kind, rows in found.items()}
