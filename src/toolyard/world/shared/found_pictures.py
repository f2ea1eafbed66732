"""Pictures of any known subject in a public collection; they are invented, and their captions say what they show."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote

from toolyard.world import seeds
from toolyard.world.shared.entries import mentioned, named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.page_query import WebPage, page_of
from toolyard.world.shared.subjects import is_model, spelled, subject_of
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
_PLACES = SIGHTS | {"city", "country", "place", "river", "island", "building", "town", "park", "castle"}
WORKS = frozenset(
    ("work of art", *"painting film book album song series game play poem sculpture artwork work".split())
)
_THINGS = frozenset(("animals", "plants", "food", "technology", "geography", "transport", "space"))
# What photographs of a person, of a place, of a thing, of a work and of anything else show.
_PHOTOS = {
    "person": ("portrait", "at a public event", "half-length portrait", "in black and white", "giving a speech",
               "press photograph", "in profile", "close-up of the face"),
    "of old": ("portrait", "engraving", "statue", "on a stamp", "title page of a book", "painting", "bust", "drawing"),
    "dead": ("portrait", "archive photograph", "in black and white", "press photograph", "in profile", "on a stamp"),
    "athlete": ("in action", "portrait", "celebrating", "training", "with fans", "press photograph", "at an award ceremony",
                "before the start"),
    "singer": ("on stage", "portrait", "singing", "at an award ceremony", "with fans", "press photograph",
               "in black and white", "on the red carpet"),
    "food": ("on a plate", "close-up", "from above", "on a wooden table", "in a restaurant", "being prepared",
             "ready to serve"),
    "animal": ("portrait", "close-up", "sleeping", "at play", "looking into the camera", "on grass", "seen from the side",
               "two together"),
    "place": ("at sunset", "in the morning", "from the air", "at night", "in winter", "with visitors", "after rain",
              "panorama", "seen from a distance", "detail"),
    "thing": ("close-up", "from above", "on a white ground", "in daylight", "detail", "seen from the side"),
    "work": ("reproduction", "detail", "poster", "postcard", "in an exhibition", "print in a frame", "in a book",
             "visitors in front of it", "in a shop window", "on a stamp"),
    "sky": ("telescope picture", "artist's view", "labelled diagram", "in false colour", "wide view", "detail",
            "composite picture", "poster", "model in a museum", "star chart"),
    "weather": ("wide view", "over open country", "over the sea", "over a city", "seen from a window",
                "seen from a distance", "press photograph", "panorama"),
    "feast": ("decorations", "family at the table", "lights in a street", "greeting card", "children in costume",
              "market stall", "shop window", "procession", "in a village", "old postcard"),
    "sport": ("in the stadium", "fans in the stands", "trophy", "team picture", "before the start", "victory ceremony",
              "training", "close-up", "view from the stands", "press photograph"),
    "brand": ("logo on a building", "app on a phone", "screen", "headquarters", "poster", "stand at a fair", "on a laptop",
              "advertisement", "press photograph", "office"),
    "drawn": ("in colour", "in black and white", "large version", "on a white ground", "small version", "printed"),
    "idea": ("illustration", "symbolic picture", "poster", "collage", "book cover", "press photograph"),
}  # fmt: skip
_OTHERS: dict[ImageType, tuple[str, ...]] = {
    "clipart": ("flat icon", "colourful icon", "cartoon", "sticker", "poster style", "outline in two colours",
                "round badge"),
    "linedrawing": ("pencil sketch", "ink drawing", "colouring page", "single-line drawing", "charcoal sketch",
                    "quick sketch", "hatched drawing"),
    "gif": ("short loop", "slow zoom", "animated drawing", "panning view", "flip-book", "animated sticker"),
    "transparent": ("cut-out", "cut-out with shadow", "silhouette", "cut-out from the side", "small cut-out",
                    "large cut-out", "outline only"),
}  # fmt: skip
# What clip art of a person shows.
_LIKENESSES = ("cartoon portrait", "caricature", "portrait as a sticker", "round portrait", "portrait in two colours",
               "poster portrait", "comic style")  # fmt: skip
# What moving pictures of living beings show.
_MOVING = ("walking", "turning the head", "short loop", "animated drawing", "slow zoom", "animated sticker")
_MUSICIANS = ("singer", "rapper", "musician")
_SPORTS = re.compile(r"player|sprinter|boxer|driver|swimmer|gymnast|athlete|cyclist|golfer|skier")
_PHOTOGRAPHED = "1840"
_PEOPLE = ("person", "of old", "dead", "athlete", "singer")
# Subjects that photographs show in another way than their entries tell, and works that are meant before the thing.
_SHOWN_AS = {
    **dict.fromkeys(
        ("aurora borealis", "northern lights", "aurora", "rainbow", "lightning", "thunder", "thunderstorm", "tornado",
         "storm", "hurricane", "typhoon", "rain", "snow", "hail", "fog", "cloud", "clouds", "sunset", "sunrise", "eclipse",
         "solar eclipse", "lunar eclipse", "meteor shower"), "weather"),
    **dict.fromkeys(
        ("solar system", "galaxy", "comet", "asteroid", "nebula", "planet", "planets", "universe", "constellation",
         "supernova", "black hole", "big bang"), "sky"),
    **dict.fromkeys(
        ("volcano", "mountain", "mountains", "beach", "ocean", "waterfall", "desert", "forest", "glacier", "canyon", "lake",
         "river", "island", "jungle", "rainforest", "valley", "city skyline", "skyline", "fjord", "geyser"), "place"),
    **dict.fromkeys(("umbrella", "robot", "chess", "ferrari", "diamond", "diamonds", "mirror", "heart"), "thing"),
    **dict.fromkeys(("earthquake", "tsunami", "flood"), "idea"),
}  # fmt: skip
_WORKS_FIRST = frozenset(("parasite", "dune", "moonlight", "gravity", "jaws"))
_NATURE = frozenset(("animals", "plants", "food", "geography", "physics", "chemistry", "space"))
_DRAWN = re.compile(r"\b(?:maps?|flags?|diagrams?|charts?|logos?|infographics?|timeline)\b")
# Where a query says the hour, the season or the view itself, captions say nothing of these.
_SAID = re.compile(
    r"\b(?:night|sunset|sunrise|dawn|dusk|morning|evening|winter|summer|spring|autumn|fall|snow|rain|fog|daylight|above|"
    r"below|air|aerial|close up|black and white|distance|panorama)\b"
)
_UNSAID = ("wide view", "detail", "with visitors", "upright picture", "square picture", "long exposure", "wide-angle view",
           "seen from the side", "postcard view", "framed by trees")  # fmt: skip
_ENDINGS = {"photo": "jpg", "gif": "gif"}
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
_MARKETS = ("US", "US", "US", "GB", "FR", "DE", "JP", "IN", "BR", "CA", "ES", "IT")
# How many days old pictures are at most, in turn.
_AGES = (2, 7, 30, 365, 900)
_HOSTS = ("pictures", "photo-archive", "snapshots", "image-library", "picture-desk")
_ADDRESS = re.compile(rf"https?://(?:{'|'.join(_HOSTS)})\.example/([^/?#]{{1,200}})/([a-z]+)-(\d{{1,2}})/?")


_ASKING = re.compile(r"\b(?:images?|pictures?|photos?|photographs?|clip ?art)\b(?: of)?|[\"']")


class Picture(NamedTuple):
    """A picture: what it shows, its type, where it lies, the page that shows it, and when it was added."""

    caption: str
    type: ImageType
    file: str
    page: str
    day: date
    market: str
    width: int
    height: int


_GROUPS = {
    "holiday": "feast", "day": "feast", "sports event": "sport", "sports league": "sport", "sport": "sport",
    "social network": "brand", "messaging app": "brand", "video platform": "brand", "company": "brand",
    "organisation": "brand", "series of novels": "work", "film series": "work", "media franchise": "work",
    "video game": "work", "band": "singer", "television series": "work", "organism": "thing", "toy": "thing", "ship": "work",
}  # fmt: skip


def pictured(query: str) -> str | None:
    """What the pictures for a query show; None where nobody knows it."""
    text = " ".join(_ASKING.sub("", plain(query)).replace("-", " ").split())
    return subject_of(text) or (text[:80].strip() if mentioned(text) else None)


def work_or_kind(subject: str, entry: Entry) -> str:
    """The kind of what a subject means: a work that is called like a common noun before the noun."""
    if subject in _SHOWN_AS or (entry["field"] in _NATURE and subject not in _WORKS_FIRST):
        plainest = next((one for one in named(subject) if one["kind"] not in WORKS), entry)
        return plainest["kind"]
    group = named(subject)[:4] if "P279" in entry["properties"] or entry["qid"].startswith("X") else ()
    return next((one["kind"] for one in group if one["kind"] in WORKS), entry["kind"])


def _of_person(entry: Entry) -> str:
    """How photographs show a person: one long dead was never photographed, a player plays, a singer sings."""
    died = next(iter(entry["properties"].get("P570", ())), "")
    jobs = " ".join(entry["properties"].get("P106", ()))
    if died:
        return "dead" if died >= _PHOTOGRAPHED else "of old"
    if _SPORTS.search(jobs):
        return "athlete"
    return "singer" if any(job in jobs for job in _MUSICIANS) else "person"


def _shows(subject: str) -> str:
    meant = sorted(
        mentioned(subject), key=lambda one: one["kind"] not in WORKS
    )  # the picture before its painter
    entry = next(iter((*named(subject), *meant)), None)
    if subject in _SHOWN_AS:
        return _SHOWN_AS[subject]
    if is_model(subject) and not named(subject):
        return "thing"
    if entry is None or subject.startswith("how "):
        return "idea"
    if _DRAWN.search(subject) and not named(subject):
        return "drawn"
    kind = work_or_kind(subject, entry)
    if kind == "person":
        return _of_person(entry) if named(subject) else "idea"
    return "place" if kind in _PLACES else _GROUPS.get(kind) or _by_field(kind, entry)


def _by_field(kind: str, entry: Entry) -> str:
    """How photographs show a thing of no kind of its own, by the field that it belongs to."""
    field = entry["field"]
    if field == "animals" and "P279" in entry["properties"]:
        return "animal"
    shown = {"food": "food", "space": "sky"}.get(field)
    return shown or ("work" if kind in WORKS else "thing" if field in _THINGS else "idea")


def _forms(subject: str, kind: ImageType) -> tuple[str, ...]:
    """How the pictures of one type show a subject."""
    shows = _shows(subject)
    if kind == "gif" and shows == "animal":
        return _MOVING
    if kind != "photo":
        return _LIKENESSES if kind == "clipart" and shows in _PEOPLE else _OTHERS[kind]
    return (
        _UNSAID
        if shows in ("place", "thing") and _SAID.search(subject) and " " in subject
        else _PHOTOS[shows]
    )


def pictures(subject: str, query: str = "") -> list[Picture]:
    """Some pictures of every type, the photographs first; the query tells how the name of a model is written."""
    told = _as_written(subject, query) or spelled(subject)
    shown, slug = told[0].upper() + told[1:], quote(subject.replace(" ", "-"), safe="")
    found = []
    for kind in _TYPES:
        forms = _forms(subject, kind)
        for number, form in enumerate(forms):
            host = seeds.pick(_HOSTS, "host", slug, kind, number)
            page = f"https://{host}.example/{slug}/{kind}-{number + 1}"
            day = EPOCH.date() - timedelta(days=seeds.number("added", page) % _AGES[number % len(_AGES)])
            file = f"https://images.example/{seeds.token(16, 'image', page)}.{_ENDINGS.get(kind, 'png')}"
            market, size = seeds.pick(_MARKETS, "market", page), seeds.pick(_SIZES, "size", page)
            found.append(Picture(f"{shown}, {form}", kind, file, page, day, market, *size))
    return found


def _as_written(subject: str, query: str) -> str | None:
    """A maker's name and what follows it as a query writes them with capitals, as in Toyota Corolla; None for all else."""
    at = plain(query).find(subject) if query.isascii() else -1
    written = query.strip()[at : at + len(subject)] if at >= 0 else ""
    if (
        " " not in written
        or named(subject)
        or not all(word[0].isupper() or word[0].isdigit() for word in written.split())
    ):
        return None
    makers = (
        name
        for one in mentioned(subject)
        if one["kind"] == "company"
        for name in (one["title"], *one["aliases"])
    )
    return written if any(subject.startswith(f"{plain(name.split()[0])} ") for name in makers) else None


def picture_page(url: str) -> WebPage | None:
    """The page of a picture at an address; None where there is none."""
    match = _ADDRESS.fullmatch(url.strip())
    subject = pictured(unquote(match[1]).replace("-", " ")) if match else None
    if match is None or subject is None:
        return None
    wanted = url.strip().rstrip("/")
    found = next((one for one in pictures(subject) if one.page == wanted), None)
    if found is None:
        return None
    text = f"{found.caption}. A picture of a public collection, added on {found.day.isoformat()}. File: {found.file}"
    return page_of(found.page, found.caption, text, "picture", found.day.isoformat())
