"""Generated research: papers with authors, venues, dates and citations that agree with each other.

{"paper_id": "0c1f...", "title": "Robust black hole imaging with sparse arrays", "authors": [{"author_id": "17", ...}],
 "year": 2022, "venue": "Monthly Notices", "arxiv_id": "2203.01304", "references": [...], "citations": [...]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from random import Random
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.search import Index
from toolyard.world.shared.geography import plain, read_table
from toolyard.world.shared.paper_abstracts import abstract_of, kind_of
from toolyard.world.shared.paper_ids import archive_class, arxiv_number, pubmed_number, submitted_on
from toolyard.world.shared.people import name_of
from toolyard.world.types import PageUrl, PastDate, PersonName, Semantic, Year

AuthorId = Annotated[str, Semantic("author_id")]
PaperId = Annotated[str, Semantic("paper_id")]
ArxivId = Annotated[str, Semantic("arxiv_id")]
Doi = Annotated[str, Semantic("doi")]
PubmedId = Annotated[str, Semantic("pubmed_id")]
Title = Annotated[str, Semantic("paper_title", is_a=("topic",))]
# Authors with this id or a later one exist, apart from the invented authors of papers on any subject.
FIRST_REAL_AUTHOR = "1900000"
_FIRST_AUTHOR, _AUTHORS_PER_AREA = 1700000, 12
# So many of the authors of an area have written something.
_WRITING = 6


class AuthorName(TypedDict):
    author_id: AuthorId
    name: PersonName


class Paper(TypedDict):
    """A paper; `references` and `citations` are ids of other papers of the table, which holds few of those that cite
    a well-known one."""

    paper_id: PaperId
    title: Title
    abstract: str
    about: str  # words that it is looked for by, beside those of its title
    authors: list[AuthorName]
    names: str
    year: Year
    date: PastDate
    day_known: bool  # whether the date is right to the day, or only near
    venue: str
    field: str
    category: str
    kind: str
    arxiv_id: ArxivId | None
    doi: Doi
    pubmed_id: PubmedId | None
    url: PageUrl
    pdf: str | None
    references: list[PaperId]
    citations: list[PaperId]
    citation_count: int


class Author(TypedDict):
    author_id: AuthorId
    name: PersonName
    affiliation: str
    field: str
    papers: list[PaperId]
    citation_count: int
    h_index: int


class Area(TypedDict):
    name: str
    field: str
    category: str
    venues: list[str]
    subjects: list[str]
    methods: list[str]


@seeds.table
def areas(seed: int) -> tuple[Area, ...]:  # noqa: ARG001 - the signature of every table
    """What research is about."""
    return tuple(
        Area(
            name=row["name"],
            field=row["field"],
            category=row["category"],
            venues=row["venues"].split(";"),
            subjects=row["subjects"].split(";"),
            methods=row["methods"].split(";"),
        )
        for row in read_table("research.tsv")
    )


def _drafts(seed: int) -> Iterator[Paper]:
    numbered = {area["name"]: (number, area) for number, area in enumerate(areas(seed))}
    for row in read_table("research_titles.tsv"):
        yield _draft(seed, *numbered[row["area"]], row)
    for number, row in enumerate(read_table("papers.tsv")):
        yield _known(row, number)


def _draft(seed: int, number: int, area: Area, row: Mapping[str, str]) -> Paper:
    """A simulated paper of an area; its turn tells subject and method."""
    turn, title, field = int(row["turn"]), row["title"], area["field"]
    chance = seeds.stream(seed, "paper", number, turn)
    subjects, methods = area["subjects"], area["methods"]
    subject, method = subjects[turn % len(subjects)], methods[(turn // len(subjects)) % len(methods)]
    writers = chance.sample(range(_WRITING), chance.randrange(1, 5))
    authors = [_author_name(seed, number * _AUTHORS_PER_AREA + writer) for writer in sorted(writers)]
    draft = paper_of(
        title, abstract_of(title, field), authors, date.fromisoformat(row["day"]), chance.choice(area["venues"]), field,
        area["category"], number * 100 + turn, kind_of(title, field),
    )  # fmt: skip
    return {**draft, "about": f"{subject} {method} {area['name']}"}


def _author_name(seed: int, number: int) -> AuthorName:
    return {"author_id": str(_FIRST_AUTHOR + number), "name": name_of(seed, "scientist", number)}


# Fields of study without an area of their own -> the field whose authors write about them.
_NEAR = {"Chemistry": "Materials Science"}


def authors_of_field(seed: int, field: str, chance: Random) -> list[AuthorName]:
    """The authors of one area of a field of study."""
    wanted = _NEAR.get(field, field)
    fitting = [number for number, area in enumerate(areas(seed)) if area["field"] == wanted]
    other = [number for number, area in enumerate(areas(seed)) if area["field"] == "Psychology"]
    first = chance.choice(fitting or other) * _AUTHORS_PER_AREA
    return [_author_name(seed, first + n) for n in range(_WRITING)]


def _known(row: Mapping[str, str], number: int) -> Paper:
    names = row["authors"].split(";")
    authors: list[AuthorName] = [
        {"author_id": str(1900000 + seeds.number("author", name) % 90000), "name": name} for name in names
    ]
    day = submitted_on(row["arxiv"])
    category = archive_class(row["arxiv"], row["venue"], row["title"], row["field"])
    paper = paper_of(row["title"], row["summary"], authors, day, row["venue"], row["field"], category, 9000 + number,
                     "JournalArticle")  # fmt: skip
    return known_under(paper, row["arxiv"], int(row["year"]), int(row["cited"]))


def known_under(paper: Paper, arxiv: str, year: int, cited: int) -> Paper:
    """A paper that exists, with the identifiers that follow from its preprint where it has one."""
    named: Paper = {
        **paper,
        "arxiv_id": arxiv or None,
        "year": year,
        "citation_count": cited,
        "pubmed_id": None,
    }
    if not arxiv:
        return {**named, "pdf": None}
    pdf = f"https://papers.example/pdf/{arxiv.replace('/', '-')}.pdf"
    return {**named, "pdf": pdf, "doi": f"10.48550/arXiv.{arxiv}"}


def paper_of(
    title: str, abstract: str, authors: list[AuthorName], day: date, venue: str, field: str, category: str,
    number: int, kind: str,
) -> Paper:  # fmt: skip
    """A paper with the identifiers that follow from its number; a category of none means that there is no preprint."""
    preprint = category != "none"
    key = seeds.token(40, "paper", number)
    arxiv = arxiv_number(day, number) if preprint else None
    return Paper(
        paper_id=key,
        title=title,
        abstract=abstract,
        about=abstract,
        authors=authors,
        names=" ".join(author["name"] for author in authors),
        year=day.year,
        date=day.isoformat(),
        day_known=True,
        venue=venue,
        field=field,
        category=category,
        kind=kind,
        arxiv_id=arxiv,
        doi=f"10.5555/{day.year}.{number:05d}",
        pubmed_id=pubmed_number(day, number) if field in ("Medicine", "Biology", "Psychology") else None,
        url=f"https://papers.example/{key[:12]}",
        pdf=f"https://papers.example/pdf/{arxiv or key[:12]}.pdf" if preprint or number % 2 else None,
        references=[],
        citations=[],
        citation_count=0,
    )


@seeds.table
def papers(seed: int) -> tuple[Paper, ...]:
    """All papers, oldest first; each simulated one cites up to five earlier ones of its area."""
    drafts = sorted(_drafts(seed), key=lambda paper: (paper["date"], paper["paper_id"]))
    cited_by: dict[str, list[str]] = {paper["paper_id"]: [] for paper in drafts}
    cites: dict[str, list[str]] = {paper["paper_id"]: [] for paper in drafts}
    earlier: dict[int, list[str]] = {}
    for paper in drafts:
        first = paper["authors"][0]["author_id"]
        if first >= FIRST_REAL_AUTHOR:  # what exists cites nothing that is simulated, and the other way round
            continue
        near = earlier.setdefault((int(first) - _FIRST_AUTHOR) // _AUTHORS_PER_AREA, [])
        chance = seeds.stream(seed, "cites", paper["paper_id"])
        cites[paper["paper_id"]] = chance.sample(near, min(5, len(near)))
        for other in cites[paper["paper_id"]]:
            cited_by[other].append(paper["paper_id"])
        near.append(paper["paper_id"])
    return linked(drafts, cites, cited_by)


def linked(
    drafts: list[Paper], cites: Mapping[str, list[str]], cited_by: Mapping[str, list[str]]
) -> tuple[Paper, ...]:
    """Papers with what they cite and who cites them."""
    return tuple(
        {
            **paper,
            "references": cites[paper["paper_id"]],
            "citations": cited_by[paper["paper_id"]],
            "citation_count": max(paper["citation_count"], len(cited_by[paper["paper_id"]])),
        }
        for paper in drafts
    )


@seeds.table
def authors(seed: int) -> Mapping[str, Author]:
    """Authors by id, with the papers and the citation counts that follow from the papers."""
    universities = [row["name"] for row in read_table("universities.tsv")]
    written: dict[str, list[Paper]] = {}
    names: dict[str, str] = {}
    for paper in papers(seed):
        for author in paper["authors"]:
            written.setdefault(author["author_id"], []).append(paper)
            names[author["author_id"]] = author["name"]
    return {
        key: Author(
            author_id=key,
            name=names[key],
            # Where those who really wrote the known papers work is not said.
            affiliation=seeds.pick(universities, seed, "affiliation", key) if key < FIRST_REAL_AUTHOR else "",
            field=work[-1]["field"],
            papers=[paper["paper_id"] for paper in work],
            citation_count=sum(paper["citation_count"] for paper in work),
            h_index=h_index([paper["citation_count"] for paper in work]),
        )
        for key, work in sorted(written.items())
    }


def h_index(counts: list[int]) -> int:
    """The largest h such that h papers have at least h citations each (Hirsch, 2005)."""
    return sum(count >= rank for rank, count in enumerate(sorted(counts, reverse=True), start=1))


@seeds.table
def by_key(seed: int) -> Mapping[str, Paper]:
    """Papers by each of their identifiers, in lower case."""
    found: dict[str, Paper] = {}
    for paper in papers(seed):
        for key in (
            paper["paper_id"],
            paper["arxiv_id"],
            paper["doi"],
            paper["pubmed_id"],
            paper["title"],
            paper["url"],
        ):
            if key:
                found[plain(key)] = paper
    return found


@seeds.table
def index(seed: int) -> Index[Paper]:
    """All papers, searchable by title, subject and author."""
    return Index(papers(seed), ("title", "title", "about", "names", "venue"))
