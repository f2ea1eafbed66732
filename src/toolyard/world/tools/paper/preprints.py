"""Paper/arxiv and Paper/pubmed: preprints and biomedical articles."""

import re
from typing import Annotated, TypedDict

from toolyard.world.index import words
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import fold_case, plain
from toolyard.world.kernel.types import Page, PastDate, PersonName, Range, SearchText
from toolyard.world.kernel.views import View
from toolyard.world.simulated.scholarship import (
    ArxivId,
    Doi,
    Paper,
    PubmedId,
    Title,
    find_paper,
    found_papers,
    near_titles,
    papers,
)

_ANSWERS = 5
ARXIV, PUBMED = Group("Paper/arxiv"), Group("Paper/pubmed")
_TERM = re.compile(r'(ti|au|abs|cat|all|jr):("[^"]{0,200}"|\([^()]{0,200}\)|\S{1,200})')
# Archives of arXiv that have categories of their own, beside those of the preprints on record.
_ARCHIVES = ("astro-ph", "cond-mat", "cs", "econ", "eess", "gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math",
             "math-ph", "nlin", "nucl-ex", "nucl-th", "physics", "q-bio", "q-fin", "quant-ph", "stat")  # fmt: skip
_JOINT = re.compile(r"\b(?:AND|OR|ANDNOT)\b")


class Preprint(TypedDict):
    arxiv_id: ArxivId
    title: Title
    summary: str
    authors: list[PersonName]
    published: PastDate
    category: str
    pdf: str


class Medline(TypedDict):
    pubmed_id: PubmedId
    title: Title
    published: PastDate
    journal: str
    authors: list[PersonName]
    doi: Doi
    abstract: str


def _author_names(paper: Paper) -> list[str]:
    return [author["name"] for author in paper["authors"]]


PREPRINT = View.of(Preprint, summary="abstract", authors=_author_names, published="date")
ARTICLE = View.of(Medline, published="date", journal="venue", authors=_author_names)


def _preprint_fits(paper: Paper, prefix: str, value: str) -> bool:
    wanted = plain(value.strip('"()'))
    if prefix == "cat":
        return fold_case(paper["category"]).startswith(wanted.rstrip("*"))
    said = f"{paper['title']} {paper['abstract']} {paper['about']}"
    fields = {"ti": paper["title"], "au": paper["names"], "abs": said, "jr": paper["venue"]}
    text = plain(fields.get(prefix, f"{said} {paper['names']}"))
    return all(word in text for word in wanted.replace("+", " ").split())


def _is_preprint(paper: Paper) -> bool:
    return paper["arxiv_id"] is not None


def _arxiv_search(world: World, query: str) -> list[Paper]:
    """Preprints for the arXiv query syntax; terms joined by OR or by nothing are ranked, those with AND all needed."""
    query = query[:1000].replace("+", " ")
    terms = _TERM.findall(query)
    text = _JOINT.sub(" ", _TERM.sub(lambda term: f" {term[2]} ", _split_andnot(query)[0]))
    ranked = found_papers(world.seed, text, _is_preprint) if words(text) else []
    if not terms:
        return ranked
    every = {paper["paper_id"]: paper for paper in (*ranked, *filter(_is_preprint, papers(world.seed)))}
    test = any if " OR " in query else all
    wanted, unwanted = (_TERM.findall(part) for part in _split_andnot(query))
    return [
        paper
        for paper in every.values()
        if (not wanted or test(_preprint_fits(paper, *term) for term in wanted))
        and not any(_preprint_fits(paper, *term) for term in unwanted)
    ]


def _split_andnot(query: str) -> tuple[str, str]:
    """A query in two parts: what is wanted, and what stands behind each ANDNOT."""
    parts = [re.split(r"\s(?=AND\b|OR\b)", part, maxsplit=1) for part in query.split(" ANDNOT ")]
    rest = (part[1] for part in parts[1:] if len(part) > 1)
    return " ".join((*parts[0], *rest)), " ".join(part[0] for part in parts[1:])


@ARXIV.tool(
    examples=[
        {"search_query": "all:blockchain AND all:finance", "max_results": 3},
        {"search_query": "black holes astrophysics", "start": 0, "max_results": 9},
        {"id_list": ["1706.03762"]},
    ],
    phrase=(
        "look for preprints on arXiv[ that match {search_query}][, with the id list set to {id_list}][, with "
        "the number of results to skip set to {start}][, with the maximum number of results set to "
        "{max_results}]"
    ),
    noun="the list of arXiv preprints",
    jobs=("papers",),
)
def arxiv_query(
    world: World,
    *,
    search_query: SearchText | None = None,
    id_list: list[ArxivId] | None = None,
    start: Annotated[int, Range(0, 30000)] = 0,
    max_results: Annotated[int, Range(1, 25)] = 10,
) -> Page[Preprint]:
    """Preprints that fit a query or have the given ids.

    search_query: Words, or terms with a prefix (ti, au, abs, cat, jr, all) joined by AND, OR or ANDNOT, e.g. cat:quant-ph.
    id_list: arXiv ids; with a query, only those of them that fit it.
    start: How many results to skip.
    max_results: How many results to return.
    """
    if search_query is None and id_list is None:
        raise invalid("search_query", None, "give search_query, id_list or both")
    _check_categories(world, search_query or "")
    keys = list(dict.fromkeys(fold_case(key).split("v")[0].removeprefix("arxiv:") for key in id_list or ()))
    if search_query is None:
        known = (find_paper(world.seed, key) for key in keys)
        found = [paper for paper in known if paper is not None and paper["arxiv_id"] in keys]
    else:
        ranked = _arxiv_search(world, search_query)
        found = [paper for paper in ranked if id_list is None or paper["arxiv_id"] in keys]
    if not found and search_query is None:
        raise not_found(
            "preprint with id", str((id_list or [""])[0])[:40], such_as=["1706.03762", "2303.08774"]
        )
    if not found and id_list is None and not _TERM.search(search_query or ""):
        raise not_found("preprint on", str(search_query)[:80], nearest=near_titles(str(search_query)))
    return PREPRINT.page(found, start, max_results)


def _check_categories(world: World, query: str) -> None:
    """An invalid_value fault where no preprint has a category that is asked for."""
    known = sorted({paper["category"] for paper in papers(world.seed)} - {"none"})
    for prefix, value in _TERM.findall(query):
        wanted = plain(value.strip('"()')).rstrip("*")
        archive = wanted.partition(".")[0]
        if (
            prefix == "cat"
            and archive not in _ARCHIVES
            and not any(fold_case(name).startswith(wanted) for name in known)
        ):
            raise invalid(
                "search_query", f"cat:{value}"[:60], f"categories are {', '.join(known[:12])} and others"
            )


@PUBMED.tool(
    examples=[{"query": "aerobic exercise and cardiovascular health"}],
    phrase="search PubMed for biomedical articles on {query}",
    noun="the list of PubMed articles",
    jobs=("papers",),
)
def pubmed_query_run(world: World, *, query: SearchText) -> list[Medline]:
    """Up to five biomedical articles that fit a question.

    query: The question or some words.
    """
    if not words(query):
        raise invalid("query", query, "give a question or some words")
    found = found_papers(world.seed, query, lambda paper: paper["pubmed_id"] is not None)
    if not found:
        raise not_found("article on", query[:80], nearest=near_titles(query), such_as=("sleep", "vaccine"))
    return ARTICLE.rows(found[:_ANSWERS])
