"""Articles of medicine and biology that are known to everybody in the field, with their numbers in PubMed."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import date

from toolyard.world import seeds
from toolyard.world.search import Index
from toolyard.world.shared.scholarship import AuthorName, Paper, paper_of
from toolyard.world.tables import read_table

# The part of a question that an article must share to be an answer.
_RELEVANT = 0.6
_BIOLOGY = ("Science", "Nature")


def draft_of(row: Mapping[str, str], authors: list[AuthorName], number: int) -> Paper:
    """An article of the table, which cites nothing yet."""
    day = date.fromisoformat(row["day"])
    field = "Biology" if row["venue"] in _BIOLOGY else "Medicine"
    found = paper_of(
        row["title"], row["abstract"], authors, day, row["venue"], field, "none", number, "JournalArticle"
    )
    cited = round(1100 * min(20, 2025 - day.year) * (0.5 + seeds.unit("cited", row["title"])))
    return {**found, "doi": row["doi"], "pubmed_id": row["pmid"], "pdf": None, "citation_count": cited}


def trial_rows() -> list[dict[str, str]]:
    """The rows of the table."""
    return list(read_table("landmark_trials.tsv"))


@functools.cache
def _index() -> Index[dict[str, str]]:
    return Index(trial_rows(), ("title", "title", "abstract", "venue"))


def trials_on(query: str) -> list[str]:
    """The titles of the articles that answer a question, best first."""
    return [row["title"] for row in _index().search(query, bound=_RELEVANT)]
