"""Joke/jokes: cold jokes in one piece, jokes in two parts, and old sayings in eight languages."""

import functools
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import find, read_table, sample_rows
from toolyard.world.kernel.types import LanguageCode, Named, Prose, Semantic

GROUP = Group("Joke/jokes")
ColdJokeId = Annotated[str, Semantic("cold_joke_id")]
JokeId = Annotated[int, Semantic("joke_id")]
QuoteLanguage = Literal["en", "es", "pt", "it", "de", "fr", "cs", "sk"]


class ColdJoke(TypedDict):
    id: ColdJokeId
    joke: Prose


class DrawnColdJoke(TypedDict):
    joke_id: ColdJokeId
    joke: Prose
    drawn_from: int


class RatedColdJoke(TypedDict):
    id: ColdJokeId
    joke: Prose
    groans: int


class Joke(TypedDict):
    id: JokeId
    type: str
    setup: Prose
    punchline: str


class DrawnJoke(TypedDict):
    joke_number: JokeId
    setup: Prose
    punchline: str


class RatedJoke(TypedDict):
    id: JokeId
    setup: Prose
    punchline: str
    laughs: int


class Quote(TypedDict):
    quote: Prose
    author: str
    language: LanguageCode


@functools.cache
def cold_jokes() -> tuple[ColdJoke, ...]:
    """The jokes in one piece."""
    rows = [row for row in read_table("jokes.tsv") if row["kind"] == "cold"]
    return tuple(ColdJoke(id=seeds.token(11, "cold joke", n), joke=row["text"]) for n, row in enumerate(rows))


@functools.cache
def two_part_jokes() -> tuple[Joke, ...]:
    """The jokes in two parts, numbered from 1."""
    rows = [row for row in read_table("jokes.tsv") if row["kind"] != "cold"]
    return tuple(
        Joke(id=n, type=row["kind"], setup=row["text"], punchline=row["punchline"])
        for n, row in enumerate(rows, 1)
    )


@GROUP.tool(
    phrase="tell me a random cold joke",
    noun="the random cold joke",
    jobs=("jokes",),
)
def random_cold_jokes(world: World) -> DrawnColdJoke:
    """A cold joke drawn by chance, another one each time."""
    joke = world.draw_anew(cold_jokes(), "cold joke")
    return {"joke_id": joke["id"], "joke": joke["joke"], "drawn_from": len(cold_jokes())}


@GROUP.tool(
    phrase="list all the cold jokes with their ids",
    noun="the list of all cold jokes",
    jobs=("jokes",),
)
def search_cold_jokes() -> list[ColdJoke]:
    """All cold jokes with the ids by which they can be fetched."""
    return list(cold_jokes())


@GROUP.tool(
    examples=[{"joke_id": seeds.token(11, "cold joke", 0)}],
    phrase="show me the cold joke whose id is {joke_id}",
    noun="the chosen cold joke",
    jobs=("jokes",),
)
def get_specific_cold_jokes(world: World, *, joke_id: ColdJokeId) -> RatedColdJoke:
    """One cold joke, with how many groans it earned.

    joke_id: Id of the joke, as the list of cold jokes gives it.
    """
    joke = find(cold_jokes(), joke_id, "id", "cold joke")
    return {**joke, "groans": seeds.number(world.seed, "groans", joke["id"]) % 500}


@GROUP.tool(
    phrase="tell me one random joke with a setup and a punchline",
    noun="the random joke",
    jobs=("jokes",),
)
def random_joke(world: World) -> DrawnJoke:
    """A joke in two parts drawn by chance, another one each time."""
    joke = world.draw_anew(two_part_jokes(), "joke")
    return {"joke_number": joke["id"], "setup": joke["setup"], "punchline": joke["punchline"]}


@GROUP.tool(
    phrase="tell me ten random jokes in one go",
    noun="the batch of ten random jokes",
    jobs=("jokes",),
)
def random_ten_joke(world: World) -> list[Joke]:
    """Ten different jokes in two parts, drawn by chance, each with its kind."""
    return sample_rows(two_part_jokes(), 10, world.draw("ten jokes"))


@GROUP.tool(
    examples=[{"id": 7}],
    phrase="tell me the two-part joke whose number is {id}",
    noun="the numbered joke",
    jobs=("jokes",),
)
def get_joke_by_id(world: World, *, number: Annotated[JokeId, Named("id")]) -> RatedJoke:
    """The joke in two parts with this number, and how many laughs it earned.

    id: Number of the joke, from 1 to 30.
    """
    joke = find(two_part_jokes(), number, "id", "joke")
    laughs = seeds.number(world.seed, "laughs", number) % 900
    return {"id": joke["id"], "setup": joke["setup"], "punchline": joke["punchline"], "laughs": laughs}


@GROUP.tool(
    examples=[{}, {"lang_code": "fr"}],
    phrase="give me a random famous quote[ in the language {lang_code}]",
    noun="the random quote",
)
def random_quote(
    world: World, *, lang_code: Annotated[QuoteLanguage, Semantic("quote_language")] = "en"
) -> Quote:
    """A famous saying drawn by chance, another one each time, in one of eight languages.

    lang_code: Language of the saying.
    """
    row = world.draw_anew(list(read_table("sayings.tsv")), "quote", opening=6)
    return {"quote": row[lang_code], "author": row["author"], "language": lang_code}
