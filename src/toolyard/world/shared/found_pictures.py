"""Pictures of any known subject in public collections; they are invented, and are called like what they show."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote

from toolyard.world import seeds
from toolyard.world.shared.entries import mentioned, named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.page_query import WebPage, page_of
from toolyard.world.shared.subjects import spelled, subject_of
from toolyard.world.state import EPOCH
from toolyard.world.tables import plain

ImageType = Literal["photo", "clipart", "linedrawing", "gif", "transparent"]
_TYPES: tuple[ImageType, ...] = ("photo", "clipart", "linedrawing", "gif", "transparent")
# Kinds of entries that people travel to.
SIGHTS = frozenset(
    ("landmark", "mountain", "monument", "church", "museum", "tower", "bridge", "palace", "waterfall", "temple", "cathedral",
     "mosque", "statue", "skyscraper", "canyon", "volcano", "national park", "clock tower", "opera house", "mountain peak",
     "lake", "desert", "continent", "island group", "city of antiquity", "suspension bridge")
)  # fmt: skip
WORKS = frozenset(
    ("work of art", *"painting film book album song series game play poem sculpture artwork work".split())
)
# Nouns that are meant before a work of their name, and works that are meant before the thing.
_NO_WORKS = frozenset((
    "aurora borealis", "northern lights", "aurora", "rainbow", "lightning", "thunder", "thunderstorm", "tornado",
    "storm", "hurricane", "typhoon", "rain", "snow", "hail", "fog", "cloud", "clouds", "sunset", "sunrise", "eclipse",
    "solar eclipse", "lunar eclipse", "meteor shower", "solar system", "galaxy", "comet", "asteroid", "nebula", "planet",
    "planets", "universe", "constellation", "supernova", "black hole", "big bang", "volcano", "mountain", "mountains",
    "beach", "ocean", "waterfall", "desert", "forest", "glacier", "canyon", "lake", "river", "island", "jungle",
    "rainforest", "valley", "city skyline", "skyline", "fjord", "geyser", "umbrella", "robot", "chess", "ferrari",
    "diamond", "diamonds", "mirror", "heart", "earthquake", "tsunami", "flood",
))  # fmt: skip
_WORKS_FIRST = frozenset(("parasite", "dune", "moonlight", "gravity", "jaws"))
_NATURE = frozenset(("animals", "plants", "food", "geography", "physics", "chemistry", "space"))
_ENDINGS = {"photo": "jpg", "gif": "gif"}
# What titles call pictures that are no photographs.
_CALLED = {
    "photo": "",
    "clipart": " clip art",
    "linedrawing": " drawing",
    "gif": " GIF",
    "transparent": " PNG",
}
# Width and height of the pictures that are usual on the web.
_SIZES = (
    (1920, 1080),
    (1600, 1200),
    (1280, 720),
    (1200, 800),
    (1080, 1080),
    (800, 1200),
    (1024, 768),
    (2048, 1365),
)
# The collections, and how many days old their pictures are at most.
_HOSTS = {
    "pictures": ("Pictures", 1),
    "image-library": ("Image Library", 6),
    "picture-desk": ("Picture Desk", 28),
    "image-archive": ("Image Archive", 90),
    "picture-pool": ("Picture Pool", 200),
    "image-index": ("Image Index", 360),
}
_ADDRESS = re.compile(rf"https?://({'|'.join(_HOSTS)})\.example/([^/?#]{{1,200}})/([a-z]+)/?")
_ASKING = re.compile(r"\b(?:images?|pictures?|photos?|photographs?|clip ?art)\b(?: of)?|[\"']", re.I)
_IN_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_ALL_DAYS, _OF_THIS_YEAR, _LATE_YEARS = 360, 30, 2


class Picture(NamedTuple):
    """A picture: what it shows, its type, where it lies, the page that shows it, when it was added, and its size."""

    caption: str
    type: ImageType
    file: str
    page: str
    day: date
    width: int
    height: int


def pictured(query: str) -> str | None:
    """What the pictures for a query show; None where nobody knows it."""
    text = " ".join(_ASKING.sub("", plain(query)).replace("-", " ").split())
    return subject_of(text) or (text[:80].strip() if mentioned(text) else None)


def work_or_kind(subject: str, entry: Entry) -> str:
    """The kind of what a subject means: a work that is called like a common noun before the noun."""
    if subject in _NO_WORKS or (entry["field"] in _NATURE and subject not in _WORKS_FIRST):
        plainest = next((one for one in named(subject) if one["kind"] not in WORKS), entry)
        return plainest["kind"]
    group = named(subject)[:4] if "P279" in entry["properties"] or entry["qid"].startswith("X") else ()
    return next((one["kind"] for one in group if one["kind"] in WORKS), entry["kind"])


def days_known(subject: str) -> int:
    """How many days ago something on a subject can have been made: nothing is older than a new film or device."""
    entry = next(iter(named(subject)), None)
    in_name = _IN_YEAR.search(subject)
    out = in_name[0] if in_name else next(iter(entry["properties"].get("P577", ())), "") if entry else ""
    year = int(out[:4]) if out[:4].isdigit() else 0
    if year >= EPOCH.year:
        return _OF_THIS_YEAR
    return (EPOCH.date() - date(EPOCH.year, 1, 1)).days if year > EPOCH.year - _LATE_YEARS else _ALL_DAYS


def as_written(subject: str, query: str) -> str:
    """A subject as a query writes it where that has capitals, else as sentences do; with a capital first."""
    text = " ".join(_ASKING.sub(" ", query).replace("-", " ").split())
    at = plain(text).find(subject) if text.isascii() else -1
    written = text[at : at + len(subject)] if at >= 0 else ""
    told = written if any(map(str.isupper, written)) and not written.isupper() else spelled(subject)
    title = next((entry["title"] for entry in named(subject)), "")
    told = title if plain(title) == f"the {subject}" else told
    return told if told[:2] in ("iP", "iM") else told[0].upper() + told[1:]


def pictures(subject: str, query: str = "") -> list[Picture]:
    """A picture of every type from each collection, the photographs first; the query tells how names are written."""
    shown, known = as_written(subject, query), days_known(subject)
    slug = quote(shown.replace(" ", "-"), safe="")
    found = []
    for kind in _TYPES:
        for host, (collection, oldest) in _HOSTS.items():
            key = (subject, kind, host)
            day = EPOCH.date() - timedelta(days=seeds.number("added", *key) % (1 + min(oldest, known)))
            file = f"https://images.example/{seeds.token(16, 'image', *key)}.{_ENDINGS.get(kind, 'png')}"
            page = f"https://{host}.example/{slug}/{kind}"
            size = seeds.pick(_SIZES, "size", *key)
            title = f"{shown.removesuffix(_CALLED[kind])}{_CALLED[kind]} - {collection}"
            found.append(Picture(title, kind, file, page, day, *size))
    return found


def picture_page(url: str) -> WebPage | None:
    """The page of a picture at an address; None where there is none."""
    match = _ADDRESS.fullmatch(url.strip())
    written = unquote(match[2]).replace("-", " ") if match else ""
    subject = pictured(written) if match else None
    if match is None or subject is None:
        return None
    wanted = url.strip().rstrip("/")
    found = next((one for one in pictures(subject, written) if one.page == wanted), None)
    if found is None:
        return None
    text = f"{found.caption}. A picture of a public collection, added on {found.day.isoformat()}. File: {found.file}"
    return page_of(found.page, found.caption, text, "picture", found.day.isoformat())
