"""Videos about any known subject; they are invented, and their titles are such as such videos have."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import chain
from typing import NamedTuple

from toolyard.world import seeds
from toolyard.world.shared.entries import mentioned, named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.found_pictures import SIGHTS, WORKS, as_written, days_known, work_or_kind
from toolyard.world.shared.subjects import in_a_sentence, subject_of
from toolyard.world.state import EPOCH
from toolyard.world.tables import plain

_PLACES = frozenset(("city", "country", "island", "town", "continent", "region", "place", "park", "castle"))
_SHORT = ("{Name} #shorts", 0.3, 0.9)
_LONG = ("{Name} - documentary", 40, 90)
_TOLD = ("{Name} explained", 5, 15)
# What a subject is -> what videos on it are called, with the least and the most minutes that they last.
_TITLES: dict[str, tuple[tuple[str, float, float], ...]] = {
    "how": (("{Name}", 3, 9), ("{Name}: step by step", 5, 12), _SHORT),
    "living": (("{Name} - interview", 10, 30), _LONG, _SHORT),
    "dead": (("Who was {name}?", 4, 12), _LONG, _SHORT),
    "band": (("{Name} live", 30, 90), _LONG, _SHORT),
    "place": (("{Name} travel guide", 12, 30), ("{Name} in 4K", 10, 30), _LONG),
    "song": (("{Name} - cover", 3, 6), ("{Name} - karaoke version", 3, 6), _SHORT),
    "game": (("{Name}: ten tips", 8, 15), ("{Name}: a review", 10, 20), _SHORT),
    "art": (_TOLD, _LONG, _SHORT),
    "work": (("{Name}: a review", 8, 20), _TOLD, _SHORT),
    "animal": (("{Many}: ten facts", 5, 10), ("{Many} - documentary", 40, 55), _SHORT),
    "matter": (_TOLD, ("{Name}: ten facts", 5, 10), _LONG),
    "review": (("{Name}", 8, 15), ("{Name}: pros and cons", 6, 12), _SHORT),
    "trailer": (("{Name}", 1.5, 2.8), _SHORT),
    "else": (("{Name}", 4, 9), ("{Name} (full video)", 10, 25), _SHORT),
}  # fmt: skip
# Kinds of entries -> what videos of them are like, the first that fits.
_GROUPS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset(("song",)), "song"),
    (frozenset(("video game",)), "game"),
    (frozenset(("painting", "sculpture", "artwork", "work of art", "statue")), "art"),
    (WORKS - {"game", "play"} | {"series of novels", "film series", "media franchise", "television series"}, "work"),
    (frozenset(("band",)), "band"),
    (_PLACES | SIGHTS, "place"),
    (frozenset(("concept", "event", "technology", "company", "product", "celestial", "social network", "discipline")),
     "matter"),
)  # fmt: skip
_TRAILERS = re.compile(r"\b(?:trailers?|teasers?)\b")
_LASTING = re.compile(r"(?:\bin )?\b(\d{1,2})[ -](min(?:ute)?|hour)s?\b", re.IGNORECASE)
_REVIEWS = re.compile(r"\b(?:reviews?|unboxing)\b")
_STARS = re.compile(r"singer|rapper|musician|player|sprinter|boxer|driver|swimmer|actor|actress")
_HOW = re.compile(r"how to .+")
_ASKED = re.compile(
    r"(?:how (?:is|are|do|does|did|can|many|much|long|far|fast)|why|what|when|where|who|is|are|can|does|do|should) "
)
_TRAVEL = re.compile(r"\b(?:travel|trip|vacation|holidays?|tourism|sightseeing|visit)\b(?: (?:to|in))?")
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


def _kind(subject: str, entry: Entry | None) -> str:
    if _HOW.fullmatch(subject):
        return "how"
    if entry is None and _TRAILERS.search(subject):
        return "trailer"
    if entry is None or subject.startswith("how ") or _ASKED.match(subject):
        return "review" if _REVIEWS.search(subject) else "else"
    kind = work_or_kind(subject, entry)
    if kind == "person":
        return "dead" if entry["properties"].get("P570") else "living"
    if entry["field"] == "animals" and "P279" in entry["properties"] and kind not in WORKS:
        return "animal"
    return next((group for kinds, group in _GROUPS if kind in kinds), "else")


def _has_fans(entry: Entry | None) -> bool:
    jobs = " ".join(entry["properties"].get("P106", ())) if entry else ""
    return entry is not None and (entry["kind"] in ("band", "song", "film") or bool(_STARS.search(jobs)))


def videos(subject: str, query: str = "") -> list[Video]:
    """A few videos on a subject; the query tells how names are written."""
    entry = next(iter(named(subject)), None)
    kind, shown, many = _kind(subject, entry), as_written(subject, query), in_a_sentence(subject)
    shown += "?" * bool(_ASKED.match(subject)) + " videos" * (
        kind == "else" and plain(query).endswith(" videos")
    )
    fields = {"name": shown, "Name": shown, "Many": many[0].upper() + many[1:]}
    known = 200 if kind == "review" else days_known(subject)
    lasts = _LASTING.search(subject)  # a workout of ten minutes lasts ten minutes
    minutes = int(lasts[1]) * (60 if lasts[2].lower() == "hour" else 1) if lasts else 0
    forms = (("{Name}", minutes, minutes + 0.5),) if minutes else _TITLES[kind]
    found = []
    for number, (form, shortest, longest) in enumerate(forms):
        key = f"{subject}#{number}"
        day = EPOCH.date() - timedelta(days=3 + seeds.number("filmed", key) % (known - 3))
        seconds = round(60 * (shortest + (longest - shortest) * seeds.unit("length", key)))
        in_4k = number == 1 and form != _SHORT[0]
        found.append(Video(form.format(**fields), key, day, seconds, in_4k, _has_fans(entry)))
    return found


def without_length(text: str) -> str:
    """A text without the minutes that a video should last."""
    return " ".join(_LASTING.sub(" ", text).split())


def page_about(subject: str) -> str | None:
    """The title of the article on what videos show; None where there is none."""
    bare = without_length(subject)
    apart = [entry for word in reversed(bare.split()) for entry in named(word)[:1]]
    # Names before common nouns: the NBA, not the final.
    near = sorted((*mentioned(bare), *apart), key=lambda entry: "P279" in entry["properties"])
    entry = next(chain(named(subject), near), None)
    return entry["title"] if entry else None
