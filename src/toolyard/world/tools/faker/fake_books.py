"""Titles of invented books, which fit their kind."""

from __future__ import annotations

from typing import Any

GENRES = ("Novel", "Thriller", "Poetry", "History", "Science", "Travel", "Biography")
_ADJECTIVES = (
    "Silent Hidden Golden Lost Distant Broken Secret Endless Burning Quiet Crooked Narrow Forgotten".split()
)
_NOUNS = "Harbour Garden River Letter Winter Mirror Island Promise Journey Orchard Lantern Staircase Ferry Bridge".split()
_PLACES = (
    "Alps",
    "Baltic",
    "Andes",
    "Danube",
    "Hebrides",
    "Silk Road",
    "Sahara",
    "Balkans",
    "Pacific",
    "Rhine",
)
_THINGS = (
    "Salt",
    "Paper",
    "Glass",
    "Canals",
    "Bridges",
    "Clocks",
    "Maps",
    "Bread",
    "Rope",
    "Lighthouses",
    "Ink",
)
_STUDIES = (
    "Moss",
    "Tides",
    "Rust",
    "Sleep",
    "Bees",
    "Dust",
    "Ice",
    "Sound",
    "Rivers",
    "Colour",
    "Salt Marshes",
)
# Forms of a title by kind of book; further ones than those of a novel would be odd for it.
_FORMS = {
    "Novel": ("The {adjective} {noun}", "The {noun} and the {other}", "A {noun} in Autumn", "What the {noun} Kept"),
    "Thriller": ("The {noun} Protocol", "The {adjective} Witness", "Seven Minutes to the {noun}", "Nobody at the {noun}"),
    "Poetry": ("{noun}, with Rain", "Songs for a {adjective} {noun}", "Thirty Ways to Leave a {noun}"),
    "History": ("A Short History of {thing}", "{thing} and Power", "How {thing} Changed Europe", "The Age of {thing}"),
    "Science": ("Why {study} Matter", "The Secret Life of {study}", "Understanding {study}", "{study}: An Introduction"),
    "Travel": ("Slowly through the {place}", "A Year along the {place}", "Letters from the {place}"),
    "Biography": ("{name}: A Life", "The Education of {name}", "My Father's {noun}", "{name} and the {noun}"),
}  # fmt: skip
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
