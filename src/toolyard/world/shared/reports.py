"""News about any known subject: derived articles of the invented outlets, beside those that the table has.

They explain, show and look back, and claim nothing about the subject itself.
"""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

from toolyard.world import seeds
from toolyard.world.derived import derived, noted
from toolyard.world.search import words
from toolyard.world.shared.articles import (
    FIRST_DAY,
    LAST_DAY,
    Article,
    Category,
    Source,
    index,
    outlet_of,
    sources,
)
from toolyard.world.shared.entries import named
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.geography import cities
from toolyard.world.shared.happened import FIRST_EVENT, events_on, happened
from toolyard.world.shared.people import person
from toolyard.world.shared.story_fit import told_once
from toolyard.world.shared.subjects import in_a_sentence, subject_of

_STORIES = (
    ("Explained: {subject}", "{outlet} answers what readers ask most about {subject}."),
    ("In pictures: {subject}", "{m} photographs from our archive, each with a line on what it shows."),
    ("From the archive: {subject}", "What {outlet} has written about {subject} over the years."),
)  # fmt: skip
_CATEGORIES: dict[str, Category] = {
    "sport": "sports", "health": "health", "film": "entertainment", "music": "entertainment", "television": "entertainment",
    "literature": "entertainment", "art": "entertainment", "business": "business", "finance": "business",
    "technology": "technology", "computing": "technology", "engineering": "technology", "science": "science",
    "physics": "science", "space": "science", "chemistry": "science", "biology": "science", "mathematics": "science",
    "animals": "science", "plants": "science",
}  # fmt: skip
# The first reports are of the last thirty days, the others of the time before.
_RECENT = 2
_ENOUGH = 4
_PLACES = frozenset(("city", "country", "place", "landmark", "island", "state", "province"))
_SENTENCE = re.compile(r"\S.*?(?<!\bInc)(?<!\b[A-Z])(?<!\bSt)(?<!\bMt)[.!?](?=\s|$)")
# So many invented ones beside one that explains a subject.
_MADE = 2
# So many invented ones beside true ones.
_BESIDE = 2
# So many invented ones where there are none.
_INVENTED = 1
_ADDRESS = re.compile(r"https?://(?:www\.)?([a-z-]+\.example)/\d{4}/\d\d/\d\d/(.+)-\d+/?")


def reports(seed: int, query: str) -> list[Article]:
    """A few articles about what a query names, newest first; none where nobody knows it."""
    subject = subject_of(query)
    if subject is None or not named(subject):  # no paper has pictures of a sentence
        return []

    def built(chance: Random) -> list[Article]:
        stories = chance.sample(range(len(_STORIES)), len(_STORIES))
        return [_report(seed, subject, place, story, chance) for place, story in enumerate(stories)]

    found = derived(seed, "news", subject, built)
    newest, *others = sorted(found, key=lambda row: row["published_at"], reverse=True)
    return [_explained(newest, subject, named(subject)[0]), *others]


def _outlet(subject: str, chance: Random) -> tuple[Source, Category]:
    entry = next(iter(named(subject)), None)
    category = _CATEGORIES.get(entry["field"], "general") if entry else "general"
    fitting = [
        row for row in sources() if row["language"] == "en" and row["category"] in (category, "general")
    ]
    return chance.choice(fitting), category


def _report(seed: int, subject: str, place: int, story: int, chance: Random) -> Article:
    source, category = _outlet(subject, chance)
    back = chance.randrange(1, 29) if place < _RECENT else chance.randrange(31, (LAST_DAY - FIRST_DAY).days)
    day = LAST_DAY - timedelta(days=back)
    fields = {
        "subject": in_a_sentence(subject), "outlet": source["name"], "city": chance.choice(cities()[:150])["name"],
        "n": chance.randrange(20, 900), "m": chance.randrange(5, 20),
        "reporter": person(seed, "journalist", source["id"], place % 6)["name"],
    }  # fmt: skip
    title, description = (text.format(**fields) for text in _STORIES[story])
    title = title[0].upper() + title[1:]
    return Article(
        id=100_000 + seeds.number("report", subject, place) % 900_000,
        source_id=source["id"],
        source=source["name"],
        domain=source["domain"],
        author=str(fields["reporter"]),
        title=title,
        description=description[0].upper() + description[1:],
        content=f"{title}. {description} {source['name']} reports from {fields['city']}.",
        url=f"https://{source['domain']}/{day:%Y/%m/%d}/{subject.replace(' ', '-')}-{place + 1}",
        image=f"https://images.{source['domain']}/{subject.replace(' ', '-')}-{place + 1}.jpg",
        published_at=f"{day.isoformat()}T{chance.randrange(5, 9):02d}:{chance.randrange(60):02d}:00Z",
        category=category,
        language=source["language"],
        country=source["country"],
        popularity=int(10 ** (2 + 2 * chance.random())),
    )


def told_of(seed: int, query: str) -> list[Article]:
    """Articles for some words, best first: events alone where there are some, else one on what the words name.

    Of a town or a country nothing else is invented.
    """
    subject = subject_of(query) or query
    entry = next(iter(named(subject)), None)
    events = true_news(seed, query) or true_news(seed, subject)
    events = [row for row in events if not _shares_its_end(row, subject)]
    if events:
        return events
    explained = reports(seed, query)[:1]
    if entry is not None and entry["kind"] in _PLACES:
        return explained
    return [*explained, *told_once(index(seed).search(query, bound=1.0), FIRST_EVENT)[:_MADE]]


def _shares_its_end(row: Article, text: str) -> bool:
    """Whether an article has only the last of several words: Intuitive Machines makes no espresso machines."""
    asked, held = words(text), set(words(f"{row['title']} {row['content']}"))
    return len(asked) > 1 and asked[-1] in held and asked[0] not in held


def true_news(seed: int, query: str) -> list[Article]:
    """Articles on events for some words, best first."""
    return [*(happened(seed, query) if _is_name(query) else events_on(seed, query))]


def _explained(row: Article, named_so: str, entry: Entry) -> Article:
    """An article with what the encyclopaedia says of its subject, instead of what any article could say."""
    told = entry["text"].removeprefix(f"{entry['title']}: ")
    first, *rest = _SENTENCE.findall(f"{told[0].upper()}{told[1:]}") or [told]
    subject = in_a_sentence(named_so)
    shown = f"{subject[0].upper()}{subject[1:]}"
    title = f"{entry['title']}: a portrait" if entry["kind"] in _PLACES else f"{shown} explained"
    return Article(**{**row, "title": title, "description": first, "content": " ".join((first, *rest))})


def news_about(seed: int, query: str, *, once: bool = True) -> list[Article]:
    """Articles for some words, best first: on events, then those of the table, derived ones where these are few.

    once: Whether invented headlines of the same form are left out but for the first.
    """
    events = true_news(seed, query)
    written = index(seed).search(query, bound=1.0)
    whole = told_once(written, FIRST_EVENT) if once else written
    if events or len(whole) >= _ENOUGH:
        return [*events, *(whole[:_BESIDE] if once and events else whole)]
    near = [
        row
        for row in index(seed).search(query, bound=0.6)
        if row["title"] not in {known["title"] for known in whole}
    ]
    found = [*whole, *reports(seed, query)[:_INVENTED], *near]
    return told_once(found, FIRST_EVENT) if once else found


def _is_name(query: str) -> bool:
    """Whether several words are the name of one thing: apple pie is nothing about Apple."""
    bare = subject_of(query)
    return bool(bare and " " in bare and named(bare))


def report_at(seed: int, url: str) -> Article | None:
    """The derived article at an address; None where there is none."""
    match = _ADDRESS.fullmatch(url.strip().casefold())
    if match is None:
        return None
    found = reports(seed, match[2].replace("-", " "))
    wanted = url.strip().rstrip("/")
    keys = [key.rpartition(" ") for key in noted("outlet")]
    abroad = {outlet_of(code.upper(), language)["domain"] for language, _, code in keys}
    return next((row for row in found if wanted in _addresses(row, abroad)), None)


def _addresses(row: Article, abroad: set[str]) -> list[str]:
    """Where an article can be read: at its outlet, and at outlets abroad that took it over."""
    return [row["url"], *(row["url"].replace(row["domain"], domain) for domain in sorted(abroad))]
