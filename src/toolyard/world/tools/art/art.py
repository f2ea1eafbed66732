"""Art/Harvard_art_museum: search and show the resources of the art collection."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.core.types import Record
from toolyard.world.index import Index, words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import fold_case
from toolyard.world.kernel.types import IsoDate, PersonName, Range, Semantic, Topic, Url, Within
from toolyard.world.reference.days import parse_date
from toolyard.world.simulated.collection import (
    Resource,
    ResourceId,
    ResourceKind,
    ResourceType,
    field_values,
    resources,
)

GROUP = Group("Art/Harvard_art_museum")
TypeName = Annotated[ResourceType, Semantic("art_resource_type")]
_NAMED = ("century", "classification", "culture", "gallery", "medium", "period", "place", "support", "technique",
          "worktype", "exhibition", "publication", "person", "venue")  # fmt: skip


# Filters whose values come from a list of the museum.
_LISTED = frozenset(
    "century classification color culture medium period place support technique worktype gallery".split()
)
# What resources that are alike have in common.
_SHARED = ("object_id", "person", "period", "technique", "culture", "classification", "parent", "exhibition", "century",
           "type", "floor")  # fmt: skip
_FLOORS = ("0", "1", "2", "3", "4", "5")


class Found(TypedDict):
    total: int
    page: int
    records: list[Resource]
    aggregations: dict[str, dict[str, int]]


class Field(TypedDict):
    label: str
    value: str


class Manifest(TypedDict):
    manifest_id: Url
    label: Topic
    metadata: list[Field]
    attribution: str
    canvases: list[Url]


class Filters(TypedDict, total=False):
    """What resources must be like. Lists of ids or names are separated by a bar; "any" and "none" are understood.

    q: Words, or FIELD:VALUE, e.g. culture:Dutch.
    size: Records per page.
    page: Number of the page, from 1.
    sort: Field to sort by, or random, or random:SEED.
    sortorder: Upward or downward.
    fields: Only these fields of each record, besides type and id.
    agg: Counts by field, as {"NAME": {"terms": {"field": "FIELD"}}}.
    id: Ids of records.
    object: Id of an object that the resource belongs to.
    type: Kind of activity, e.g. moves; for activities only.
    image: Id of an image; for annotations only.
    usedby: FIELD:ID of an object that uses the resource, e.g. object:299843.
    keyword: Words in title, description or people.
    venue: Venue of an exhibition, e.g. HAM.
    person: Id or name of a person.
    status: State of an exhibition.
    exact_title: The whole title.
    before: Exhibitions that begin before this day.
    after: Exhibitions that end after this day.
    floor: Floor of a gallery, 0 to 5.
    level: Depth in the tree of groups, media, places or sites.
    parent: Name of the resource above it in that tree.
    century: Id or name of a century, e.g. 19th century.
    classification: Id or name of a classification, e.g. Paintings.
    color: Id or name of a colour.
    culture: Id or name of a culture, e.g. French.
    exhibition: Id or title of an exhibition.
    gallery: Number of a gallery.
    medium: Id or name of a medium, e.g. Oil.
    objectnumber: Number under which the museum keeps an object.
    period: Name of a period.
    place: Id or name of a place.
    publication: Id or title of a publication.
    support: Id or name of a support, e.g. Canvas.
    technique: Id or name of a technique.
    title: Words of the title.
    worktype: Id or name of a kind of work, e.g. print.
    yearmade: Year in which an object was made.
    hasimage: 1 for resources with an image, 0 for those without.
    """

    q: str
    size: Annotated[int, Range(1, 25)]
    page: Annotated[int, Range(1, 10000)]
    sort: str
    sortorder: Literal["asc", "desc"]
    fields: list[str]
    agg: str
    id: str
    object: ResourceId
    type: Literal["edits", "pageviews", "uniquepageviews", "moves", "conservation", "studycenterviews"]
    image: ResourceId
    usedby: str
    keyword: str
    venue: str
    person: PersonName
    status: Literal["current", "past", "upcoming"]
    exact_title: Topic
    before: IsoDate
    after: IsoDate
    floor: str
    level: int
    parent: str
    century: str
    classification: str
    color: str
    culture: str
    exhibition: str
    gallery: str
    medium: str
    objectnumber: str
    period: str
    place: str
    publication: str
    support: str
    technique: str
    title: str
    worktype: str
    yearmade: int
    hasimage: Literal[0, 1]


def _folded_values(row: Resource, field: str) -> list[str]:
    return [fold_case(value) for value in field_values(row, field)]


def _names_meant(world: World, kind: str, text: str) -> set[str]:
    """The folded names that a bar-separated list of ids and names stands for."""
    by_id = {str(row["id"]): row["title"] for row in resources(world.seed).get(kind, ())}
    parts = [part.strip() for part in text.split("|")]
    return {fold_case(by_id.get(part, part)) for part in parts} | set(parts if kind == "gallery" else ())


def _check_filters(world: World, filters: Filters) -> None:
    """Faults for names that no list of the museum has, floors that it does not have and fields that no record has."""
    rows = resources(world.seed)
    loose: Record = filters
    for field in sorted(_LISTED & loose.keys()):
        known = {fold_case(row["title"]) for row in rows.get(field, ())} | {"any", "none"}
        known |= {value for row in rows["object"] for value in _folded_values(row, field)}
        unknown = _names_meant(world, field, loose[field]) - known
        if unknown:
            raise not_found(
                field, sorted(unknown)[0][:60], known=[row["title"] for row in rows.get(field, ())]
            )
    floors = [part.strip() for part in filters.get("floor", "").split("|") if part.strip()]
    wrong = [floor for floor in floors if floor not in _FLOORS]
    if wrong:
        raise invalid("floor", wrong[0][:20], f"floors are {', '.join(_FLOORS)}")
    names = list(Resource.__annotations__)
    odd = [name for name in filters.get("fields", ()) if name not in names]
    if odd:
        raise invalid("fields", odd[0][:40], f"fields are {', '.join(names[:12])} and others")


def _has_named(world: World, row: Resource, field: str, text: str) -> bool:
    values, wanted = _folded_values(row, field), _names_meant(world, field, text)
    if wanted == {"any"}:
        return bool(values)
    if wanted == {"none"}:
        return not values
    return any(value in wanted or (field == "person" and any(w in value for w in wanted)) for value in values)


def _resource_text(row: Resource) -> str:
    return fold_case(
        f"{row['title']} {row.get('description', '')} {' '.join(row.get('person', []))} {row.get('culture', '')}"
    )


def _has_words(row: Resource, filters: Filters) -> bool:
    keyword, title = filters.get("keyword", ""), filters.get("title", "")
    return (
        all(word in _resource_text(row) for word in fold_case(keyword).split())
        and all(word in fold_case(row["title"]) for word in fold_case(title).split())
        and ("exact_title" not in filters or fold_case(row["title"]) == fold_case(filters["exact_title"]))
        and fold_case(filters.get("objectnumber", "")) in fold_case(row.get("objectnumber", ""))
    )


def _has_marks(row: Resource, filters: Filters) -> bool:
    """Filters that compare one plain value."""
    pairs = (("type", "type"), ("status", "status"), ("level", "level"), ("parent", "parent"), ("yearmade", "yearmade"),
             ("image", "image_id"), ("object", "id" if row["res_type"] == "object" else "object_id"))  # fmt: skip
    loose: Record = filters
    return (
        all(key not in filters or fold_case(row.get(field)) == fold_case(loose[key]) for key, field in pairs)
        and (
            "floor" not in filters
            or str(row.get("floor")) in [part.strip() for part in filters["floor"].split("|")]
        )
        and ("id" not in filters or str(row["id"]) in [part.strip() for part in filters["id"].split("|")])
        and ("hasimage" not in filters or bool(row.get("image_url")) == bool(filters["hasimage"]))
    )


def _fits_dates(row: Resource, filters: Filters) -> bool:
    before = parse_date(filters["before"], "before").isoformat() if "before" in filters else "9999"
    after = parse_date(filters["after"], "after").isoformat() if "after" in filters else ""
    return row.get("begindate", "") < before and row.get("enddate", "9999") > after


def _names_used_by(world: World, kind: str, usedby: str) -> set[str]:
    """Names of resources of a type that an object uses."""
    number = usedby.rpartition(":")[2].strip()
    found = [row for row in resources(world.seed)["object"] if str(row["id"]) == number]
    if not found:
        raise not_found(
            "object", usedby[:40], known=[f"object:{row['id']}" for row in resources(world.seed)["object"]]
        )
    return set(_folded_values(found[0], kind))


def _matching_resources(world: World, res_type: str, filters: Filters) -> list[Resource]:
    rows: list[Resource] = list(resources(world.seed)[res_type])
    query = filters.get("q", "")
    field, colon, value = query.partition(":")
    if colon and field in Resource.__annotations__:
        rows = [
            row
            for row in rows
            if any(fold_case(value).strip('"* ') in text for text in _folded_values(row, field))
        ]
    elif words(query):
        index = Index([{**row, "text": _resource_text(row)} for row in rows], ("title", "text"))
        rows = [{k: v for k, v in row.items() if k != "text"} for row in index.search(query)]  # type: ignore[misc]
    if "usedby" in filters:
        names = _names_used_by(world, res_type, filters["usedby"])
        rows = [row for row in rows if fold_case(row["title"]) in names]
    loose: Record = filters
    named = [(key, loose[key]) for key in (*_NAMED, "color") if key in filters]
    _check_filters(world, filters)
    return [
        row
        for row in rows
        if all(_has_named(world, row, key, text) for key, text in named)
        and _has_words(row, filters)
        and _has_marks(row, filters)
        and _fits_dates(row, filters)
    ]


def _sort_resources(rows: list[Resource], filters: Filters) -> list[Resource]:
    order = filters.get("sort", "")
    if order.startswith("random"):
        return sorted(rows, key=lambda row: seeds.unit(order, row["id"]))
    if not order:
        return rows
    if order not in Resource.__annotations__:
        raise invalid(
            "sort", order[:40], "sort by id, title, yearmade, objectcount or another field, or random"
        )
    loose: Sequence[Record] = rows
    values = {row["id"]: row[order] for row in loose if order in row}
    known = [row for row in rows if values.get(row["id"]) is not None]
    known.sort(key=lambda row: values[row["id"]], reverse=filters.get("sortorder") == "desc")
    return known + [row for row in rows if values.get(row["id"]) is None]


def _count_values(rows: list[Resource], text: str) -> dict[str, dict[str, int]]:
    try:
        wanted = {str(name): str(rule["terms"]["field"]) for name, rule in json.loads(text).items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise invalid("agg", text[:80], 'want {"NAME": {"terms": {"field": "culture"}}}') from None
    counts = {
        name: Counter(v for row in rows for v in field_values(row, field))
        for name, field in list(wanted.items())[:5]
    }
    return {
        name: dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:20])
        for name, found in counts.items()
    }


@GROUP.tool(
    examples=[
        {"res_type": "object", "title": "Self-Portrait Dedicated to Paul Gauguin"},
        {"res_type": "publication", "exact_title": "Art History: A Comprehensive Guide"},
        {"res_type": "exhibition", "status": "past", "size": 3},
        {
            "res_type": "object",
            "culture": "French|Dutch",
            "classification": "Paintings",
            "sort": "yearmade",
            "size": 3,
        },
    ],
    phrase=(
        "search the Harvard Art Museums for records whose resource type is {res_type}[, matching {q} as "
        "search words][, with {title} in the title][, with exactly {exact_title} as the title][, whose "
        "culture is {culture}][, whose classification is {classification}][, whose century is {century}][, "
        "by or about {person} as a person][, with {status} as the exhibition status][, sorted by {sort}][, "
        "with {size} records per page][, showing page {page}]"
    ),
    noun="the museum search results",
    jobs=("record of a museum",),
)
def search_resource(world: World, *, res_type: TypeName, **filters: Unpack[Filters]) -> Found:
    """Resources of one type that satisfy all filters, a page at a time.

    res_type: Type of resource.
    """
    found = _sort_resources(_matching_resources(world, res_type, filters), filters)
    size, number = filters.get("size", 10), filters.get("page", 1)
    shown = found[size * (number - 1) : size * number]
    if "fields" in filters:
        kept = {"res_type", "id", *filters["fields"]}
        shown = [{key: value for key, value in row.items() if key in kept} for row in shown]  # type: ignore[misc]
    counts = _count_values(found, filters["agg"]) if "agg" in filters else {}
    return {"total": len(found), "page": number, "records": shown, "aggregations": counts}


def _find_resource(world: World, res_type: str, number: int) -> Resource:
    rows = resources(world.seed)[res_type]
    row = next((row for row in rows if row["id"] == number), None)
    if row is None:
        raise not_found(f"{res_type} with id", number, known=[row["id"] for row in rows])
    return row


def _similar_resources(row: Resource, rows: Sequence[Resource]) -> list[Resource]:
    """The other resources, those first that share most with one."""

    def shared(one: Resource) -> int:
        common = sum(bool(set(field_values(row, field)) & set(field_values(one, field))) for field in _SHARED)
        return common + len(set(words(row["title"])) & set(words(one["title"])))

    return sorted((one for one in rows if one["id"] != row["id"]), key=lambda one: -shared(one))


class Details(TypedDict):
    record: Resource
    kind: ResourceKind
    related: list[ResourceId]
    url: Url


@GROUP.tool(
    examples=[{"res_type": "object", "id": 299843}, {"res_type": "exhibition", "id": 6001}],
    phrase=(
        "show the full Harvard Art Museums record whose resource type is {res_type}[ and whose id is {id}]"
    ),
    noun="the full museum record",
    jobs=("record of a museum",),
)
def get_resource_by_id(
    world: World, *, res_type: TypeName, id_: Annotated[ResourceId, Within("res_type")] | None = None
) -> Details:
    """One resource of the collection: its fields, its page and others of its type.

    res_type: Type of resource.
    id: Its id; without one, the first resource of the type is shown.
    """
    rows = resources(world.seed)[res_type]
    row = rows[0] if id_ is None else _find_resource(world, res_type, id_)
    return {
        "record": row,
        "kind": res_type,
        "related": [other["id"] for other in _similar_resources(row, rows)[:5]],
        "url": f"https://art.example/{res_type}/{row['id']}",
    }


@GROUP.tool(
    examples=[{"res_type": "object", "id": 299843}],
    phrase=(
        "get the IIIF presentation manifest for the Harvard Art Museums record whose resource type is "
        "{res_type} and whose id is {id}"
    ),
    noun="the IIIF manifest",
    jobs=("record of a museum",),
)
def get_resource_in_iiif(
    world: World, *, res_type: TypeName, id_: Annotated[ResourceId, Within("res_type")]
) -> Manifest:
    """A resource of the collection as a IIIF presentation manifest: label, metadata and the images to show.

    res_type: Type of resource.
    id: Its id.
    """
    row = _find_resource(world, res_type, id_)
    skipped = ("res_type", "id", "title", "image_url")
    return {
        "manifest_id": f"https://art.example/iiif/manifests/{res_type}/{row['id']}",
        "label": row["title"],
        "metadata": [
            {"label": key, "value": ", ".join(map(str, value)) if isinstance(value, list) else str(value)}
            for key, value in row.items()
            if key not in skipped and value not in ("", [])
        ],
        "attribution": "Harvard Art Museums",
        "canvases": [row.get("image_url") or f"https://art.example/iiif/canvas/{row['id']}"],
    }
