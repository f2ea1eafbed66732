"""Generated research: papers with authors, venues, dates and citations that agree with each other.

{"paper_id": "0c1f...", "title": "Robust black hole imaging with sparse arrays", "authors": [{"author_id": "17", ...}],
 "year": 2022, "venue": "Monthly Notices", "arxiv_id": "2203.01304", "references": [...], "citations": [...]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.search import Index
from toolyard.world.shared.geography import plain, read_table
from toolyard.world.shared.paper_abstracts import abstract_of
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
_PER_AREA, _AUTHORS_PER_AREA = 20, 12
_OLDEST, _NEWEST = date(2014, 1, 1), date(2024, 5, 10)


class AuthorName(TypedDict):
    author_id: AuthorId
    name: PersonName


class Paper(TypedDict):
    """A paper; `references` and `citations` are ids of other papers of the table, which holds few of those that cite
    a well-known one."""

    paper_id: PaperId
    title: Title
    abstract: str
    authors: list[AuthorName]
    names: str
    year: Year
    date: PastDate
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


_TITLES = (
    "{method} for {subject}",
    "{subject}: evidence from {method}",
    "{subject} studied with {method}",
    "A survey of {subject} in {area}",
    "What {method} tells us about {subject}",
)
_KINDS = ("JournalArticle", "JournalArticle", "Study")


# The first year in which papers on a subject or with a method can have been written.
_SINCE = (
    ("large language model", 2021), ("tool learning", 2022), ("tutoring with language models", 2023),
    ("instruction tuning", 2022),
    ("chain-of-thought", 2022), ("retrieval augmentation", 2021), ("human preference data", 2019),
    ("vision transformers", 2021),
    ("neural radiance", 2020), ("mRNA vaccines", 2021), ("federated learning", 2017), ("base editing", 2016),
    ("protein language models", 2020), ("short videos", 2020), ("black hole shadows", 2019), ("gravitational wave", 2017),
    ("decentralised finance", 2020), ("contrastive pre-training", 2018), ("variational quantum", 2016),
)  # fmt: skip


def _first_day(text: str) -> date:
    return max((date(year, 2, 1) for words, year in _SINCE if words in text), default=_OLDEST)


def _drafts(seed: int) -> Iterator[Paper]:
    titles: set[str] = set()
    for number, area in enumerate(areas(seed)):
        for turn in range(_PER_AREA):
            paper = _draft(seed, area, number, turn)
            if paper["title"] not in titles:  # no two papers have one title
                yield paper
            titles.add(paper["title"])
    for number, row in enumerate(read_table("papers.tsv")):
        yield _known(row, number)


def _draft(seed: int, area: Area, number: int, turn: int) -> Paper:
    chance = seeds.stream(seed, "paper", number, turn)
    subjects, methods = area["subjects"], area["methods"]
    subject, method = subjects[turn % len(subjects)], methods[(turn // len(subjects)) % len(methods)]
    form = "A survey of {subject} in {area}" if turn == 7 else chance.choice(_TITLES[:3] + _TITLES[4:])
    fields = {
        "subject": subject,
        "method": method,
        "n": chance.randrange(40, 5000),
        "m": chance.randrange(2, 9),
    }
    if method.endswith("s") and not method.endswith(("is", "ss", "us")):
        form = form.replace("tells us", "tell us")
    title = form.format(**fields, area=area["name"]).replace(
        f"{area['name']} in {area['name']}", area["name"]
    )
    day = _OLDEST + timedelta(days=chance.randrange((_NEWEST - _OLDEST).days))
    day = max(day, _first_day(f"{subject} {method}") + timedelta(days=(day - _OLDEST).days // 6))
    abstract = abstract_of(chance, area["name"], area["field"], fields)
    if area["name"] in subject:
        abstract = abstract.replace(f"work in {area['name']} concerns", "work in this field concerns")
    writers = chance.sample(range(_AUTHORS_PER_AREA), chance.randrange(1, 5))
    authors = [_author_name(seed, number * _AUTHORS_PER_AREA + writer) for writer in sorted(writers)]
    return paper_of(
        title[0].upper() + title[1:], abstract, authors, day, chance.choice(area["venues"]), area["field"],
        area["category"], number * 100 + turn, "Review" if turn == 7 else chance.choice(_KINDS),
    )  # fmt: skip


def _author_name(seed: int, number: int) -> AuthorName:
    return {"author_id": str(1700000 + number), "name": name_of(seed, "scientist", number)}


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
        authors=authors,
        names=" ".join(author["name"] for author in authors),
        year=day.year,
        date=day.isoformat(),
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
    """All papers, oldest first; each simulated one cites up to six earlier ones, mostly of its own category."""
    drafts = sorted(_drafts(seed), key=lambda paper: (paper["date"], paper["paper_id"]))
    cited_by: dict[str, list[str]] = {paper["paper_id"]: [] for paper in drafts}
    cites: dict[str, list[str]] = {}
    # The earlier papers of each category, and those of all others.
    within: dict[str, list[str]] = {paper["category"]: [] for paper in drafts}
    beyond: dict[str, list[str]] = {category: [] for category in within}
    for paper in drafts:
        chance = seeds.stream(seed, "cites", paper["paper_id"])
        near, far = within[paper["category"]], beyond[paper["category"]]
        chosen = [*chance.sample(near, min(5, len(near))), *chance.sample(far, min(1, len(far)))]
        if (
            paper["authors"][0]["author_id"] >= FIRST_REAL_AUTHOR
        ):  # what exists cites nothing that is simulated
            chosen = []
        cites[paper["paper_id"]] = chosen
        for other in chosen:
            cited_by[other].append(paper["paper_id"])
        near.append(paper["paper_id"])
        for category, others in beyond.items():
            if category != paper["category"]:
                others.append(paper["paper_id"])
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
    """All papers, searchable by title, abstract and author."""
    return Index(papers(seed), ("title", "title", "abstract", "names", "venue"))
