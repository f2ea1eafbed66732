"""Papers and authors beyond the generated ones: well-known papers of a table, others derived for a subject or a name.

known_papers.tsv: Random Forests	Leo Breiman	2001	Machine Learning		Computer Science
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from random import Random
from urllib.parse import quote, unquote

from toolyard.world import seeds
from toolyard.world.derived import derived, noted
from toolyard.world.reference.wordnet import parts_by_use, senses
from toolyard.world.search import Index, words
from toolyard.world.shared.author_ids import real_author_id, unlisted_author_id
from toolyard.world.shared.entries import mentioned, named
from toolyard.world.shared.geography import read_table
from toolyard.world.shared.paper_abstracts import NONE_ON_RECORD, kind_of
from toolyard.world.shared.paper_forms import SHOWN, forms_for
from toolyard.world.shared.paper_ids import archive_class, archive_of, printed, submitted_on
from toolyard.world.shared.paper_links import cited_titles, on_record
from toolyard.world.shared.paper_titles import JOINING, as_title, asked_subject, field_of, field_said
from toolyard.world.shared.scholarship import (
    Author,
    AuthorName,
    Paper,
    authors_of_field,
    h_index,
    known_under,
    linked,
    paper_of,
)
from toolyard.world.shared.subjects import known_word, subject_of
from toolyard.world.shared.trials import draft_of, trial_rows
from toolyard.world.tables import plain

_CATEGORIES = {"Computer Science": "cs.GL", "Physics": "physics.gen-ph", "Mathematics": "math.GM", "Biology": "q-bio.OT",
               "Economics": "q-fin.EC", "Medicine": "q-bio.TO", "Chemistry": "physics.chem-ph",
               "Environmental Science": "physics.ao-ph", "Materials Science": "cond-mat.mtrl-sci",
               "Psychology": "q-bio.NC"}  # fmt: skip
_VENUES = {
    "Medicine": ("BMJ Open", "PLOS Medicine"), "Biology": ("PLOS Biology", "BMC Biology"),
    "Physics": ("New Journal of Physics", "Physica Scripta"),
    "Computer Science": ("IEEE Access", "PeerJ Computer Science"),
}  # fmt: skip
_ADDRESS = re.compile(r"https://papers\.example/(on|in)/([^/]{1,200})/\d")
# The first year in which papers on a thing can have been written.
_SINCE = {
    "long covid": 2022,
    "covid": 2021,
    "sars-cov-2": 2021,
    "lecanemab": 2022,
    "crispr gene therapy": 2021,
    "crispr": 2014,
    "chatgpt": 2023,
    "large language model": 2021,
    "semaglutide": 2018,
}
_SHORTEST_NAME = 5


def _number(*parts: object) -> int:
    return 10_000 + seeds.number("further paper", *parts) % 80_000


@functools.cache
def known_papers() -> tuple[Paper, ...]:
    """The papers of the table, oldest first, with what they are known to cite of each other."""
    rows = sorted(read_table("known_papers.tsv"), key=lambda row: (row["year"], row["title"]))
    drafts = [*(_known(row) for row in rows), *(_trial(row) for row in trial_rows())]
    drafts.sort(key=lambda paper: (paper["year"], paper["date"], paper["title"]))
    keys = {plain(paper["title"]): paper["paper_id"] for paper in drafts}
    cited_by: dict[str, list[str]] = {paper["paper_id"]: [] for paper in drafts}
    cites: dict[str, list[str]] = {}
    for paper in drafts:
        titles = cited_titles().get(plain(paper["title"]), ())
        cites[paper["paper_id"]] = [keys[title] for title in titles if title in keys]
        for other in cites[paper["paper_id"]]:
            cited_by[other].append(paper["paper_id"])
    return linked(drafts, cites, cited_by)


def _trial(row: Mapping[str, str]) -> Paper:
    authors: list[AuthorName] = [
        {"author_id": real_author_id(name), "name": name} for name in row["authors"].split(";")
    ]
    draft = draft_of(row, authors, _number(row["title"]))
    return {**draft, "citation_count": _times_cited(row["title"], draft["year"])}


def _known(row: Mapping[str, str]) -> Paper:
    names, arxiv = row["authors"].split(";"), row["arxiv"]
    authors: list[AuthorName] = [{"author_id": real_author_id(name), "name": name} for name in names]
    told = printed().get(row["title"])
    some = min(date(int(row["year"]), 6, 15), date(2024, 2, 14))
    day = submitted_on(arxiv) if arxiv else date.fromisoformat(told["day"]) if told else some
    category = archive_class(arxiv, row["venue"], row["title"], row["field"])
    found = paper_of(
        row["title"],
        NONE_ON_RECORD,
        authors,
        day,
        row["venue"],
        row["field"],
        category,
        _number(row["title"]),
        "MetaAnalysis" if "meta-analysis" in row["title"].lower() else "JournalArticle",
    )
    known = known_under(found, arxiv, int(row["year"]), _times_cited(row["title"], int(row["year"])))
    said = on_record().get(plain(row["title"]))
    known = {**known, "about": said.words if said else "", "day_known": bool(told or arxiv)}
    return {**known, "doi": told["doi"], "pubmed_id": told["pmid"] or None} if told else known


def _times_cited(title: str, year: int) -> int:
    """How often a paper was cited: roughly as the table has it, else as often as a good paper of its age."""
    row = on_record().get(plain(title))
    return row.cited if row else round(120 * min(25, 2024.4 - year) * (0.6 + seeds.unit("cited", title)))


@functools.cache
def _index() -> Index[Paper]:
    return Index(known_papers(), ("title", "title", "names"))


def _subject_papers(seed: int, subject: str, *, clinical: bool = False) -> list[Paper]:
    """Some papers about a subject that people know, by invented authors; clinical ones are on what it does to health."""
    return _every_paper(seed, subject, clinical=clinical)[:SHOWN]


def _every_paper(seed: int, subject: str, *, clinical: bool) -> list[Paper]:
    """The papers about a subject, with those that come only where their type is asked for."""
    told = [field_of(entry) for entry in named(subject)[:1]]
    # A part of a subject tells what it is about where it is an illness or a remedy.
    found = [field for entry in mentioned(subject) if (field := field_of(entry)) == "Medicine"]
    field = "Medicine" if clinical else field_said(subject) or next(filter(None, (*told, *found)), "")
    key = f"{'in' if clinical else 'on'}/{subject}"
    return derived(
        seed,
        "clinical papers" if clinical else "papers",
        subject,
        lambda chance: _drafted(seed, as_title(subject), key, field, chance),
    )


def _drafted(seed: int, shown: str, key: str, field: str, chance: Random) -> list[Paper]:
    found: list[Paper] = []
    writers = authors_of_field(seed, field, chance)
    for turn, (form, text) in enumerate(forms_for(chance, field)):
        title = form.format(subject=shown)
        title = title if title[1:2].isupper() else title[0].upper() + title[1:]
        day = date(2024, 4, 30) - timedelta(days=chance.randrange(30, 3300))
        since = next((year for word, year in _SINCE.items() if word in plain(shown)), 0)
        while day.year < since:
            day += timedelta(days=730)
        authors = chance.sample(writers, chance.randrange(1, 4))
        draft = (
            paper_of(
                title, text, authors, day,
                chance.choice(_VENUES.get(field, ("PLOS ONE", "Heliyon"))), field,
                archive_of(shown, _CATEGORIES.get(field, "none")),
                _number(seed, key, turn), kind_of(title, field),
            )
        )  # fmt: skip
        cited = int((date(2024, 5, 1) - day).days / 365 * (0.5 + 6 * seeds.unit(seed, "cited", key, turn)))
        url = f"https://papers.example/{quote(key.replace(' ', '-'))}/{turn}"
        found.append({**draft, "url": url, "citation_count": cited})
    return found


def typed_papers(seed: int, query: str, kinds: Sequence[str]) -> list[Paper]:
    """Derived papers of these types on what the subject of a query does to health; none where nobody knows it."""
    subject = _researched(query) if {"MetaAnalysis", "ClinicalTrial"} & set(kinds) else None
    found = _every_paper(seed, subject, clinical=True)[SHOWN:] if subject else []
    return [paper for paper in found if paper["kind"] in kinds]


def known_about(query: str) -> list[Paper]:
    """The papers of the table whose title or subject has all these words, the most cited first.

    Of four words or more one may be missing where no paper has all.
    """
    wanted = set(words(query))
    found = _titles().search(query, bound=1.0) if wanted else []
    if not found and len(wanted) > _MANY:
        near = _titles().search(query, bound=_MOSTLY)
        found = [paper for paper in near if len(wanted - set(words(looked_for(paper)))) == 1]
    return sorted(found, key=lambda paper: -paper["citation_count"])


_MANY, _MOSTLY = 3, 0.6


def looked_for(paper: Paper) -> str:
    """The title of a paper with the words that people look for it by."""
    row = on_record().get(plain(paper["title"]))
    return f"{paper['title']} {row.words}" if row else paper["title"]


@functools.cache
def _titles() -> Index[Paper]:
    rows: list[Paper] = [{**paper, "title": looked_for(paper)} for paper in known_papers()]
    return _Known(rows, ("title",))


class _Known(Index[Paper]):
    """The known papers, found by more than their titles and given back with these."""

    def search(
        self, query: str, *, where: Callable[[Paper], bool] | None = None, bound: float = 0.0
    ) -> list[Paper]:
        own = {paper["paper_id"]: paper for paper in known_papers()}
        return [own[row["paper_id"]] for row in super().search(query, where=where, bound=bound)]


def further_papers(
    seed: int, query: str, where: Callable[[Paper], bool] = bool, *, clinical: bool = False
) -> list[Paper]:
    """Papers of the table with all these words, those of the author of this name, or derived ones about the subject.

    clinical: Whether papers on what it does to health may stand for others.
    """
    found = _index().search(query, bound=1.0, where=where)
    own = [] if found or _is_subject(query) else further_authors(seed, query)
    found = found or [paper for author in own[:1] for paper in _papers_by(seed, author) if where(paper)]
    if found:
        return found
    subject = _researched(query)
    about = _subject_papers(seed, subject) if subject else []
    kept = [paper for paper in about if where(paper)]
    return kept or (_subject_papers(seed, subject, clinical=True) if subject and clinical else [])


def simulated_about(seed: int, query: str) -> list[Paper]:
    """Derived papers about the subject of a query of one or two words; none where nobody knows it."""
    subject = _researched(query) if len(query.split()) <= 2 else None
    return _subject_papers(seed, subject) if subject and (named(subject) or field_said(subject)) else []


def clinical_papers(seed: int, query: str) -> list[Paper]:
    """Derived papers on what the subject of a query does to health; none where nobody knows it."""
    subject = _researched(query)
    return _subject_papers(seed, subject, clinical=True) if subject else []


def _researched(query: str) -> str | None:
    """The subject of a query; one word that no list has, such as the name of a drug, may stand in it."""
    query = asked_subject(query)
    rest = [word for word in plain(query).split() if known_word(word)]
    odd = [word for word in plain(query).split() if word not in rest]
    if len(odd) == 1 and odd[0].isalpha() and len(odd[0]) > _SHORTEST_NAME and len(rest) > 1:
        return plain(query) if subject_of(" ".join(rest)) else None
    return subject_of(query)


def _papers_by(seed: int, author: Author) -> list[Paper]:
    rows = {paper["paper_id"]: paper for paper in all_further(seed)}
    return [rows[key] for key in reversed(author["papers"])]


def derived_papers(seed: int) -> list[Paper]:
    """The papers that the running world has derived so far."""
    by_subject = [paper for subject in noted("papers") for paper in _subject_papers(seed, subject)]
    by_subject += [
        paper for subject in noted("clinical papers") for paper in _every_paper(seed, subject, clinical=True)
    ]
    return by_subject


def _author(name: str, key: str, papers: Sequence[Paper], affiliation: str) -> Author:
    counts = [paper["citation_count"] for paper in papers]
    return Author(
        author_id=key, name=name, affiliation=affiliation, field=papers[-1]["field"] if papers else "",
        papers=[paper["paper_id"] for paper in papers], citation_count=sum(counts), h_index=h_index(counts),
    )  # fmt: skip


@functools.cache
def known_authors() -> tuple[Author, ...]:
    """The authors of the papers of the table."""
    written: dict[str, list[Paper]] = {}
    for paper in known_papers():
        for author in paper["authors"]:
            written.setdefault(author["name"], []).append(paper)
    return tuple(_author(name, real_author_id(name), papers, "") for name, papers in written.items())


def further_authors(seed: int, query: str) -> list[Author]:
    """Authors of the table whose name has these words; somebody else who lives or lived has no papers here."""
    wanted = plain(query).replace(".", " ").split()
    found = [row for row in known_authors() if set(wanted) <= set(plain(row["name"]).split())]
    real = next((one for one in named(plain(query)) if one["kind"] == "person"), None)
    if found or real is None:
        return sorted(found, key=lambda row: -row["citation_count"])
    return [_without_papers(seed, real["title"])]


def _without_papers(seed: int, name: str) -> Author:
    return derived(seed, "author record", name, lambda _: _author(name, unlisted_author_id(name), (), ""))


def _is_subject(query: str) -> bool:
    """Whether words are about a thing rather than somebody's name: the last one is a common noun in small letters."""
    last = query.replace(".", " ").split()[-1:]
    if JOINING & set(query.split()):
        return True
    if not last or not last[0][:1].islower():
        return False
    return "noun" in parts_by_use(plain(last[0])) or bool(senses(last[0]))


def author_of(seed: int, key: str) -> Author | None:
    """The further author with an id: of a table, or named so far by the running world."""
    people = (one for name in noted("author record") for one in named(name) if one["kind"] == "person")
    rows = (*known_authors(), *(_without_papers(seed, one["title"]) for one in people))
    return next((row for row in rows if row["author_id"] == key.strip()), None)


def all_further(seed: int) -> tuple[Paper, ...]:
    """The papers of the table, and those that the running world has derived so far."""
    return (*known_papers(), *derived_papers(seed))


def paper_under(seed: int, key: str) -> Paper | None:
    """The further paper with one of its identifiers, in lower case; None where there is none."""
    for paper in all_further(seed):
        keys = (
            paper["paper_id"],
            paper["arxiv_id"],
            paper["doi"],
            paper["pubmed_id"],
            paper["title"],
            paper["url"],
        )
        if key in (plain(one) for one in keys if one):
            return paper
    return None


def paper_at(seed: int, url: str) -> Paper | None:
    """The further paper at an address; None where there is none."""
    match = _ADDRESS.fullmatch(url.strip())
    if match is None:
        return next((paper for paper in known_papers() if paper["url"] == url.strip()), None)
    name = unquote(match[2]).replace("-", " ")
    found: list[Paper] = []
    if _researched(name) == name:
        found = _every_paper(seed, name, clinical=match[1] == "in")
    return next((paper for paper in found if paper["url"] == url.strip()), None)
