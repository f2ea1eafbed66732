"""Paper: the journals and conferences on record."""

from __future__ import annotations

from toolyard.world.faults import not_found
from toolyard.world.shared.further_papers import known_papers
from toolyard.world.shared.scholarship import papers
from toolyard.world.state import World
from toolyard.world.tables import fold

FIELDS = (
    "Biology", "Computer Science", "Economics", "Engineering", "Environmental Science", "Materials Science", "Mathematics",
    "Medicine", "Physics", "Psychology", "Agricultural and Food Sciences", "Art", "Business", "Chemistry", "Education",
    "Geography", "Geology", "History", "Law", "Linguistics", "Philosophy", "Political Science", "Sociology",
)  # fmt: skip


def check_venue(world: World, venue: str) -> None:
    """A not_found fault where no paper at all appeared in a journal or conference of this name."""
    known = {paper["venue"] for paper in (*known_papers(), *papers(world.seed))}
    if fold(venue) not in map(fold, known):
        raise not_found("venue", venue[:60], known=sorted(known))
