"""Which papers cite which across the tables: known links of papers that exist, and those of simulated ones."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.world import seeds
from toolyard.world.shared.further_papers import derived_papers, known_authors, known_papers
from toolyard.world.shared.paper_links import cited_titles
from toolyard.world.shared.scholarship import Author, Paper, authors, h_index, papers
from toolyard.world.tables import plain


@seeds.table
def _known_ids(seed: int) -> Mapping[str, str]:
    """Plain title -> id of the papers that exist."""
    rows = (*papers(seed), *known_papers())
    return {plain(paper["title"]): paper["paper_id"] for paper in rows if plain(paper["title"]) in _linked()}


def _linked() -> set[str]:
    return {*cited_titles(), *(title for titles in cited_titles().values() for title in titles)}


@seeds.table
def _citing(seed: int) -> Mapping[str, tuple[str, ...]]:
    """Id of a paper that exists -> the ids of those that exist and cite it, oldest first."""
    found: dict[str, tuple[str, ...]] = {}
    ids = _known_ids(seed)
    for paper in sorted((*known_papers(), *papers(seed)), key=lambda paper: paper["date"]):
        for title in cited_titles().get(plain(paper["title"]), ()):
            found[ids[title]] = (*found.get(ids[title], ()), paper["paper_id"])
    return found


def references(seed: int, paper: Paper) -> list[str]:
    """The ids of the papers on record that a paper cites."""
    known = [_known_ids(seed)[title] for title in cited_titles().get(plain(paper["title"]), ())]
    return list(dict.fromkeys((*known, *paper["references"])))


def citations(seed: int, paper: Paper) -> list[str]:
    """The ids of the papers on record that cite a paper, those that exist first."""
    known = _citing(seed).get(paper["paper_id"], ())
    return list(dict.fromkeys((*known, *paper["citations"])))


@seeds.table
def every_author(seed: int) -> Mapping[str, Author]:
    """The listed authors by id, each with all papers that one table or the other holds, oldest first."""
    found = dict(authors(seed))
    years = {paper["paper_id"]: (paper["year"], paper["date"]) for paper in (*papers(seed), *known_papers())}
    for author in known_authors():
        own = found.get(author["author_id"])
        if own is not None:
            found[own["author_id"]] = _joined(own, author, years)
    return found


def _joined(one: Author, other: Author, days: Mapping[str, tuple[int, str]]) -> Author:
    papers_of = sorted({*one["papers"], *other["papers"]}, key=lambda key: (days[key], key))
    count = one["citation_count"] + other["citation_count"]
    return {**one, "papers": papers_of, "citation_count": count}


def with_derived(seed: int, author: Author) -> Author:
    """An author with the papers that the running world has derived so far as well."""
    key = author["author_id"]
    own = [paper for paper in derived_papers(seed) if key in (one["author_id"] for one in paper["authors"])]
    if not own:
        return author
    rows = {paper["paper_id"]: paper for paper in (*papers(seed), *own)}
    every = sorted(
        {*author["papers"], *(paper["paper_id"] for paper in own)},
        key=lambda one: (rows[one]["year"], rows[one]["date"], one),
    )
    counts = [rows[one]["citation_count"] for one in every]
    return {**author, "papers": every, "citation_count": sum(counts), "h_index": h_index(counts)}


def authors_called(seed: int, query: str) -> list[Author]:
    """The authors of the tables whose name has these words, most cited first."""
    wanted = set(plain(query).replace(".", " ").split())
    known = {author["author_id"]: author for author in known_authors()} | dict(every_author(seed))
    whole = [row for row in known.values() if wanted <= set(plain(row["name"]).replace("-", " ").split())]
    found = whole or [row for row in known.values() if all(word in plain(row["name"]) for word in wanted)]
    found = [with_derived(seed, row) for row in found]
    return sorted(found, key=lambda row: -row["citation_count"])
