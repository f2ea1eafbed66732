"""Titles of invented books, which fit their kind."""

from collections.abc import Mapping
from typing import Any

from toolyard.world.kernel.tables import table_words, values_of

GENRES = ("Novel", "Thriller", "Poetry", "History", "Science", "Travel", "Biography")
_ADJECTIVES = (
    "Silent Hidden Golden Lost Distant Broken Secret Endless Burning Quiet Crooked Narrow Forgotten".split()
)
_NOUNS = "Harbour Garden River Letter Winter Mirror Island Promise Journey Orchard Lantern Staircase Ferry Bridge".split()
_PLACES = table_words("fake_books.places")
_THINGS = table_words("fake_books.things")
_STUDIES = table_words("fake_books.studies")
# Forms of a title by kind of book; further ones than those of a novel would be odd for it.
_FORMS: Mapping[str, tuple[str, ...]] = values_of("fake_books.forms")
_ONE = frozenset({"Moss", "Rust", "Sleep", "Dust", "Ice", "Sound", "Colour"})


def book_title(fake: Any, genre: str) -> str:
    """An English title for a book of a kind."""
    noun, other = fake.random.sample(_NOUNS, 2)
    study = fake.random.choice(_STUDIES)
    form = fake.random.choice(_FORMS[genre])
    if study in _ONE:
        form = form.replace("Matter", "Matters")
    return str(
        form.format(
            adjective=fake.random.choice(_ADJECTIVES),
            noun=noun,
            other=other,
            place=fake.random.choice(_PLACES),
            thing=fake.random.choice(_THINGS),
            study=study,
            name=fake.last_name(),
        )
    )
