"""Paper/meta_analysis: papers and authors with their citations."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import EPOCH, World
from toolyard.world.kernel.tables import filter_rows, fold_case, page_of, plain, table_words
from toolyard.world.kernel.types import IsoDate, Page, PageUrl, PersonName, Range, SearchText, Semantic, Year
from toolyard.world.kernel.views import View
from toolyard.world.simulated.scholarship import (
    ArxivId,
    Author,
    AuthorId,
    AuthorName,
    Doi,
    Paper,
    PaperId,
    PubmedId,
    Title,
    find_author,
    find_paper,
    found_papers,
    listed_authors,
    near_titles,
    papers,
)

SCHOLAR = Group("Paper/meta_analysis")
AnyPaperId = Annotated[str, Semantic("paper_id", accepts=("arxiv_id", "doi", "pubmed_id"))]
Limit = Annotated[int, Range(1, 20)]
Offset = Annotated[int, Range(0, 9999)]
PublicationType = Literal["Review", "JournalArticle", "CaseReport", "ClinicalTrial", "Dataset", "Editorial",
                          "LettersAndComments", "MetaAnalysis", "News", "Study", "Book", "BookSection"]  # fmt: skip
PaperField = Literal["title", "abstract", "authors", "year", "publicationDate", "venue", "fieldsOfStudy", "url",
                     "openAccessPdf", "citationCount", "referenceCount", "externalIds", "publicationTypes",
                     "citations", "references"]  # fmt: skip
AuthorField = Literal["name", "affiliations", "paperCount", "citationCount", "hIndex", "papers"]
_YEARS = re.compile(r"(\d{4})?(-)?(\d{4})?")
FIELDS = table_words("papers.fields")


class ExternalIds(TypedDict):
    arxiv: ArxivId | None
    doi: Doi
    pubmed: PubmedId | None


class PaperRow(TypedDict, total=False):
    paperId: PaperId
    title: Title
    abstract: str
    authors: list[AuthorName]
    year: Year
    publicationDate: IsoDate
    venue: str
    fieldsOfStudy: list[str]
    url: PageUrl
    openAccessPdf: str | None
    citationCount: int
    referenceCount: int
    externalIds: ExternalIds
    publicationTypes: list[str]
    citations: list[PaperId]
    references: list[PaperId]


class AuthorRow(TypedDict, total=False):
    authorId: AuthorId
    name: PersonName
    affiliations: list[str]
    paperCount: int
    citationCount: int
    hIndex: int
    papers: list[PaperId]


class Match(TypedDict):
    id: PaperId
    title: Title
    authorsYear: str


PAPER = View.of(
    PaperRow,
    paperId="paper_id",
    publicationDate="date",
    fieldsOfStudy=lambda paper: [paper["field"]],
    openAccessPdf="pdf",
    citationCount="citation_count",
    referenceCount=lambda paper: len(paper["references"]),
    externalIds=View.of(ExternalIds, arxiv="arxiv_id", pubmed="pubmed_id").row,
    publicationTypes=lambda paper: [paper["kind"]],
)
AUTHOR = View.of(
    AuthorRow,
    authorId="author_id",
    affiliations=lambda author: [author["affiliation"]],
    paperCount=lambda author: len(author["papers"]),
    citationCount="citation_count",
    hIndex="h_index",
)


def _select_fields(
    row: Mapping[str, object], key: str, fields: Sequence[str] | None, default: tuple[str, ...]
) -> Any:
    return {name: row[name] for name in (key, *(fields or default))}


def _paper_page(
    found: Sequence[Paper], fields: list[PaperField] | None, offset: int, limit: int
) -> Page[PaperRow]:
    shown = ("title", "year", "authors")
    return page_of(
        found, lambda paper: _select_fields(PAPER.row(paper), "paperId", fields, shown), limit, offset
    )


def _year_range(text: str | None) -> tuple[int, int]:
    match = _YEARS.fullmatch((text or "-").strip())
    if match is None or not (match[1] or match[2]):
        raise invalid("year", text, "want a year such as 2019 or a range such as 2016-2020, 2010- or -2015")
    first, last = int(match[1] or 0), int(match[3] or (9999 if match[2] else match[1]))
    if first > last:
        raise invalid("year", text, "the first year of a range must not be after the last")
    if first > EPOCH.year:
        raise invalid("year", text, f"papers are known up to {EPOCH.year}")
    return first, last


@SCHOLAR.tool(
    examples=[{"query": "computer vis"}],
    phrase="complete the paper title that begins with {query}",
    noun="the list of paper title completions",
    jobs=("papers",),
)
def get_paper_complete(world: World, *, query: SearchText) -> list[Match]:
    """Up to ten papers whose title has what has been typed, with first author and year.

    query: Beginning of a title, or of words in it.
    """
    typed = " ".join(plain(query[:100]).split())
    if not typed:
        raise invalid("query", query[:40], "give the beginning of a title")
    found = [paper for paper in papers(world.seed) if f" {typed}" in f" {plain(paper['title'])}"]
    first = sorted(found, key=lambda paper: not plain(paper["title"]).startswith(typed))
    return [
        {"id": paper["paper_id"], "title": paper["title"], "authorsYear": _authors_year(paper)}
        for paper in first[:10]
    ]


def _authors_year(paper: Paper) -> str:
    others = " et al." if len(paper["authors"]) > 1 else ""
    return f"{paper['authors'][0]['name']}{others}, {paper['year']}"


@SCHOLAR.tool(
    examples=[
        {"query": "computer vision"},
        {"query": "sleep duration", "fields": ["title", "externalIds"], "limit": 2},
        {"query": "neural", "fields": ["title", "publicationDate", "externalIds", "url"], "limit": 3},
        {"query": "machine learning", "year": "2018-2022", "fields": ["title", "citationCount"], "limit": 5},
    ],
    phrase=(
        "search by keywords for research papers on {query}[, with the publication year set to {year}][, with "
        "the venue set to {venue}][, with the fields of study set to {fieldsOfStudy}][, with free PDF only "
        "set to {openAccessPdf}][, showing the fields {fields}][, with the number of papers to skip set to "
        "{offset}][, with the limit set to {limit}]"
    ),
    noun="the list of papers found by keywords",
    jobs=("papers",),
)
def get_papers_by_keywords(
    world: World,
    *,
    query: SearchText,
    fields: list[PaperField] | None = None,
    publicationTypes: list[PublicationType] | None = None,
    openAccessPdf: bool | None = None,
    year: str | None = None,
    venue: str | None = None,
    fieldsOfStudy: list[str] | None = None,
    offset: Offset = 0,
    limit: Limit = 10,
) -> Page[PaperRow]:
    """Papers that fit some words, narrowed by type, year, venue and field of study.

    query: Words of the subject.
    fields: What to show of each paper; title, year and authors if left out.
    publicationTypes: Only papers of one of these types.
    openAccessPdf: true for papers with a free PDF only.
    year: A year or a range, e.g. 2019, 2016-2020, 2010- or -2015.
    venue: Name of the journal or conference.
    fieldsOfStudy: Only these fields, e.g. Computer Science, Medicine, Physics.
    offset: How many papers to skip.
    limit: How many papers to return.
    """
    if not plain(query):
        raise invalid("query", query, "give some words of the subject")
    first, last = _year_range(year)
    studied = {fold_case(name) for name in fieldsOfStudy or ()}
    unknown = studied - {fold_case(name) for name in FIELDS}
    if unknown:
        raise invalid("fieldsOfStudy", sorted(unknown)[0][:60], f"the fields are {', '.join(FIELDS)}")
    known = found_papers(world.seed, query)
    if not known:
        raise not_found(
            "paper on", query[:80], nearest=near_titles(query), such_as=("machine learning", "sleep")
        )
    found = [
        paper
        for paper in known
        if first <= paper["year"] <= last
        and (not publicationTypes or paper["kind"] in publicationTypes)
        and (not openAccessPdf or paper["pdf"])
        and (not studied or fold_case(paper["field"]) in studied)
    ]
    if venue is not None:
        venues = {paper["venue"] for paper in papers(world.seed)}
        if fold_case(venue) not in map(fold_case, venues):
            raise not_found("venue", venue[:60], known=sorted(venues))
    return _paper_page(filter_rows(found, venue=venue), fields, offset, limit)


def _find_paper(world: World, wanted: str) -> Paper:
    paper = find_paper(world.seed, wanted)
    if paper is None:
        known = ["ARXIV:1706.03762", *(row["paper_id"] for row in papers(world.seed)[:2])]
        raise not_found("paper", wanted[:80], nearest=near_titles(wanted), such_as=known)
    return paper


@SCHOLAR.tool(
    examples=[{"paper_id": "ARXIV:1706.03762"}],
    phrase=(
        "show everything known about the paper whose id is {paper_id}, with its references and citing "
        "papers[, showing only the fields {fields}]"
    ),
    noun="the paper details",
    jobs=("papers",),
)
def get_paper_details(
    world: World, *, paper_id: AnyPaperId, fields: list[PaperField] | None = None
) -> PaperRow:
    """Everything about one paper, with the ids of what it cites and of what cites it.

    paper_id: Id of the paper; ARXIV:, DOI: and PMID: in front of such a number are understood.
    fields: What to show; everything if left out.
    """
    row = PAPER.row(_find_paper(world, paper_id))
    return row if fields is None else _select_fields(row, "paperId", fields, ())


def _find_author(world: World, author_id: str) -> Author:
    author = find_author(world.seed, author_id)
    if author is None:
        raise not_found("author with id", author_id[:40], known=list(listed_authors(world.seed)))
    return author


@SCHOLAR.tool(
    examples=[{"query": "Goodfellow"}, {"query": "Wang", "limit": 3, "fields": ["name", "hIndex", "papers"]}],
    phrase=(
        "search by name for research authors called {query}[, showing the fields {fields}][, with the number "
        "of authors to skip set to {offset}][, with the limit set to {limit}]"
    ),
    noun="the list of matching authors",
)
def get_author_by_name(
    world: World,
    *,
    query: Annotated[str, Semantic("person")],
    offset: Offset = 0,
    limit: Limit = 10,
    fields: list[AuthorField] | None = None,
) -> Page[AuthorRow]:
    """Authors whose name has these words, most cited first.

    query: Name or part of it.
    offset: How many authors to skip.
    limit: How many authors to return.
    fields: What to show of each; name and number of papers if left out.
    """
    if not plain(query):
        raise invalid("query", query, "give a name or a part of one")
    wanted = plain(query).replace(".", " ").split()
    known = listed_authors(world.seed).values()
    found = [row for row in known if set(wanted) <= set(plain(row["name"]).replace("-", " ").split())]
    found = found or [row for row in known if all(word in plain(row["name"]) for word in wanted)]
    found.sort(key=lambda row: -row["citation_count"])
    shown = ("name", "paperCount")
    return page_of(
        found, lambda row: _select_fields(AUTHOR.row(row), "authorId", fields, shown), limit, offset
    )


@SCHOLAR.tool(
    examples=[{"author_id": "1700000"}],
    phrase=(
        "show the details, such as affiliation and h-index, of the author whose id is {author_id}[, showing "
        "only the fields {fields}]"
    ),
    noun="the author profile",
)
def get_author_details(
    world: World, *, author_id: AuthorId, fields: list[AuthorField] | None = None
) -> AuthorRow:
    """An author's affiliation, papers, citations and h-index.

    author_id: Id of the author.
    fields: What to show; everything if left out.
    """
    row = AUTHOR.row(_find_author(world, author_id))
    return row if fields is None else _select_fields(row, "authorId", fields, ())


@SCHOLAR.tool(
    examples=[
        {
            "author_id": "1700001",
            "fields": ["title", "authors", "year", "publicationDate", "externalIds", "url"],
        },
        {"author_id": "1700040", "fields": ["title", "year", "citationCount"]},
    ],
    phrase=(
        "list the papers of the author whose id is {author_id}, showing the fields {fields}[, with the "
        "number of papers to skip set to {offset}][, with the limit set to {limit}]"
    ),
    noun="the list of the author's papers",
    jobs=("papers",),
)
def get_author_papers(
    world: World, *, author_id: AuthorId, fields: list[PaperField], offset: Offset = 0, limit: Limit = 10
) -> Page[PaperRow]:
    """The papers of one author, newest first.

    author_id: Id of the author.
    fields: What to show of each paper.
    offset: How many papers to skip.
    limit: How many papers to return.
    """
    found = [_find_paper(world, key) for key in reversed(_find_author(world, author_id)["papers"])]
    return page_of(
        found, lambda paper: _select_fields(PAPER.row(paper), "paperId", fields, ("title",)), limit, offset
    )
