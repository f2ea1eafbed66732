"""Videos about any known subject; they are invented, and their titles are such as such videos have."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from toolyard.world import seeds
from toolyard.world.shared.entries import mentioned, named
from toolyard.world.shared.found_pictures import SIGHTS, WORKS, work_or_kind
from toolyard.world.shared.subjects import spelled, subject_of
from toolyard.world.state import EPOCH
from toolyard.world.tables import plain

_PLACES = frozenset(("city", "country", "place", "island", "town", "park", "castle"))
_TITLES = {
    "how": ("{Name}: step by step", "{Name} (easy way)", "{Name} for beginners", "{Name}: five mistakes to avoid",
            "{Name} in under five minutes", "{Name} - what I wish I had known", "{Name}: the complete guide",
            "{Name}, slowly explained"),
    "person": ("{Name}: the whole story", "Who {was} {name}?", "{Name}: ten things you may not know",
               "The life of {name} in ten minutes", "{Name} - documentary", "Why {name} matters",
               "{Name}: early life and career", "{Name} quiz: how much do you know?"),
    "singer": ("{Name}: greatest hits", "{Name} live in concert", "{Name}: the best songs ranked", "{Name} - documentary",
               "Reacting to {name} for the first time", "{Name}: ten things you may not know", "{Name} acoustic session",
               "The story of {name} in ten minutes"),
    "athlete": ("{Name}: best moments", "{Name} highlights of the season", "{Name}: ten great performances",
                "{Name} - documentary", "How {name} trains", "{Name}: early life and career",
                "The story of {name} in ten minutes", "{Name}: interview"),
    "place": ("{Name} travel guide", "{Name} walking tour", "Ten things to do in {name}", "{Name} from above: a drone film",
              "One day in {name}", "{Name}: what nobody tells you before you go", "The history of {name}",
              "{Name} on a budget"),
    "thing": ("{Name} explained in ten minutes", "{Name}: a beginner's guide", "{Name}: everything you need to know",
              "{Name}: ten facts", "{Name}: a short history", "{Name}: questions and answers", "{Name} for students",
              "{Name} - documentary"),
    "work": ("{Name} explained", "Why is {name} so famous?", "The story behind {name}", "{Name}: hidden details",
             "{Name}: a review", "{Name} in ten minutes", "{Name}: questions and answers", "{Name} - what it means"),
    "sight": ("Visiting {name}", "{Name} in 4K", "{Name} from above: a drone film", "The history of {name}",
              "{Name}: what nobody tells you before you go", "{Name}: ten facts", "One morning at {name}",
              "{Name} - documentary"),
    "animal": ("Funny {name} compilation", "{Name}: ten facts", "{Name} - documentary", "The cutest {name} videos",
               "The life of the {name} in ten minutes", "{Name} close up", "{Name} for children",
               "Why the {name} is special"),
    "lesson": ("{Name}: lesson 1", "{Name}: lesson 2", "{Name}: the first steps", "{Name} - full course",
               "{Name}: practice with me", "{Name}: five mistakes to avoid", "{Name}: tips that helped me",
               "{Name}, slowly"),
    "scenes": ("{Name}: compilation", "The best of {name}", "{Name}: top ten", "{Name} in slow motion", "{Name} 2023",
               "{Name}: all of them", "{Name}: the greatest ever", "{Name}: fan favourites"),
    "recipe": ("{Name}: step by step", "{Name} in 20 minutes", "Quick {name}", "{Name}: grandmother's way",
               "{Name} - cook with me", "The best {name} I ever made", "{Name}: five mistakes to avoid",
               "{Name} on a budget"),
    "phrase": ("{Name}: what you need to know", "{Name} in ten minutes", "{Name} explained", "{Name}: an overview",
               "{Name}: questions and answers", "{Name}: a closer look", "{Name}: facts and figures", "{Name}, part one"),
}  # fmt: skip
_LESSONS = re.compile(
    r"\b(?:lessons?|tutorials?|course|for beginners|workout|exercises?|training|practice|basics)\b"
)
_SCENES = re.compile(
    r"\b(?:goals?|highlights|skills|moments|scenes|songs|dunks|saves|fails|funny|compilation|trailers?)\b"
)
_PRAISED = re.compile(r"\b(?:best|greatest|top)\b")
# What stands for titles with praise where the subject itself has some: nobody writes "the best of the best goals".
_UNPRAISED = {
    "The best of {name}": "{Name}, one after another",
    "{Name}: top ten": "{Name}: ten to remember",
    "{Name}: the greatest ever": "{Name}: do you agree?",
    "The best {name} I ever made": "{Name}: how I make it",
}
_RECIPES = re.compile(r"\brecipes?\b")
_SINGERS = ("singer", "rapper", "musician", "composer")
_ATHLETES = re.compile(r"player|sprinter|boxer|driver|swimmer")
_HOW = re.compile(r"how to .+")


_ASKING = re.compile(r"\b(?:videos?|clips?|youtube|images?|pictures?|photos?)\b(?: (?:of|about|on))?")
_EXPLAINED = re.compile(r"\b(?:explained|explanation|tutorial|documentary|guide)\b")


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
    return subject_of(bare) or (bare[:80].strip() if mentioned(bare) else None)


def _kind(subject: str) -> str:
    if _HOW.fullmatch(subject):
        return "how"
    entry = next(iter(named(subject)), None)
    if entry is None or subject.startswith(("how ", "why ", "what ")):
        forms = (("recipe", _RECIPES), ("lesson", _LESSONS), ("scenes", _SCENES))
        return next((kind for kind, words in forms if words.search(subject)), "phrase")
    kind = work_or_kind(subject, entry)
    if kind in WORKS or kind in ("series of novels", "film series", "media franchise", "video game"):
        return "work"
    if kind == "band":
        return "singer"
    if kind in SIGHTS:
        return "sight"
    if entry["field"] == "animals" and "P279" in entry["properties"]:
        return "animal"
    jobs = " ".join(entry["properties"].get("P106", ()))
    if kind == "person" and any(job in jobs for job in _SINGERS) and not entry["properties"].get("P570"):
        return "singer"
    if kind == "person" and _ATHLETES.search(jobs):
        return "athlete"
    return "person" if kind == "person" else "place" if kind in _PLACES else "thing"


# The least seconds that videos of a form last.
_LEAST = {
    "documentary": 1500, "full course": 3000, "practice with me": 600, "live in concert": 2700, "walking tour": 1200,
    "complete guide": 600, "the whole story": 600, "greatest hits": 1500, "slowly": 420, "lesson": 420,
    "everything you need to know": 420, "compilation": 300, "cook with me": 420, "for beginners": 300, "short history": 240,
}  # fmt: skip


def _lasting(form: str, length: int) -> int:
    """How long a video lasts: as long as its title says, and no shorter than such videos are."""
    if "ten minutes" in form:
        return 600
    if "five minutes" in form:
        return 200 + length % 95
    if "20 minutes" in form:
        return 1200 + length % 60
    least = next((seconds for words, seconds in _LEAST.items() if words in form), 0)
    return length if length >= least else least + length


def videos(subject: str) -> list[Video]:
    """Eight videos on a subject, the plainest title first."""
    kind = _kind(subject)
    name = spelled(subject)
    entry = next(iter(named(subject)), None)
    fields = {
        "name": name,
        "Name": name[0].upper() + name[1:],
        "was": "was" if entry and entry["properties"].get("P570") else "is",
    }
    found = []
    for number, usual in enumerate(_TITLES[kind]):
        form = _UNPRAISED.get(usual, usual) if _PRAISED.search(plain(subject)) else usual
        key = f"{subject}#{number}"
        days = 3 + seeds.number("filmed", key) % (40 * (number + 1) ** 2)
        length = 90 + seeds.number("length", key) % 1500
        length = _lasting(form, length)
        found.append(
            Video(
                form.format(**fields)
                .replace("lessons: lesson", "lesson")
                .replace("lesson: lesson", "lesson"),
                key,
                EPOCH.date() - timedelta(days=days),
                length,
                seeds.unit("4k", key) < 0.4,
                kind in ("singer", "athlete"),
            )
        )
    return found


def page_about(subject: str) -> str | None:
    """The title of the article on what videos show; None where there is none."""
    entry = next(iter((*named(subject), *mentioned(subject))), None)
    return entry["title"] if entry else None
