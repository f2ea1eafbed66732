"""Paper/arxiv and Paper/pubmed: preprints and biomedical articles."""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypedDict

from toolyard.world.faults import invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.further_papers import (
    clinical_papers,
    further_papers,
    known_about,
    known_papers,
    paper_under,
)
from toolyard.world.shared.geography import plain
from toolyard.world.shared.scholarship import ArxivId, Doi, Paper, PubmedId, Title, index, papers
from toolyard.world.shared.trials import trials_on
from toolyard.world.state import World
from toolyard.world.tables import fold
from toolyard.world.types import Page, PastDate, PersonName, Range, SearchText
from toolyard.world.worlds.paper.matching import is_real

_ANSWERS = 5
# So few articles are followed by simulated ones on the same subject.
_FEW = 3
ARXIV, PUBMED = "Paper/arxiv", "Paper/pubmed"
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


def _preprint_fits(paper: Paper, prefix: str, value: str) -> bool:
    wanted = plain(value.strip('"()'))
    if prefix == "cat":
        return fold(paper["category"]).startswith(wanted.rstrip("*"))
    said = f"{paper['title']} {paper['abstract']} {paper['about']}"
    fields = {"ti": paper["title"], "au": paper["names"], "abs": said, "jr": paper["venue"]}
    text = plain(fields.get(prefix, f"{said} {paper['names']}"))
    return all(word in text for word in wanted.replace("+", " ").split())


def _ranked(world: World, text: str, key: Literal["arxiv_id", "pubmed_id"]) -> list[Paper]:
    """Papers with such an id for some words, best first; further ones first where none of them has all the words."""
    table = index(world.seed)
    full = table.search(text, bound=1.0, where=lambda paper: paper[key] is not None)
    known = [paper for paper in known_about(text) if paper[key] is not None]
    full = full or known
    medical = key == "pubmed_id"

    def listed(paper: Paper) -> bool:
        return paper[key] is not None and (medical or paper["field"] != "Medicine")

    further = [] if full else further_papers(world.seed, text, listed, clinical=medical)
    if medical and further and "/on/" in further[0]["url"]:
        further = clinical_papers(world.seed, text)
    near = table.search(text, bound=1.0 if full or further else 0.6)
    ranked = (*known, *further, *near)
    return list({paper["paper_id"]: paper for paper in ranked}.values())


def _arxiv_search(world: World, query: str) -> list[Paper]:
    """Papers for the arXiv query syntax; terms joined by OR or by nothing are ranked, those with AND all needed."""
    query = query[:1000].replace("+", " ")
    terms = _TERM.findall(query)
    text = _JOINT.sub(" ", _TERM.sub(lambda term: f" {term[2]} ", _without(query)[0]))
    found = _ranked(world, text, "arxiv_id") if words(text) else list(papers(world.seed))
    if not terms:
        return found
    every = {paper["paper_id"]: paper for paper in (*found, *known_papers(), *papers(world.seed))}
    test = any if " OR " in query else all
    wanted, unwanted = (_TERM.findall(part) for part in _without(query))
    return [
        paper
        for paper in every.values()
        if (not wanted or test(_preprint_fits(paper, *term) for term in wanted))
        and not any(_preprint_fits(paper, *term) for term in unwanted)
    ]


def _without(query: str) -> tuple[str, str]:
    """A query in two parts: what is wanted, and what stands behind each ANDNOT."""
    parts = [re.split(r"\s(?=AND\b|OR\b)", part, maxsplit=1) for part in query.split(" ANDNOT ")]
    rest = (part[1] for part in parts[1:] if len(part) > 1)
    return " ".join((*parts[0], *rest)), " ".join(part[0] for part in parts[1:])


@tool(
    ARXIV,
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
    """Preprints that fit a query or have the given ids. A choice of well-known ones is real, with their first authors and
    mostly without an abstract; the others are simulated.

    search_query: Words, or terms with a prefix (ti, au, abs, cat, jr, all) joined by AND, OR or ANDNOT, e.g. cat:quant-ph.
    id_list: arXiv ids; with a query, only those of them that fit it.
    start: How many results to skip.
    max_results: How many results to return.
    """
    if search_query is None and id_list is None:
        raise invalid("search_query", None, "give search_query, id_list or both")
    found = _arxiv_search(world, search_query) if search_query is not None else list(papers(world.seed))
    if id_list is not None:
        wanted = dict.fromkeys(fold(key).split("v")[0].removeprefix("arxiv:") for key in id_list)
        further = [] if search_query is not None else [paper_under(world.seed, key) for key in sorted(wanted)]
        found = [paper for paper in (*found, *further) if paper and paper["arxiv_id"] in wanted]
        if search_query is None:  # as they are given
            found.sort(key=lambda paper: list(wanted).index(paper["arxiv_id"] or ""))
    kept = [paper for paper in found if paper["arxiv_id"] is not None]
    if not kept and id_list and search_query is None:
        raise not_found("preprint with id", str(id_list[0])[:40], such_as=["1706.03762", "2303.08774"])
    _check_categories(world, search_query or "")
    items = [_preprint(paper) for paper in kept[start : start + max_results]]
    return {"total": len(kept), "offset": start, "items": items}


def _check_categories(world: World, query: str) -> None:
    """An invalid_value fault where no preprint has a category that is asked for."""
    known = sorted({paper["category"] for paper in (*known_papers(), *papers(world.seed))} - {"none"})
    for prefix, value in _TERM.findall(query):
        wanted = plain(value.strip('"()')).rstrip("*")
        archive = wanted.partition(".")[0]
        if (
            prefix == "cat"
            and archive not in _ARCHIVES
            and not any(fold(name).startswith(wanted) for name in known)
        ):
            raise invalid(
                "search_query", f"cat:{value}"[:60], f"categories are {', '.join(known[:12])} and others"
            )


def _preprint(paper: Paper) -> Preprint:
    return {
        "arxiv_id": paper["arxiv_id"] or "",
        "title": paper["title"],
        "summary": paper["abstract"],
        "authors": [author["name"] for author in paper["authors"]],
        "published": paper["date"],
        "category": paper["category"],
        "pdf": paper["pdf"] or "",
    }


@tool(
    PUBMED,
    examples=[{"query": "aerobic exercise and cardiovascular health"}],
    phrase="search PubMed for biomedical articles on {query}",
    noun="the list of PubMed articles",
    jobs=("papers",),
)
def pubmed_query_run(world: World, *, query: SearchText) -> list[Medline]:
    """Up to five biomedical articles that fit a question. Some landmark studies are real; the others are simulated, with an
    abstract of one sentence on how the study was done.

    query: The question or some words.
    """
    if not words(query):
        raise invalid("query", query, "give a question or some words")
    by_title = {paper["title"]: paper for paper in known_papers()}
    landmarks = [by_title[title] for title in trials_on(query)]
    ranked = [*landmarks, *_ranked(world, query, "pubmed_id")]
    unique = {paper["paper_id"]: paper for paper in ranked if paper["pubmed_id"] is not None}
    if len(unique) < _FEW and all(map(is_real, unique.values())):
        unique |= {paper["paper_id"]: paper for paper in clinical_papers(world.seed, query)}
    found = list(unique.values())[:_ANSWERS]
    return [
        {
            "pubmed_id": paper["pubmed_id"] or "",
            "title": paper["title"],
            "published": paper["date"],
            "journal": paper["venue"],
            "authors": [author["name"] for author in paper["authors"]],
            "doi": paper["doi"],
            "abstract": paper["abstract"],
        }
        for paper in found
    ]
