"""The art collection: objects and everything that describes them, as resources of 23 types with ids of their own.

{"res_type": "object", "id": 299843, "title": "Self-Portrait Dedicated to Paul Gauguin", "person": ["Vincent van Gogh"],
 "dated": "1888", "century": "19th century", "culture": "Dutch", "medium": "Oil", "support": "Canvas", ...}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.shared.entries import named
from toolyard.world.tables import plain, read_table
from toolyard.world.types import IsoDate, PersonName, Semantic, Topic, Url
from toolyard.world.worlds.art.shows import (
    ARTISTS,
    BOOKS_TOLD,
    EASTERN_SUBJECTS,
    FURTHER_ARTISTS,
    RECORDED_AS,
    SHOWN,
    SHOWS_TOLD,
    SUBJECTS,
    UNTIL,
    WORKS_OF_BOOKS,
    WORKS_OF_SHOWS,
    WRITTEN_ON,
    by_whom,
    fitting,
)

ResourceType = Literal["object", "person", "exhibition", "publication", "gallery", "spectrum", "classification", "century",
                       "color", "culture", "group", "medium", "support", "period", "place", "technique", "worktype",
                       "activity", "site", "video", "image", "audio", "annotation"]  # fmt: skip
ResourceKind = Annotated[str, Semantic("art_resource_type")]
ResourceId = Annotated[int, Semantic("art_resource_id")]
_VALUES: Mapping[str, tuple[str, ...]] = {
    "classification": ("Paintings", "Prints", "Drawings", "Sculpture", "Photographs", "Vessels", "Coins", "Textile Arts"),
    "century": ("7th century", "13th century", "14th century", "15th century", "16th century", "17th century",
                "18th century", "19th century", "20th century"),
    "color": ("Black", "White", "Grey", "Red", "Blue", "Green", "Yellow", "Brown", "Orange"),
    "culture": ("American", "British", "Chinese", "Dutch", "French", "German", "Japanese", "Russian", "Spanish", "Swiss",
                "Austrian", "Hungarian", "Italian", "Norwegian"),
    "group": ("Collection Highlights", "Recent Acquisitions", "Teaching Collection"),
    "medium": ("Oil", "Ink", "Watercolor", "Graphite", "Bronze", "Marble", "Silk", "Silver", "Pastel", "Metal",
               "Tempera", "Wood", "Clay", "Gelatin silver"),
    "support": ("Canvas", "Paper", "Panel", "Copper"),
    "period": ("Renaissance", "Baroque", "Edo period", "Ming dynasty", "Impressionism", "Modern", "Romanticism",
               "Post-Impressionism", "Realism", "Neoclassicism", "Aestheticism", "Pre-Raphaelite",
               "Tang dynasty", "Kamakura period", "Gothic"),
    "place": ("Paris", "Amsterdam", "Edo", "London", "Madrid", "New York", "Nuremberg", "Beijing", "Arles",
              "Bern", "Munich", "Dunhuang", "Florence", "Rome", "Siena", "New Orleans"),
    "technique": ("Etching", "Woodcut", "Lithograph", "Casting", "Carving", "Engraving", "Drypoint", "Modeling"),
    "worktype": ("painting", "print", "drawing", "sculpture", "photograph", "vessel", "coin", "textile"),
    "site": ("Sardis", "Giza", "Nuzi"),
}  # fmt: skip
# Number, title, artist, year, museum number, where it was made and the colours that prevail.
_KNOWN = (
    (
        299843,
        "Self-Portrait Dedicated to Paul Gauguin",
        "Vincent van Gogh",
        1888,
        "1951.65",
        "Arles",
        ("Green", "Brown"),
    ),
    (
        228649,
        "The Gare Saint-Lazare: Arrival of a Train",
        "Claude Monet",
        1877,
        "1951.53",
        "Paris",
        ("Grey", "Blue"),
    ),
    (299844, "Three Pairs of Shoes", "Vincent van Gogh", 1886, "1951.66", "Paris", ("Brown", "Yellow")),
    (303437, "Mother and Child", "Pablo Picasso", 1901, "1951.57", "Paris", ("Blue", "Green")),
)
_SHOWS = ("Light and Water", "Artists Look at Themselves", "The Printed World", "East and West", "Bronze and Stone",
          "Paris 1880", "Drawing from Life", "Colour and Form")  # fmt: skip
_BOOKS = ("Art History: A Comprehensive Guide", "Masterpieces of the Collection", "Dutch Painting in Focus",
          "Prints of the Edo Period", "Impressionist Letters", "A Handbook of Drawing")  # fmt: skip
_TECHNIQUES = {
    "Prints": ("Etching", "Woodcut", "Lithograph", "Engraving"), "Sculpture": ("Casting", "Carving"),
}  # fmt: skip


_ACTIONS = ("edits", "pageviews", "uniquepageviews", "moves", "conservation", "studycenterviews")


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


def _objects(seed: int) -> Iterator[Resource]:
    artists = [line.split("|") for line in ARTISTS.splitlines()]
    by_name = {row[0]: row for row in artists}
    for number, title, name, year, code, place, colours in _KNOWN:
        row = _object(seed, number, title, by_name[name], year, code, "Paintings", "Oil", "Canvas")
        yield {**row, "place": place, "color": list(colours)}
    for number in range(180):
        chance = seeds.stream(seed, "art", number)
        artist = artists[number % len(artists)]
        latest = min(int(artist[3]), UNTIL.get(artist[4], 9999))
        year = chance.randrange(int(artist[2]) + 20, latest + 1)
        kind = (
            "Sculpture"
            if artist[0] == "Auguste Rodin"
            else chance.choice(("Paintings", "Prints", "Drawings"))
        )
        eastern = artist[1] in ("Japanese", "Chinese")
        medium = {"Sculpture": "Bronze", "Prints": "Ink", "Drawings": "Graphite"}.get(kind, "Oil")
        support = {"Paintings": "Canvas", "Sculpture": ""}.get(kind, "Paper")
        medium, support = ("Ink", "Paper") if eastern else (medium, support)
        code = f"{1900 + number % 90}.{number + 1}"
        title = chance.choice(EASTERN_SUBJECTS if eastern else SUBJECTS)
        # Nobody is said to have made what he or she did not; woodcuts and scrolls are known by their school.
        maker = f"School of {artist[0]}" if eastern else "Unidentified Artist"
        yield _object(seed, 300000 + number, title, [maker, *artist[1:]], year, code, kind, medium, support)
    yield from _further_works(seed)


def _further_works(seed: int) -> Iterator[Resource]:
    """Further works that exist, with what is known of them."""
    for number, row in enumerate(read_table("museum_works.tsv"), start=304_001):
        artist = [row["artist"], row["culture"], "", "", row["period"]]
        found = _object(
            seed, number, row["title"], artist, int(row["year"]), row["number"] or f"M{number}",
            row["kind"], row["medium"], row["support"],
        )  # fmt: skip
        if not row["place"]:
            found.pop("place")
        known: Resource = {**found, "color": row["colors"].split(";")}
        yield {**known, "place": row["place"]} if row["place"] else known


def _object(
    seed: int, number: int, title: str, artist: list[str], year: int, code: str, kind: str, medium: str, support: str
) -> Resource:  # fmt: skip
    chance = seeds.stream(seed, "object", number)
    position = _VALUES["classification"].index(kind)
    return {
        "res_type": "object",
        "id": number,
        "title": title,
        "person": [artist[0]],
        "dated": str(year),
        "yearmade": year,
        "century": f"{(year - 1) // 100 + 1}th century",
        "classification": kind,
        "worktype": _VALUES["worktype"][position],
        "culture": artist[1],
        "medium": medium,
        **({"support": support} if support else {}),
        **_made(artist, kind, medium, title, year, chance),
        "period": artist[4],
        "place": _HOMES.get(artist[1], chance.choice(_VALUES["place"])),
        "color": chance.sample(_VALUES["color"], 2),
        "objectnumber": code,
        "gallery": str(1100 + 100 * (number % 3) + number % 8),
        "exhibition": fitting(WORKS_OF_SHOWS, number, artist, kind, title, year) if number % 3 else [],
        "publication": fitting(WORKS_OF_BOOKS, number, artist, kind, title, year) if number % 2 else [],
        "image_url": f"https://art.example/images/{number}.jpg" if chance.random() < 0.85 or number < 300000 else None,
        "description": f"{title}, {medium.lower()}{f' on {support.lower()}' if support else ''}, "
        f"by {by_whom(artist[0])}, {year}.",
    }  # fmt: skip


_PRINTED = {"The Three Crosses": "Drypoint", "Melencolia I": "Engraving", "Knight, Death and the Devil": "Engraving",
            "The Sleep of Reason Produces Monsters": "Etching", "In the Omnibus": "Etching",
            "Two Human Beings (The Lonely Ones)": "Woodcut"}  # fmt: skip
_LITHOGRAPHS = 1798  # when they were invented


# How sculptures of a medium are made; constructions of metal are neither cast nor carved.
_SHAPED = {"Bronze": "Casting", "Wood": "Carving", "Marble": "Carving", "Clay": "Modeling"}


def _made(artist: list[str], kind: str, medium: str, title: str, year: int, chance: Random) -> Resource:
    """How a print or a sculpture was made; Japan and China cut their prints in wood."""
    if kind not in _TECHNIQUES:
        return {}
    drawn = chance.choice(_TECHNIQUES[kind])
    drawn = "Etching" if drawn == "Lithograph" and year < _LITHOGRAPHS else drawn
    own = _PRINTED.get(title) or ("Woodcut" if artist[1] in ("Japanese", "Chinese") else drawn)
    technique = _SHAPED.get(medium, "") if kind == "Sculpture" else own
    return {"technique": technique} if technique else {}


# Where the works of a culture were made, among the places of the catalogue.
_HOMES = {
    "French": "Paris", "Dutch": "Amsterdam", "Japanese": "Edo", "British": "London", "English": "London",
    "Spanish": "Madrid", "American": "New York", "German": "Nuremberg", "Chinese": "Beijing",
    "Swiss": "Bern", "Russian": "Munich",
}  # fmt: skip


def print_after(seed: int, title: str) -> Resource | None:
    """A print after a well-known work of art that another house keeps; None where there is no such work."""
    entry = next((one for one in named(title) if one["kind"] == "work of art"), None)
    artist = (entry["properties"].get("P170") or ["Unknown"])[0] if entry else ""
    if entry is None:
        return None
    maker = next((one for one in named(artist) if one["kind"] == "person"), None)
    home = (maker["properties"].get("P27") or ["Unknown"])[0] if maker else "Unknown"
    shown = f"{entry['title']} (print after {artist})" if artist != "Unknown" else f"{entry['title']} (print)"

    def built(chance: Random) -> Resource:
        number, year = 400_000 + seeds.number("print", plain(title)) % 90_000, chance.randrange(1850, 1930)
        maker = [artist, home, "", "", "Modern"]
        return _object(seed, number, shown, maker, year, f"G{number % 9000}", "Prints", "Ink", "Paper")

    return derived(seed, "museum print", title, built)


_ARTIST_WORDS = frozenset(
    "painter sculptor artist printmaker engraver draughtsman photographer illustrator architect potter".split()
)
_CULTURES = {
    "Netherlands": "Dutch", "France": "French", "Italy": "Italian", "Spain": "Spanish", "Germany": "German",
    "United Kingdom": "British", "England": "British", "United States": "American", "Russia": "Russian", "Japan": "Japanese",
    "China": "Chinese", "Switzerland": "Swiss", "Austria": "Austrian", "Belgium": "Belgian", "Mexico": "Mexican",
    "Norway": "Norwegian", "Czech Republic": "Czech", "Denmark": "Danish", "Sweden": "Swedish",
}  # fmt: skip


def artist_named(text: str) -> Resource | None:
    """The record of an artist of whom the museum owns nothing; None where nobody of this name is one."""
    for entry in named(text):
        known = entry["properties"]
        jobs = " ".join(known.get("P106", ())).lower()
        if entry["kind"] == "person" and _ARTIST_WORDS & set(re.findall(r"[a-z]+", jobs)):
            row: Resource = {
                "res_type": "person", "id": 29_000 + seeds.number("artist", entry["title"]) % 60_000,
                "title": entry["title"], "objectcount": 0,
            }  # fmt: skip
            home = next(iter(known.get("P27", ())), "")
            years = {"birth_year": known.get("P569"), "death_year": known.get("P570")}
            row |= {"culture": _CULTURES.get(home, home)} if home else {}
            row |= {key: int(text[0][:4]) for key, text in years.items() if text and text[0][:4].isdigit()}  # type: ignore[typeddict-item]
            return row
    return None


def _people(objects: list[Resource]) -> Iterator[Resource]:
    for number, line in enumerate((*ARTISTS.splitlines(), *FURTHER_ARTISTS.splitlines())):
        name, culture, born, died = line.split("|")[:4]
        yield {"res_type": "person", "id": 28000 + number, "title": name, "culture": culture,
               "birth_year": int(born), "death_year": int(died),
               "objectcount": sum(name in row.get("person", ()) for row in objects)}  # fmt: skip


# What the museum files a place or a medium under, and its colours as screens show them.
_WITHIN = {
    "Paris": "France", "Arles": "France", "Amsterdam": "Netherlands", "Edo": "Japan", "London": "England",
    "Madrid": "Spain", "New York": "United States", "Nuremberg": "Germany", "Munich": "Germany", "Beijing": "China",
    "Bern": "Switzerland", "Dunhuang": "China", "Florence": "Italy", "Rome": "Italy", "Siena": "Italy",
    "New Orleans": "United States", "Sardis": "Turkey", "Giza": "Egypt", "Nuzi": "Iraq", "Graphite": "Drawing materials",
    "Bronze": "Metal", "Silver": "Metal", "Marble": "Stone", "Silk": "Textile",
}  # fmt: skip
_HEX = {
    "Black": "#000000", "White": "#ffffff", "Grey": "#808080", "Red": "#c80000", "Blue": "#1e50b4", "Green": "#328c32",
    "Yellow": "#fafa00", "Brown": "#96502d", "Orange": "#ff8c00",
}  # fmt: skip


def _vocabulary(objects: list[Resource]) -> Iterator[Resource]:
    for place, (kind, names) in enumerate(_VALUES.items()):
        for number, name in enumerate(names):
            uses = [row.get(kind) for row in objects]
            row: Resource = {
                "res_type": kind,
                "id": 10000 * (place + 40) + number,
                "title": name,
                "objectcount": sum(
                    name == used or (isinstance(used, list) and name in used) for used in uses
                ),
            }
            if kind in ("group", "site"):  # of which no object says that it belongs to one
                del row["objectcount"]
            if kind in ("group", "medium", "place", "site"):
                parent = _WITHIN.get(name, "")
                row["level"], row["parent"] = (1 if parent else 0), parent
            if kind == "color":
                row["hex"] = _HEX[name]
            yield row


def _occasions(chance: Random) -> Iterator[Resource]:
    for number, title in enumerate(_SHOWS):
        year = 2024 if number == len(_SHOWS) - 1 else 2019 + number % 6
        status = "past" if year < 2024 else "current" if number == 5 else "upcoming"
        start, end = (
            ("2024-03-01", "2024-08-31") if status == "current" else (f"{year}-09-10", f"{year}-12-20")
        )
        yield {"res_type": "exhibition", "id": 6000 + number, "title": title, "venue": chance.choice(("HAM", "City Museum")),
               "status": status, "begindate": start, "enddate": end, "person": [SHOWN[number]],
               "image_url": f"https://art.example/images/show{number}.jpg",
               "description": SHOWS_TOLD[number]}  # fmt: skip
    for number, title in enumerate(_BOOKS):
        yield {"res_type": "publication", "id": 7000 + number, "title": title, "yearmade": 1990 + number * 5,
               "person": [WRITTEN_ON[number]], "image_url": None,
               "description": BOOKS_TOLD[number]}  # fmt: skip
    for floor in range(1, 4):
        for room in range(8):
            yield {"res_type": "gallery", "id": 1000 + 100 * floor + room, "title": f"Gallery {1000 + 100 * floor + room}",
                   "gallery": str(1000 + 100 * floor + room), "floor": floor}  # fmt: skip


_RECORDED = {"spectrum": "XRF spectrum", "video": "Video", "audio": "Audio guide"}


def _traces(objects: list[Resource]) -> Iterator[Resource]:
    for number, row in enumerate(objects[:60]):
        title = row["title"]
        yield {
            "res_type": "activity",
            "id": 800000 + number,
            "title": f"Activity of {title}",
            "type": _ACTIONS[number % 6],
            "objectcount": 10 + number * 3 % 47,
            "begindate": f"2024-0{1 + number % 5}-10",
            "object_id": row["id"],
        }
        yield {
            "res_type": "image",
            "id": 810000 + number,
            "title": title,
            "image_url": f"https://art.example/images/{row['id']}.jpg",
            "object_id": row["id"],
        }
        yield {"res_type": "annotation", "id": 820000 + number, "title": f"Detail of {title}", "image_id": 810000 + number,
               "description": f"{'A corner' if number % 2 else 'The middle'} of the image, enlarged."}  # fmt: skip
    for number, row in enumerate(objects[:12]):
        for place, kind in enumerate(("spectrum", "video", "audio")):
            yield {"res_type": kind, "id": 830000 + 10000 * place + number, "title": f"{_RECORDED[kind]} of {row['title']}",
                   "object_id": row["id"], "description": RECORDED_AS[kind]}  # fmt: skip


@seeds.table
def resources(seed: int) -> Mapping[str, tuple[Resource, ...]]:
    """All resources by type."""
    objects = list(_objects(seed))
    found: dict[str, list[Resource]] = {}
    for row in (
        *objects,
        *_people(objects),
        *_vocabulary(objects),
        *_occasions(seeds.stream(seed, "shows")),
        *_traces(objects),
    ):
        found.setdefault(row["res_type"], []).append(row)
    return {kind: tuple(rows) for kind, rows in found.items()}
