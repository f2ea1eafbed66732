"""Videos about any known subject; they are invented, and their titles are such as such videos have."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from toolyard.world import seeds
from toolyard.world.shared.entries import mentioned, named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.found_pictures import SIGHTS, WORKS, work_or_kind
from toolyard.world.shared.subjects import in_a_sentence, spelled, subject_of
from toolyard.world.state import EPOCH
from toolyard.world.tables import plain

_PLACES = frozenset(("city", "country", "island", "town", "continent", "region"))
_PICTURES = frozenset(("painting", "sculpture", "artwork", "work of art", "statue"))
# Kind -> what videos on such a subject are called, with the least and the most minutes that they last.
_TITLES: dict[str, tuple[tuple[str, float, float], ...]] = {
    "how": (("{Name}: step by step", 3, 9), ("{Name} (easy way)", 1.5, 5), ("{Name} for beginners", 4, 12),
            ("{Name}: five mistakes to avoid", 4, 10), ("{Name}: the complete guide", 10, 22)),
    "person": (("Who {was} {name}?", 4, 12), ("{Name}: the whole story", 20, 45),
               ("{Name}: ten things you may not know", 7, 12),
               ("{Name} - documentary", 40, 90), ("{Name}: early life and career", 10, 20)),
    "singer": (("{Name}: greatest hits", 60, 120), ("{Name} live in concert", 60, 110),
               ("{Name}: the best songs ranked", 15, 30), ("{Name} - documentary", 40, 90),
               ("{Name} acoustic session", 10, 25)),
    "athlete": (("{Name}: best moments", 8, 15), ("{Name} highlights of the season", 5, 12),
                ("{Name} - documentary", 40, 90), ("How {name} trains", 5, 12), ("{Name}: interview", 10, 30)),
    "place": (("{Name} travel guide", 12, 30), ("{Name} walking tour", 40, 90), ("Ten things to do in {name}", 8, 18),
              ("{Name} from above: a drone film", 3, 10), ("One day in {name}", 10, 20), ("The history of {name}", 15, 40)),
    "thing": (("{Name} explained", 5, 15), ("{Name}: a beginner's guide", 10, 25), ("{Name}: ten facts", 5, 10),
              ("{Name}: a short history", 8, 20), ("{Name} - documentary", 40, 60)),
    "company": (("The story of {name}", 12, 30), ("How {name} became so big", 10, 20), ("How {name} makes its money", 8, 15),
                ("{Name} - documentary", 40, 60)),
    "work": (("{Name}: a review", 8, 20), ("{Name} explained", 6, 15),
             ("{Name}: hidden details", 6, 14)),
    "game": (("{Name}: let's play, part 1", 20, 40), ("{Name}: a beginner's guide", 10, 25), ("{Name}: ten tips", 8, 15),
             ("{Name}: funny moments", 8, 15), ("{Name}: a review", 10, 20)),
    "music": (("{Name} mix", 60, 180), ("{Name}: one hour of music", 60, 61), ("{Name} playlist", 60, 150),
              ("{Name} to relax to", 60, 180)),
    "sight": (("{Name}: what to see", 8, 20), ("{Name} in 4K", 10, 30), ("{Name} from above: a drone film", 3, 10),
              ("{Name} and its history", 12, 40), ("{Name}: ten facts", 5, 10)),
    "art": (("Why is {name} so famous?", 6, 14), ("{Name} explained", 6, 15), ("{Name}: hidden details", 6, 14),
            ("{Name}: the story of a masterpiece", 15, 40)),
    "animal": (("Funny {many} compilation", 5, 12), ("{Many}: ten facts", 5, 10), ("{Many} - documentary", 40, 55),
               ("The cutest {many}", 4, 10), ("{Many} for children", 6, 15)),
    "lesson": (("{Name}: lesson 1", 10, 20), ("{Name}: lesson 2", 10, 20), ("{Name} - full course", 90, 240),
               ("{Name}: practice with me", 15, 30), ("{Name}: five mistakes to avoid", 6, 12)),
    "scenes": (("{Name}: compilation", 5, 15), ("The best of {name}", 6, 15), ("{Name}: top ten", 7, 12),
               ("{Name} in slow motion", 2, 7)),
    "recipe": (("{Name}: step by step", 5, 12), ("Quick {name}", 2, 5), ("{Name} - cook with me", 15, 25),
               ("{Name}: five mistakes to avoid", 5, 10), ("{Name}: grandmother's way", 8, 15)),
    "review": (("{Name}", 8, 15), ("{Name}: is it worth it?", 6, 12), ("{Name} after three months", 8, 14),
               ("{Name}: pros and cons", 6, 12)),
    "phrase": (("{Name}: what you need to know", 7, 15), ("{Name} explained", 5, 15),
               ("{Name}: questions and answers", 8, 15)),
}  # fmt: skip
_LESSONS = re.compile(
    r"\b(?:lessons?|tutorials?|course|for beginners|workout|exercises?|training|practice|basics)\b"
)
_SCENES = re.compile(
    r"\b(?:goals?|highlights|skills|moments|scenes|songs|dunks|saves|fails|funny|compilation|trailers?|final|knockouts|crashes)\b"
)
_PRAISED = re.compile(r"\b(?:best|greatest|top)\b")
# What stands for titles with praise where the subject itself has some: nobody writes "the best of the best goals".
_UNPRAISED = {
    "The best of {name}": "{Name}, one after another",
    "{Name}: top ten": "{Name}: ten to remember",
}
_REVIEWS = re.compile(r"\b(?:reviews?|unboxing)\b")
_IN_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_RECIPES = re.compile(r"\brecipes?\b")
_SINGERS = ("singer", "rapper", "musician", "composer")
_ATHLETES = re.compile(r"player|sprinter|boxer|driver|swimmer")
_HOW = re.compile(r"how to .+")
_TRAVEL = re.compile(r"\b(?:travel|trip|vacation|holidays?|tourism|sightseeing|visit)\b(?: (?:to|in))?")
_MUSIC = re.compile(r"\b(?:lofi|lo fi|music|beats|playlist|songs to|relaxing|chill|piano covers?)\b")
_SMALL_FIRST = ("iP", "iM")
_FOLLOWED = ("singer", "athlete", "game", "music", "animal", "scenes")
_FIRMS = frozenset(("company", "social network", "messaging app", "video platform", "organisation", "brand"))


_ASKING = re.compile(r"\b(?:videos?|clips?|youtube|images?|pictures?|photos?)\b(?: (?:of|about|on))?")
_EXPLAINED = re.compile(r"\b(?:explained|explanation|documentary|guide)\b")


class Video(NamedTuple):
    """A video: its title, a key of its own, its day, length in seconds, whether it is in 4K, and of somebody with fans."""

    title: str
    key: str
    day: date
    seconds: int
    is_4k: bool
    has_fans: bool = False


def filmed(query: str) -> str | None:
    """What the videos for a query are about; None where nobody knows it."""
    text = _ASKING.sub("", plain(query)).strip()
    bare = _EXPLAINED.sub("", text).strip() or text
    to_go = _TRAVEL.sub("", bare).strip()
    if to_go != bare and any(entry["kind"] in _PLACES for entry in named(to_go)[:1]):
        return to_go
    return subject_of(bare) or (bare[:80].strip() if mentioned(bare) else None)


def _kind(subject: str) -> str:
    if _HOW.fullmatch(subject):
        return "how"
    entry = next(iter(named(subject)), None)
    if entry is None or subject.startswith(("how ", "why ", "what ")):
        forms = (
            ("recipe", _RECIPES),
            ("lesson", _LESSONS),
            ("review", _REVIEWS),
            ("scenes", _SCENES),
            ("music", _MUSIC),
        )
        return next((kind for kind, words in forms if words.search(subject)), "phrase")
    kind = work_or_kind(subject, entry)
    if kind == "person":
        return _of_person(entry)
    if entry["field"] == "animals" and "P279" in entry["properties"]:
        return "animal"
    if entry["field"] == "art" and kind in WORKS:
        return "art"
    if entry["field"] == "food" and kind not in _FIRMS and "diet" not in subject:
        return "recipe"
    return next((group for kinds, group in _GROUPS if kind in kinds), "thing")


def _of_person(entry: Entry) -> str:
    jobs = " ".join(entry["properties"].get("P106", ()))
    if any(job in jobs for job in _SINGERS) and not entry["properties"].get("P570"):
        return "singer"
    return "athlete" if _ATHLETES.search(jobs) else "person"


# Kinds of entries -> what videos of them are like, the first that fits.
_GROUPS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset(("video game", "game")), "game"),
    (_PICTURES, "art"),
    (WORKS | {"series of novels", "film series", "media franchise", "television series"}, "work"),
    (frozenset(("music genre", "genre")), "music"),
    (frozenset(("band",)), "singer"),
    (_FIRMS, "company"),
    (_PLACES, "place"),
    (SIGHTS | {"place", "park", "castle", "river", "building"}, "sight"),
)


def _ages(entry: Entry | None, subject: str) -> int:
    """How many days ago videos on a thing can have been made at most: none is older than a new film or device."""
    if _REVIEWS.search(subject):
        return 200
    named_year = _IN_YEAR.search(subject)
    out = named_year[0] if named_year else ""
    out = out or (next(iter(entry["properties"].get("P577", ())), "") if entry else "")
    year = int(out[:4]) if out[:4].isdigit() else 0
    return (EPOCH.date() - date(min(year + 1, EPOCH.year), 1, 1)).days if year >= EPOCH.year - 4 else 2000


def _lasting(shortest: float, longest: float, key: str) -> int:
    """How many seconds a video lasts that is so many minutes long at least and at most."""
    return round(60 * (shortest + (longest - shortest) * seeds.unit("length", key)))


def videos(subject: str) -> list[Video]:
    """A few videos on a subject, the plainest title first."""
    kind = _kind(subject)
    name = spelled(subject)
    entry = next(iter(named(subject)), None)
    many = in_a_sentence(subject)
    fields = {
        "name": name,
        "Name": name if name[:2] in _SMALL_FIRST else name[0].upper() + name[1:],
        "many": many,
        "Many": many[0].upper() + many[1:],
        "was": "was" if entry and entry["properties"].get("P570") else "is",
    }
    found = []
    for number, (usual, shortest, longest) in enumerate(_TITLES[kind]):
        form = _UNPRAISED.get(usual, usual) if _PRAISED.search(plain(subject)) else usual
        key = f"{subject}#{number}"
        days = 3 + seeds.number("filmed", key) % min(200 * (number + 1), _ages(entry, subject))
        title = form.format(**fields).replace("lessons: lesson", "lesson").replace("lesson: lesson", "lesson")
        found.append(
            Video(
                title,
                key,
                EPOCH.date() - timedelta(days=days),
                _lasting(shortest, longest, key),
                "4K" in form or seeds.unit("4k", key) < 0.4,
                kind in _FOLLOWED,
            )
        )
    return found


def page_about(subject: str) -> str | None:
    """The title of the article on what videos show; None where there is none."""
    entry = next(iter((*named(subject), *mentioned(subject))), None)
    return entry["title"] if entry else None
