"""Articles of medicine and biology that are known to everybody in the field, with their numbers in PubMed."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import date

from toolyard.world.search import Index, words
from toolyard.world.shared.paper_links import on_record
from toolyard.world.shared.paper_titles import asked_subject
from toolyard.world.shared.scholarship import AuthorName, Paper, paper_of
from toolyard.world.tables import plain, read_table

# The part of a question that an article must share to be an answer.
_RELEVANT = 0.6
_BIOLOGY = ("Science", "Nature")


def draft_of(row: Mapping[str, str], authors: list[AuthorName], number: int) -> Paper:
    """An article of the table, which cites nothing yet."""
    day = date.fromisoformat(row["day"])
    field = "Biology" if row["venue"] in _BIOLOGY else "Medicine"
    found = paper_of(
        row["title"], row["abstract"], authors, day, row["venue"], field, "none", number, row["kind"]
    )
    return {**found, "doi": row["doi"], "pubmed_id": row["pmid"], "pdf": None}


def trial_rows() -> list[dict[str, str]]:
    """The rows of the table."""
    return list(read_table("landmark_trials.tsv"))


@functools.cache
def _index() -> Index[dict[str, str]]:
    known = on_record()
    rows = [{**row, "words": known[plain(row["title"])].words} for row in trial_rows()]
    return Index(rows, ("title", "title", "abstract", "venue", "words"))


def trials_on(query: str) -> list[str]:
    """The titles of the articles that answer a question, best first."""
    sought = [word for word in words(asked_subject(query)) if word not in _ANY_STUDY]
    return [row["title"] for row in _index().search(" ".join(sought) or query, bound=_RELEVANT)]


# What studies of anything speak of.
_ANY_STUDY = frozenset(
    words(
        "effect effects side risk risks treatment treatments patient patients study studies trial trials benefit benefits "
        "long term use and safe safety therapy evidence outcomes adults people"
    )
)
