"""Which papers fit some words: the well-known ones first, then simulated ones."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.world.search import words
from toolyard.world.shared.further_papers import (
    further_papers,
    known_about,
    known_papers,
    looked_for,
    simulated_about,
    typed_papers,
)
from toolyard.world.shared.scholarship import FIRST_REAL_AUTHOR, Paper, index
from toolyard.world.state import World
from toolyard.world.tables import plain

# So few well-known papers are followed by simulated ones on the same subject.
_FEW = 3
_MUCH_CITED = 1000


def is_real(paper: Paper) -> bool:
    """Whether a listed paper exists: its authors do."""
    return paper["authors"][0]["author_id"] >= FIRST_REAL_AUTHOR


def _nearness(paper: Paper, wanted: set[str]) -> tuple[int, int, int]:
    """Sorts papers by how many words they lack, then by those that their title lacks, then by citations."""
    title = set(words(looked_for(paper)))
    return len(wanted - title - set(words(paper["about"]))), len(wanted - title), -paper["citation_count"]


def _fits(paper: Paper, wanted: set[str]) -> bool:
    """Whether a paper has most of the words; half of them do for one that everybody cites."""
    missing = 2 * _nearness(paper, wanted)[0]
    return missing < len(wanted) or (missing == len(wanted) and paper["citation_count"] >= _MUCH_CITED)


def _of_field(query: str) -> list[Paper]:
    """The well-known papers of a field of study that a query names, the most cited first."""
    found = [paper for paper in known_papers() if plain(paper["field"]) == plain(query)]
    return sorted(found, key=lambda paper: -paper["citation_count"])


def matching(world: World, query: str, kinds: Sequence[str] = ()) -> list[Paper]:
    """Papers for some words, well-known ones first; derived ones where none has all the words.

    kinds: Types asked for; papers of a type that the others lack are derived.
    """
    found, known, wanted = index(world.seed).search(query), known_about(query), set(words(query))
    known = [*known, *_of_field(query)]
    real = [paper for paper in found if is_real(paper) and _fits(paper, wanted)]
    first = sorted((*known, *real), key=lambda paper: _nearness(paper, wanted))
    whole = any(_nearness(paper, wanted)[0] == 0 for paper in first) or index(world.seed).search(
        query, bound=1.0
    )
    derived = [] if whole else further_papers(world.seed, query)
    if whole and len(first) < _FEW and not index(world.seed).search(query, bound=1.0):
        derived = simulated_about(world.seed, query)
    missing = 0 if first or derived else (len(wanted) - 1) // 2
    found = [paper for paper in found if _nearness(paper, wanted)[0] <= missing]
    ranked = [*first, *derived, *found, *typed_papers(world.seed, query, kinds)]
    return list({paper["paper_id"]: paper for paper in ranked}.values())
